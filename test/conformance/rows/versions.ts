// Rows about several versions of a custom resource.
import { containing } from '../matchers.ts';
import type { Row, Step } from '../row.ts';
import { definition, numberType, version } from './definitions.ts';
import {
  answers,
  create,
  crds,
  gadget,
  gadgets,
  get,
  group,
  invalid,
  mergePatch,
  oldGadgets,
  send,
  until,
} from './dsl.ts';

type Json = Readonly<Record<string, unknown>>;

const own = '{ns}.example';
const ownCrd = `${crds}/things.${own}`;
const things = `/apis/${own}/v1/namespaces/{ns}/things`;
const thing = (name: string, rest: Json = {}, metadata: Json = {}): Json => ({
  apiVersion: `${own}/v1`,
  kind: 'Thing',
  metadata: { name, ...metadata },
  ...rest,
});
const schemaOf = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });
const oneVersion = (spec: Json, more: Json = {}): Json =>
  definition(own, 'things', 'Thing', { versions: [version('v1', spec, more)] }) as unknown as Json;
const condition = (type: string, status = 'True'): Json => ({ status: { conditions: containing({ type, status }) } });

/** Installs a definition of the row's own and waits until an object can be created. */
function install(body: Json): readonly Step[] {
  return [create(crds, body), until(ownCrd, answers(200, condition('Established'))), until(things, answers(200))];
}

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
];
