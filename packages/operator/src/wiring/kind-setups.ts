// From packages to what each controller works with. Pure but for the clients of external systems, which packages make.
import type { Clock, ExternalApi, Logger } from '@pawl/reconciler';
import {
  fieldManagersOf,
  kindsOf,
  type CatalogKinds,
  type ProcedureCatalog,
  type KubernetesObject,
  type ProcedurePackage,
  type ResourceInfo,
} from '@pawl/reconciler/kubernetes';
import type { KubeClient } from '../client/kube-client.ts';
import { typeFinder } from '../cluster/inventory.ts';
import { ConfigError, type OperatorConfig } from '../config.ts';
import type { KindSetup } from '../controller/kind-setup.ts';

type AnyInfo = ResourceInfo<KubernetesObject>;

export interface SetupParts {
  readonly packages: readonly ProcedurePackage[];
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Pick<OperatorConfig, 'openKinds' | 'external' | 'labelSelector' | 'fieldSelector'>;
}

/**
 * The setup of every kind of every package.
 * @throws {ConfigError} if two packages bring the same kind, or the configuration names what no package declares
 */
export function kindSetups({ packages, client, clock, log, config }: SetupParts): readonly KindSetup[] {
  const kinds = packages.flatMap((from) => from.kinds.map((catalog) => ({ from, catalog, touches: kindsOf(catalog) })));
  const faults = faultsOf(kinds.map(({ catalog }) => `${catalog.resource.apiVersion} ${catalog.resource.kind}`), packages, config);
  if (faults.length > 0) throw new ConfigError(faults);
  const openKinds = new Map(Object.entries(config.openKinds));
  const opened = [...openKinds.values()].flat().map(infoOf);
  const known = kinds.flatMap(({ catalog, touches: { owns, edits, reads } }) => [catalog.resource, ...owns, ...edits, ...reads]);
  const typeOf = typeFinder(client, [...known, ...opened]);
  // Of these some package may look at any object.
  const looked = new Set(
    kinds.flatMap(({ catalog }) => [catalog.resource, ...touchedBy(catalog, config.openKinds, ['edits', 'reads'])]).map(idOf),
  );
  const externals = new Map(packages.map((from) => [from, externalsOf(from, config.external, clock, log)] as const));
  return kinds.map(({ from, catalog, touches }) => {
    const open = (...verbs: readonly string[]): readonly AnyInfo[] =>
      touches.open
        .filter(({ verb }) => verbs.includes(verb))
        .flatMap(({ name }) => openKinds.get(name) ?? [])
        .map(infoOf);
    const owned = unique([...touches.owns, ...open('owns')]);
    const declared = [...touches.owns, ...touches.edits, ...touches.reads];
    return {
      packageName: from.name,
      resource: catalog.resource,
      catalog,
      versions: catalog.versions,
      managers: fieldManagersOf(from.name, catalog.resource.kind),
      owned,
      ownedOnly: owned.filter((info) => !looked.has(idOf(info))),
      touched: unique([...touches.edits, ...touches.reads, ...open('edits', 'reads')]),
      optional: unique(open('owns', 'edits', 'reads')).filter((info) => !declared.some((other) => idOf(other) === idOf(info))),
      externals: externals.get(from) ?? new Map<string, ExternalApi>(),
      openKinds,
      typeOf,
    };
  });
}

/** What procedures touch by these verbs, and their parents. */
function touchedBy(
  catalog: ProcedureCatalog,
  openKinds: OperatorConfig['openKinds'],
  verbs: readonly ('owns' | 'edits' | 'reads')[],
): readonly AnyInfo[] {
  const touches = kindsOf(catalog);
  const opened = touches.open.filter(({ verb }) => verbs.includes(verb)).flatMap(({ name }) => openKinds[name] ?? []);
  const parents = catalog.parent === undefined ? [] : [catalog.parent.of];
  return [...verbs.flatMap((verb) => touches[verb]), ...opened.map(infoOf), ...parents];
}

function faultsOf(
  kinds: readonly string[],
  packages: readonly ProcedurePackage[],
  { openKinds, external, labelSelector, fieldSelector }: SetupParts['config'],
): readonly string[] {
  const twice = [...new Set(kinds.filter((name, index) => kinds.indexOf(name) !== index))];
  const touches: readonly CatalogKinds[] = packages.flatMap((from) => from.kinds.map(kindsOf));
  const openNames = [...new Set(touches.flatMap(({ open }) => open.map(({ name }) => name)))];
  const systems = [...new Set(packages.flatMap((from) => from.external.map(({ key }) => key)))];
  const unknown = (field: string, given: object, declared: readonly string[]): readonly string[] =>
    Object.keys(given)
      .filter((name) => !declared.includes(name))
      .map((name) => `${field}.${name}: is declared by no package; declared are ${declared.join(', ') || 'none'}`);
  return [
    ...twice.map((name) => `procedures: ${name} is in two packages; allowed is one package for a kind`),
    ...unknown('openKinds', openKinds, openNames),
    ...unknown('external', external, systems),
    ...Object.entries({ labelSelector, fieldSelector }).flatMap(([field, selector]) =>
      selector === undefined ? [] : lookedAtByActions(packages, openKinds).map((kind) => `${field}: found ${JSON.stringify(selector)}, but Actions look at objects of kind ${kind} themselves and need all of them; allowed is nothing`),
    ),
  ];
}

/** Reconciled kinds that procedures own, edit, read or have as a parent as well. */
function lookedAtByActions(packages: readonly ProcedurePackage[], openKinds: OperatorConfig['openKinds']): readonly string[] {
  const catalogs = packages.flatMap(({ kinds }) => kinds);
  const ids = new Set(catalogs.flatMap((catalog) => touchedBy(catalog, openKinds, ['owns', 'edits', 'reads'])).map(idOf));
  return catalogs.filter(({ resource }) => ids.has(idOf(resource))).map(({ resource }) => resource.kind);
}

function externalsOf(
  from: ProcedurePackage,
  settings: OperatorConfig['external'],
  clock: Clock,
  log: Logger,
): ReadonlyMap<string, ExternalApi> {
  return new Map(from.external.map(({ key, create }) => [key, create({ config: settings[key], clock, log })]));
}

const infoOf = (kind: OperatorConfig['openKinds'][string][number]): AnyInfo => ({ namespaced: true, ...kind });
const idOf = ({ apiVersion, kind }: AnyInfo): string => `${apiVersion}/${kind}`;
const unique = (infos: readonly AnyInfo[]): readonly AnyInfo[] => [...new Map(infos.map((info) => [idOf(info), info])).values()];
