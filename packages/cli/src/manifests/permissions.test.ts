import { done, proceduresFor } from '@pawl/reconciler';
import {
  ConfigMaps,
  defineCatalog,
  defineOpenResource,
  definePackage,
  defineResource,
  Deployments,
  Nodes,
  Pods,
  Secrets,
  type CustomResource,
  type KubernetesContext,
  type KubernetesObject,
} from '@pawl/reconciler/kubernetes';
import { describe, expect, it } from 'vitest';
import { permissionsOf, readsSecretsEverywhere, type Permission } from './permissions.ts';

interface Fleet extends CustomResource<'example.dev/v1', 'Fleet', object> {}
interface Ship extends CustomResource<'example.dev/v1', 'Ship', object> {}
const Fleets = defineResource<Fleet>({ apiVersion: 'example.dev/v1', kind: 'Fleet', plural: 'fleets', namespaced: false });
const Ships = defineResource<Ship>({ apiVersion: 'example.dev/v1', kind: 'Ship', plural: 'ships' });
const Sinks = defineOpenResource<KubernetesObject>('sink');

const forFleet = proceduresFor<KubernetesContext<Fleet>>();
const forShip = proceduresFor<KubernetesContext<Ship>>();
const run = (): ReturnType<typeof done> => done();

const drained = forFleet.defineAction({ name: 'Drained', edits: { nodes: Nodes, pods: Pods }, reads: { keys: Secrets }, run });
const afloat = forShip.defineAction({
  name: 'Afloat',
  owns: { hulls: Deployments, sinks: Sinks },
  edits: { logs: ConfigMaps },
  immutable: { hulls: 'OrphanRecreate' },
  run,
});
const old = forShip.defineAction({ name: 'Afloat', owns: { logs: ConfigMaps }, run });

const packages = [
  definePackage({
    name: 'harbour',
    crds: [],
    kinds: [
      defineCatalog(Fleets, [forFleet.defineProcedure({ version: '1.0.0', actions: [drained] })]),
      defineCatalog(
        Ships,
        [
          forShip.defineProcedure({ version: '1.0.0', actions: [old] }),
          forShip.defineProcedure({ version: '2.0.0', from: '1.0.0', actions: [afloat] }),
        ],
        { parent: { of: Fleets, releasedBy: drained } },
      ),
    ],
  }),
];
const openKinds = { sink: [{ apiVersion: 'sink.dev/v1', kind: 'Pipe', plural: 'pipes' }] };
const permissions = permissionsOf({ packages, openKinds, name: 'harbour', namespace: 'ops' });
const told = ({ place, group, resource, verbs, names = [] }: Permission): string =>
  `${typeof place === 'string' ? place : place.namespace}: ${group}/${resource} ${[...names, ...verbs].join(' ')}`;

describe('the permissions of an operator', () => {
  it('follow from what all versions of its procedures declare, the verbs of one resource together', () => {
    expect(permissions.map(told)).toEqual([
      'cluster: example.dev/fleets get list watch patch',
      'cluster: example.dev/fleets/status patch',
      'watched: example.dev/ships get list watch patch',
      'watched: example.dev/ships/status patch',
      'cluster: /nodes get list watch patch',
      'watched: /pods get list watch patch',
      'watched: /secrets get list watch',
      'watched: /pods/eviction create',
      'watched: apps/deployments get list watch create patch delete',
      'watched: /configmaps get list watch create patch delete',
      'watched: sink.dev/pipes get list watch create patch delete',
      'ops: coordination.k8s.io/leases get create',
      'ops: coordination.k8s.io/leases pawl-harbour patch',
      'watched: events.k8s.io/events create patch',
      'default: events.k8s.io/events create patch',
      'ops: events.k8s.io/events create patch',
    ]);
  });

  it('say why each is there', () => {
    const why = (resource: string): string => permissions.find((each) => each.resource === resource)?.why ?? '';
    expect(why('configmaps')).toBe('owned by Actions; single fields set by Actions');
    expect(why('pods')).toBe('single fields set by Actions; pods of a workload that is replaced');
    expect(why('fleets')).toBe('the objects that are reconciled; parents of reconciled objects');
  });

  it('include all Secrets of the cluster only if no namespaces are named', () => {
    expect(readsSecretsEverywhere(permissions, undefined)).toBe(true);
    expect(readsSecretsEverywhere(permissions, ['shop'])).toBe(false);
  });
});
