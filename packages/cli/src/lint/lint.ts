// `pawl lint`: checks the catalogs of packages, alone and against what was released. Needs no cluster.
import { formatLock, lintCatalog, lockedVersion, mergedVersions, parseLock, type Finding, type LockedKind, type ProceduresLock } from '@pawl/reconciler';
import {
  ANNOTATIONS,
  fieldManagersOf,
  FINALIZER,
  groupOf,
  kindsOf,
  LABELS,
  leaseName,
  type ProcedureCatalog,
  type ProcedurePackage,
} from '@pawl/reconciler/kubernetes';
import { resolve } from 'node:path';
import { InputError } from '../input-error.ts';
import { json } from '../operate/output.ts';
import { loadNamedPackages, type SessionFlags } from '../operate/session.ts';
import type { Ports } from '../ports.ts';
import { renderedHash } from './render.ts';

export interface LintFlags extends SessionFlags {
  readonly lock?: string;
  /** Name of the release: the lock is written with what the packages are now. */
  readonly release?: string;
  readonly support?: string;
  readonly output?: string;
}

const LOCK = 'procedures.lock';

/** Exit code 0: no errors; 1: errors, and then nothing is written. */
export async function runLint(flags: LintFlags, ports: Ports): Promise<number> {
  const packages = await loadNamedPackages(flags, ports);
  const path = resolve(ports.workingFolder, flags.lock ?? LOCK);
  const before = ports.files.exists(path) ? readLock(path, await ports.files.read(path)) : undefined;
  const [first] = packages;
  if (packages.length !== 1 || first === undefined)
    throw new InputError([`--package: found ${packages.length} packages; allowed is one, for each has a lock of its own`]);
  if (before !== undefined && before.package !== first.name)
    throw new InputError([`--lock: found the lock of package ${before.package}; allowed is that of ${first.name}`]);
  const findings = (await Promise.all(first.kinds.map((catalog) => lintKind(first, catalog, before, flags)))).flat();
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (flags.output === 'json') ports.terminal.write(json(findings));
  else ports.terminal.write(`${[...findings.map(line), summary(findings)].join('\n')}\n`);
  if (errors > 0) return 1;
  if (flags.release !== undefined) {
    await ports.files.write(path, formatLock(await lockOf(first, before, flags.release)));
    if (flags.output !== 'json') ports.terminal.write(`${path} holds release ${flags.release} now; commit it\n`);
  } else if (before === undefined && flags.output !== 'json')
    ports.terminal.write(`there is no ${flags.lock ?? LOCK} yet: pawl lint --release NAME begins one, with your first release\n`);
  return 0;
}

async function lintKind(from: ProcedurePackage, catalog: ProcedureCatalog, lock: ProceduresLock | undefined, flags: LintFlags): Promise<readonly Finding[]> {
  const { kind } = catalog.resource;
  const locked = lock?.kinds.find((known) => known.kind === kind);
  const now = locked === undefined ? undefined : { names: namesOf(from, kind), owns: new Set(ownsOf(catalog)), rendered: await rendered(from, catalog) };
  return lintCatalog({ kind, catalog: catalog.versions, locked, now, support: flags.support });
}

/** The lock after a release. Nothing that it held is lost. */
async function lockOf(from: ProcedurePackage, before: ProceduresLock | undefined, release: string): Promise<ProceduresLock> {
  const kinds = await Promise.all(
    from.kinds.map(async (catalog): Promise<LockedKind> => {
      const { kind } = catalog.resource;
      const hashes = await rendered(from, catalog);
      const released = catalog.versions.procedures.map((procedure) => {
        const own = catalog.procedures.filter(({ version }) => version === procedure.version);
        const parts = { firstRelease: release, lastRelease: release, owns: ownsOf({ procedures: own }) };
        return lockedVersion(procedure, { ...parts, rendered: hashes.get(procedure.version) ?? {} });
      });
      const known = before?.kinds.find((each) => each.kind === kind)?.versions ?? [];
      return { kind, names: namesOf(from, kind), versions: mergedVersions(known, released) };
    }),
  );
  const gone = (before?.kinds ?? []).filter(({ kind }) => !kinds.some((now) => now.kind === kind));
  return { lockVersion: 1, package: from.name, kinds: [...kinds, ...gone] };
}

async function rendered(from: ProcedurePackage, catalog: ProcedureCatalog): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const examples = from.examples.filter(({ kind }) => kind === catalog.resource.kind);
  const rows = await Promise.all(
    catalog.procedures.map(async (procedure) => {
      const hashes = await Promise.all(examples.map(async (example) => [example.metadata.name, await renderedHash(procedure, example)] as const));
      return [procedure.version, Object.fromEntries(hashes)] as const;
    }),
  );
  return new Map(rows);
}

/** Names that stand in clusters for as long as objects of released versions do. */
function namesOf({ name }: ProcedurePackage, kind: string): Readonly<Record<string, string>> {
  const { children, record, status } = fieldManagersOf(name, kind);
  return {
    finalizer: FINALIZER,
    ownerLabel: LABELS.owner,
    versionAnnotation: ANNOTATIONS.version,
    recordAnnotation: ANNOTATIONS.mirror,
    lease: leaseName('OPERATOR'),
    childrenManager: children,
    recordManager: record,
    statusManager: status,
  };
}

function ownsOf(catalog: Pick<ProcedureCatalog, 'procedures'>): readonly string[] {
  return kindsOf(catalog)
    .owns.map(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}`)
    .sort();
}

function readLock(path: string, text: string): ProceduresLock {
  try {
    return parseLock(text);
  } catch (error) {
    throw new InputError([`${path}: ${error instanceof Error ? error.message : String(error)}; restore it from version control`]);
  }
}

const line = ({ severity, code, kind, message }: Finding): string => `${severity.padEnd(7)} ${code} ${kind}: ${message}`;

function summary(findings: readonly Finding[]): string {
  const count = (severity: Finding['severity']): number => findings.filter((each) => each.severity === severity).length;
  return `${count('error')} errors, ${count('warning')} warnings`;
}
