// A package that was released, as this copy of the engine understands it. Its own copy may be another one: only data and
// functions count, never classes.
import { defineCatalog, type ProcedureCatalog, type ProcedurePackage } from '@pawl/reconciler/kubernetes';

/** A package that this copy of the engine cannot run. `faults` names every field. */
export class IncompatiblePackageError extends Error {
  override readonly name = 'IncompatiblePackageError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

type Loose = Readonly<Record<string, unknown>>;

/**
 * Reads a package that another copy of the engine has defined.
 *
 * @param title how the package is called in faults
 * @throws {IncompatiblePackageError} with every field that is not as this copy needs it
 */
export function readReleased(value: unknown, title: string): ProcedurePackage {
  const faults = isLoose(value) ? packageFaults(value) : ['the default export is no object'];
  if (faults.length > 0) throw incompatible(title, faults);
  const from = value as ProcedurePackage;
  const kinds: ProcedureCatalog[] = [];
  for (const [index, catalog] of from.kinds.entries())
    try {
      kinds.push(redefined(catalog));
    } catch (error) {
      faults.push(`kinds[${index}]: ${error instanceof Error ? error.message : String(error)}`);
    }
  if (faults.length > 0) throw incompatible(title, faults);
  const { external = [], examples = [] } = from as Partial<ProcedurePackage>;
  return { ...from, kinds, external, examples };
}

function incompatible(title: string, faults: readonly string[]): IncompatiblePackageError {
  return new IncompatiblePackageError(
    faults.map((fault) => `${title}: ${fault}; allowed is a package that definePackage of a compatible release of @pawl/reconciler has made`),
  );
}

/** With the rules of this copy, as an operator of today would read them. */
function redefined({ resource, procedures, parent }: ProcedureCatalog): ProcedureCatalog {
  return defineCatalog(
    resource,
    procedures as unknown as Parameters<typeof defineCatalog>[1],
    parent === undefined ? {} : { parent: { of: parent.of, releasedBy: { name: parent.releasedBy } } },
  );
}

const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

function packageFaults({ name, kinds, crds }: Loose): string[] {
  const faults = [
    ...(isText(name) ? [] : ['name is no text']),
    ...(Array.isArray(crds) ? [] : ['crds is no list']),
    ...(Array.isArray(kinds) ? [] : ['kinds is no list']),
  ];
  for (const [index, kind] of (Array.isArray(kinds) ? (kinds as readonly unknown[]) : []).entries())
    faults.push(...kindFaults(isLoose(kind) ? kind : {}, `kinds[${index}]`));
  return faults;
}

function kindFaults({ resource, procedures }: Loose, at: string): readonly string[] {
  const handle = isLoose(resource) ? resource : {};
  const faults = ['id', 'apiVersion', 'kind', 'plural'].filter((field) => !isText(handle[field])).map((field) => `${at}.resource.${field} is no text`);
  if (!Array.isArray(procedures)) return [...faults, `${at}.procedures is no list`];
  return [...faults, ...(procedures as readonly unknown[]).flatMap((each, index) => procedureFaults(isLoose(each) ? each : {}, `${at}.procedures[${index}]`))];
}

function procedureFaults({ version, actions, teardown, onDemand }: Loose, at: string): readonly string[] {
  const faults = isText(version) ? [] : [`${at}.version is no text`];
  if (!isSetLike(onDemand)) faults.push(`${at}.onDemand is no set`);
  for (const [field, graph] of Object.entries({ actions, teardown })) {
    if (!isMapLike(graph)) faults.push(`${at}.${field} is no map`);
    else for (const [name, action] of graph) faults.push(...actionFaults(isLoose(action) ? action : {}, `${at}.${field}.${String(name)}`));
  }
  return faults;
}

function actionFaults({ name, evaluate, grants, requires, stage }: Loose, at: string): readonly string[] {
  return [
    ...(isText(name) ? [] : [`${at}.name is no text`]),
    ...(isText(stage) ? [] : [`${at}.stage is no text`]),
    ...(typeof evaluate === 'function' ? [] : [`${at}.evaluate is no function`]),
    ...(Array.isArray(grants) ? [] : [`${at}.grants is no list`]),
    ...(isLoose(requires) ? [] : [`${at}.requires is no object`]),
  ];
}

const isMapLike = (value: unknown): value is ReadonlyMap<unknown, unknown> =>
  isLoose(value) && typeof value['get'] === 'function' && typeof (value as Partial<ReadonlyMap<unknown, unknown>>)[Symbol.iterator] === 'function';
const isSetLike = (value: unknown): boolean => isLoose(value) && typeof value['has'] === 'function';
