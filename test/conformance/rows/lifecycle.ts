// Rows about the life of a definition: installing, changing, removal.
import { absent, containing, present, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import { definition, numberType, textType, version } from './definitions.ts';
import { answers, create, crds, fails, get, invalid, jsonPatch, mergePatch, remove, until } from './dsl.ts';
import { condition, install, oneVersion, own, ownCrd, schemaOf, thing, things } from './things.ts';

export const lifecycleRows: readonly Row[] = [
  {
    id: '142',
    title: 'A create while the definition is terminating: 403 Forbidden',
    priority: 'P1',
    setup: [
      ...install(oneVersion(schemaOf({}))),
      {
        until: { method: 'POST', path: things, body: thing('x', {}, { finalizers: ['example.com/hold'] }) },
        expect: answers(201),
      },
      remove(ownCrd),
      until(ownCrd, answers(200, condition('Terminating'))),
    ],
    steps: [
      {
        until: { method: 'POST', path: things, body: thing('y') },
        expect: fails(403, 'Forbidden', {
          message: text('create not allowed while custom resource definition is terminating'),
        }),
      },
      mergePatch(`${things}/x`, { metadata: { finalizers: null } }, answers(200)),
      until(ownCrd, answers(404)),
    ],
  },
  {
    id: '143',
    title: 'A create right after the definition is established succeeds, if only after a moment',
    priority: 'P1',
    setup: [create(crds, oneVersion(schemaOf({}))), until(ownCrd, answers(200, condition('Established')))],
    steps: [{ until: { method: 'POST', path: things, body: thing('x') }, expect: answers(201), withinMs: 10_000 }],
  },
  {
    id: 'K1',
    title: 'Life of a definition: accepted, established, served, listed in discovery; gone after its deletion',
    priority: 'P0',
    steps: [
      create(
        crds,
        oneVersion(schemaOf({ size: numberType })),
        answers(201, {
          spec: { conversion: { strategy: 'None' }, names: { listKind: 'ThingList' } },
          status: { storedVersions: ['v1'] },
          metadata: { generation: 1 },
        }),
      ),
      until(
        ownCrd,
        answers(200, {
          status: {
            conditions: containing(
              { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts' },
              { type: 'Established', status: 'True', reason: 'InitialNamesAccepted' },
            ),
            acceptedNames: { kind: 'Thing', plural: 'things' },
            storedVersions: ['v1'],
          },
        }),
      ),
      until(
        `/apis/${own}/v1`,
        answers(200, { resources: containing({ name: 'things', kind: 'Thing', namespaced: true }) }),
      ),
      until(`/apis/${own}`, answers(200, { kind: 'APIGroup', preferredVersion: { version: 'v1' } })),
      { until: { method: 'POST', path: things, body: thing('x', { spec: { size: 1 } }) }, expect: answers(201) },
      remove(ownCrd, undefined, answers(200)),
      until(ownCrd, answers(404)),
      until(things, answers(404)),
      until(`/apis/${own}/v1`, answers(404)),
    ],
  },
  {
    id: 'K2',
    title: 'A definition whose schema is not structural, or that names no or two storage versions: 422',
    priority: 'P0',
    steps: [
      create(
        crds,
        oneVersion({ properties: { size: numberType } }),
        invalid({ field: 'spec.validation.openAPIV3Schema.properties[spec].type', reason: 'FieldValueRequired' }),
      ),
      create(
        crds,
        oneVersion(schemaOf({ size: {} })),
        invalid({
          reason: 'FieldValueRequired',
          field: 'spec.validation.openAPIV3Schema.properties[spec].properties[size].type',
        }),
      ),
      create(
        crds,
        oneVersion(schemaOf({}), { storage: false }),
        invalid({ field: 'spec.versions', message: text('must have exactly one version marked as storage version') }),
      ),
      create(
        crds,
        definition(own, 'things', 'Thing', { versions: [version('v1', schemaOf({})), version('v2', schemaOf({}))] }),
        invalid({ field: 'spec.versions' }),
      ),
      create(
        crds,
        definition('other.example', 'things', 'Thing', { group: own, versions: [version('v1', schemaOf({}))] }),
        invalid({ field: 'metadata.name', message: text('must be spec.names.plural\\+"."\\+spec.group') }),
      ),
      create(crds, oneVersion(schemaOf({ size: { type: 'integer', default: 'big' } })), fails(422, 'Invalid')),
      create(
        crds,
        oneVersion(schemaOf({ size: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self + ' }] } })),
        fails(422, 'Invalid'),
      ),
    ],
  },
  {
    id: 'K4',
    title: 'Group, plural name and scope of a definition cannot change',
    priority: 'P1',
    setup: install(oneVersion(schemaOf({}))),
    steps: [
      mergePatch(
        ownCrd,
        { spec: { scope: 'Cluster' } },
        invalid({ field: 'spec.scope', message: text('field is immutable$') }),
      ),
      mergePatch(ownCrd, { spec: { group: 'other.example' } }, invalid({ field: 'spec.group' })),
    ],
  },
  {
    id: 'K5',
    title: 'A cluster-scoped custom resource has no namespace (one in the body is dropped) and is not served under one',
    priority: 'P0',
    setup: [
      create(
        crds,
        definition(own, 'things', 'Thing', {
          scope: 'Cluster',
          versions: [version('v1', schemaOf({ size: numberType }))],
        }),
      ),
      until(`/apis/${own}/v1/things`, answers(200)),
    ],
    steps: [
      {
        until: { method: 'POST', path: `/apis/${own}/v1/things`, body: thing('x') },
        expect: answers(201, { metadata: { namespace: absent, uid: present } }),
      },
      create(
        `/apis/${own}/v1/things`,
        thing('y', {}, { namespace: 'default' }),
        answers(201, { metadata: { namespace: absent } }),
      ),
      get(things, answers(404)),
    ],
  },
  {
    id: 'K6',
    title: 'A change of a definition takes effect on new writes: a new member is no longer pruned',
    priority: 'P1',
    setup: [
      ...install(oneVersion(schemaOf({ size: numberType }))),
      create(things, thing('x', { spec: { size: 1, mode: 'a' } })),
    ],
    steps: [
      get(`${things}/x`, answers(200, { spec: { mode: absent } })),
      jsonPatch(
        ownCrd,
        [
          {
            op: 'add',
            path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/mode',
            value: textType,
          },
        ],
        answers(200, { metadata: { generation: 2 } }),
      ),
      {
        until: {
          method: 'PATCH',
          path: `${things}/x`,
          body: { spec: { mode: 'b' } },
          headers: { 'content-type': 'application/merge-patch+json' },
        },
        expect: answers(200, { spec: { mode: 'b' } }),
      },
    ],
  },
];
