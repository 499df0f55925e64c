// From packages to what each controller works with. Pure but for the clients of external systems, which packages make.
import type { Clock, ExternalApi, Logger } from '@pawl/reconciler';
import { catalogOf } from '@pawl/reconciler';
import {
  fieldManagersOf,
  kindsOf,
  type ProcedurePackage,
  type ResourceType,
} from '@pawl/reconciler/kubernetes';
import type { KubeClient } from '../client/kube-client.ts';
import { typeFinder } from '../cluster/inventory.ts';
import { ConfigError } from '../config.ts';
import type { KindSetup } from '../controller/kind-setup.ts';

export interface SetupParts {
  readonly packages: readonly ProcedurePackage[];
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The setup of every kind of every package.
 * @throws {ConfigError} if two packages bring the same kind
 */
export function kindSetups({ packages, client, clock, log }: SetupParts): readonly KindSetup[] {
  const kinds = packages.flatMap((from) =>
    from.kinds.map((catalog) => ({ from, catalog, touches: kindsOf(catalog) })),
  );
  const names = kinds.map(({ catalog }) => `${catalog.resource.apiVersion} ${catalog.resource.kind}`);
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  if (twice.length > 0)
    throw new ConfigError(twice.map((name) => `procedures: ${name} is in two packages; allowed is one package for a kind`));
  const known = kinds.flatMap(({ catalog, touches: { owns, edits, reads } }) => [
    catalog.resource,
    ...owns,
    ...edits,
    ...reads,
  ]);
  const typeOf = typeFinder(client, known);
  const externals = new Map(
    packages.map((from) => [from, externalsOf(from, clock, log)] as const),
  );
  return kinds.map(({ from, catalog, touches }) => ({
    packageName: from.name,
    resource: catalog.resource,
    catalog,
    versions: catalogOf(catalog.procedures),
    managers: fieldManagersOf(from.name, catalog.resource.kind),
    owned: touches.owns,
    touched: [...touches.edits, ...touches.reads],
    externals: externals.get(from) ?? new Map<string, ExternalApi>(),
    openKinds: new Map<string, readonly ResourceType[]>(),
    typeOf,
  }));
}

function externalsOf(from: ProcedurePackage, clock: Clock, log: Logger): ReadonlyMap<string, ExternalApi> {
  return new Map(from.external.map(({ key, create }) => [key, create({ config: undefined, clock, log })]));
}
