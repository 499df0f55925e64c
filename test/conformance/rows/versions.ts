// Rows about several versions of a custom resource.
import { exactly, like } from '../matchers.ts';
import type { Row } from '../row.ts';
import { definition, numberType, version } from './definitions.ts';
import {
  answers,
  create,
  gadget,
  gadgets,
  get,
  group,
  invalid,
  mergePatch,
  oldGadgets,
  send,
  until,
  about,
  events,
  watch,
  as,
} from './dsl.ts';
import { install, oneVersion, own, ownCrd, schemaOf, thing, things } from './things.ts';

type Json = Readonly<Record<string, unknown>>;

export const versionRows: readonly Row[] = [
  {
    id: '144',
    title: 'Several versions: stored in one, served in each; conversion None changes the apiVersion only',
    priority: 'P0',
    setup: [create(oldGadgets, { ...gadget('x', { size: 5 }), apiVersion: `${group}/v1beta1` })],
    steps: [
      get(
        `${gadgets}/x`,
        answers(200, { apiVersion: `${group}/v1`, kind: 'Gadget', spec: { size: 5 }, metadata: { generation: 1 } }),
      ),
      get(`${oldGadgets}/x`, answers(200, { apiVersion: `${group}/v1beta1`, spec: { size: 5 } })),
      mergePatch(
        `${oldGadgets}/x`,
        { spec: { size: 6 } },
        answers(200, { apiVersion: `${group}/v1beta1`, spec: { size: 6 } }),
      ),
      get(
        gadgets,
        answers(200, { apiVersion: `${group}/v1`, items: [{ apiVersion: `${group}/v1`, spec: { size: 6 } }] }),
      ),
    ],
  },
  {
    id: '145',
    title: 'A version that is not served: 404',
    priority: 'P0',
    steps: [
      get(`/apis/${group}/v1alpha1/namespaces/{ns}/gadgets`, answers(404, '404 page not found\n')),
      send('POST', `/apis/${group}/v1alpha1/namespaces/{ns}/gadgets`, gadget('x'), answers(404)),
    ],
  },
  {
    id: 'K3',
    title:
      'A new version can be added, made the storage version, and the old one no longer served; storedVersions keeps what was stored until someone says otherwise',
    priority: 'P0',
    setup: [...install(oneVersion(schemaOf({ size: numberType }))), create(things, thing('x', { spec: { size: 1 } }))],
    steps: [
      mergePatch(
        ownCrd,
        {
          spec: {
            versions: [
              version('v2', schemaOf({ size: numberType })),
              version('v1', schemaOf({ size: numberType }), { storage: false }),
            ],
          },
        },
        answers(200, { status: { storedVersions: ['v1', 'v2'] } }),
      ),
      until(`/apis/${own}/v2/namespaces/{ns}/things/x`, answers(200, { apiVersion: `${own}/v2`, spec: { size: 1 } })),
      mergePatch(
        ownCrd,
        {
          spec: {
            versions: [
              version('v2', schemaOf({ size: numberType })),
              version('v1', schemaOf({ size: numberType }), { storage: false, served: false }),
            ],
          },
        },
        answers(200),
      ),
      until(`${things}/x`, answers(404)),
      mergePatch(
        ownCrd,
        { spec: { versions: [version('v2', schemaOf({ size: numberType }))] } },
        invalid({ field: 'status.storedVersions[0]' }),
      ),
      // Without this the last step would leave an object that nobody can read, and controllers that wait for it.
      mergePatch(`/apis/${own}/v2/namespaces/{ns}/things/x`, { spec: { size: 2 } }, answers(200)),
      mergePatch(
        `${ownCrd}/status`,
        { status: { storedVersions: ['v2'] } },
        answers(200, { status: { storedVersions: ['v2'] } }),
      ),
      mergePatch(ownCrd, { spec: { versions: [version('v2', schemaOf({ size: numberType }))] } }, answers(200)),
    ],
  },
  {
    id: 'K10',
    title:
      'Conversion by webhook: each version reads and writes its own form; where the webhook fails, other forms than the stored one are 500',
    priority: 'P1',
    needs: ['webhooks'],
    setup: [
      ...install(
        definition(own, 'things', 'Thing', {
          conversion: {
            strategy: 'Webhook',
            webhook: {
              conversionReviewVersions: ['v1'],
              clientConfig: { url: '{hook.url}/convert', caBundle: '{hook.caBundle}' },
            },
          },
          versions: [
            version('v1', schemaOf({ size: numberType })),
            version('v2', schemaOf({ volume: numberType }), { storage: false }),
          ],
        }) as unknown as Json,
      ),
      as('a', create(things, thing('x', { spec: { size: 3 } }))),
    ],
    steps: [
      until(
        `/apis/${own}/v2/namespaces/{ns}/things/x`,
        answers(200, { apiVersion: `${own}/v2`, spec: exactly({ volume: 3 }), metadata: { uid: '{a.metadata.uid}' } }),
      ),
      watch('w', `/apis/${own}/v2/namespaces/{ns}/things`, '&resourceVersion={a.metadata.resourceVersion}'),
      mergePatch(
        `/apis/${own}/v2/namespaces/{ns}/things/x`,
        { spec: { volume: 4 } },
        answers(200, { apiVersion: `${own}/v2`, spec: exactly({ volume: 4 }), metadata: { generation: 2 } }),
      ),
      get(`${things}/x`, answers(200, { apiVersion: `${own}/v1`, spec: exactly({ size: 4 }) })),
      events('w', about('MODIFIED', 'x', { apiVersion: `${own}/v2`, spec: exactly({ volume: 4 }) })),
      get(
        `/apis/${own}/v2/namespaces/{ns}/things`,
        answers(200, { items: [{ apiVersion: `${own}/v2`, spec: exactly({ volume: 4 }) }] }),
      ),
      mergePatch(
        ownCrd,
        { spec: { conversion: { webhook: { clientConfig: { url: '{hook.url}/broken' } } } } },
        answers(200),
      ),
      until(`/apis/${own}/v2/namespaces/{ns}/things/x`, {
        status: 500,
        body: { kind: 'Status', message: like('conversion webhook for ') },
      }),
      until(`${things}/x`, answers(200, { spec: { size: 4 } })),
    ],
  },
];
