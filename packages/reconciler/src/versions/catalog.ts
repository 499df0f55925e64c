// What a catalog's procedures say about versions, with the defaults filled in. Oldest first.
import type { Fault } from '../errors.ts';
import type { Procedure } from '../procedure.ts';
import { contentDigest } from './digest.ts';
import { compareVersions, isSame, UNVERSIONED } from './version.ts';

/** What one procedure declares about versions, before the defaults. */
export interface ProcedureDeclaration {
  /** May be absent for a single procedure: then it is 0.0.0. */
  readonly version?: string | undefined;
  readonly from?: string | undefined;
  readonly minVersion?: string | undefined;
  /** Version of the procedure that this one was derived from: the default of `minVersion`. */
  readonly derivedFrom?: string | undefined;
  readonly fromPartial?: string | undefined;
  readonly rollbackTo?: string | undefined;
  readonly install?: boolean | undefined;
  readonly withdrawn?: boolean | undefined;
  readonly settled?: boolean | undefined;
  readonly adopts?: readonly string[] | undefined;
  readonly finalize?: 'Auto' | 'Manual' | { readonly soakMs: number } | undefined;
  readonly teardown?: 'Inventory' | 'Procedure' | undefined;
  /** Has actions past a point of no return. */
  readonly finalizes?: boolean | undefined;
  readonly digest?: string | undefined;
}

/** One procedure with every default filled in. Ranges are `none` where nothing is admitted. */
export interface NormalizedProcedure {
  readonly version: string;
  readonly digest: string;
  readonly from: string;
  readonly fromPartial: string;
  readonly rollbackTo: string;
  readonly install: boolean;
  readonly withdrawn: boolean;
  readonly settled: boolean;
  readonly adopts: readonly string[];
  readonly finalizes: boolean;
  /** When the finalize actions may run: at once, by approval, or after so many milliseconds. */
  readonly finalize: 'Auto' | 'Manual' | { readonly soakMs: number };
  readonly teardown: 'Inventory' | 'Procedure';
  /** The catalog's only procedure, silent about other versions: it acts as an operator without versions would. */
  readonly plain: boolean;
  /** A later procedure that says nothing about older ones; an error when the catalog is defined. */
  readonly undeclared: boolean;
}

/** All procedures of one kind, as the decision sees them. */
export interface VersionCatalog {
  /** Oldest first. */
  readonly procedures: readonly NormalizedProcedure[];
  readonly plain: boolean;
}

/** How long a procedure that can still be rolled back waits before it passes its point of no return. */
export const DEFAULT_SOAK_MS = 24 * 60 * 60 * 1000;

/** Fills in the defaults. Total: a catalog with faults is normalised as well as it can be. */
export function normalizeCatalog(declarations: readonly ProcedureDeclaration[]): VersionCatalog {
  const sorted = declarations
    .map((declared) => ({ ...declared, version: declared.version ?? UNVERSIONED }))
    .sort((a, b) => compareVersions(a.version, b.version));
  const [first] = sorted;
  const plain =
    sorted.length === 1 &&
    first !== undefined &&
    !limitsOlder(first) &&
    first.fromPartial === undefined &&
    first.rollbackTo === undefined;
  const procedures = sorted.map((declared, index) => normalized(declared, index === 0, plain));
  return Object.freeze({ procedures: Object.freeze(procedures), plain });
}

const limitsOlder = ({ from, minVersion }: ProcedureDeclaration): boolean =>
  from !== undefined || minVersion !== undefined;

function normalized(
  declared: ProcedureDeclaration & { readonly version: string },
  isLowest: boolean,
  plain: boolean,
): NormalizedProcedure {
  const { version, from, minVersion, derivedFrom, rollbackTo, finalizes = false } = declared;
  const oldest = minVersion ?? (from === undefined ? derivedFrom : undefined);
  // The lowest one was the first release: whatever is older came before versions were declared.
  const isFirst = isLowest && !limitsOlder(declared) && derivedFrom === undefined;
  const admits = from ?? (oldest === undefined ? (isFirst ? '*' : 'none') : `>=${oldest}`);
  const soaks = finalizes && rollbackTo !== undefined && rollbackTo !== 'none';
  return Object.freeze({
    version,
    digest: declared.digest ?? version,
    from: admits,
    fromPartial: declared.fromPartial ?? (isFirst ? '*' : 'none'),
    rollbackTo: rollbackTo ?? (plain ? '*' : 'none'),
    install: declared.install ?? true,
    withdrawn: declared.withdrawn ?? false,
    settled: declared.settled ?? false,
    adopts: declared.adopts ?? [],
    finalizes,
    finalize: declared.finalize ?? (soaks ? { soakMs: DEFAULT_SOAK_MS } : 'Auto'),
    teardown: declared.teardown ?? 'Inventory',
    plain,
    undeclared: !isLowest && admits === 'none',
  });
}

/** What a defined procedure declares. */
export function declarationOf(procedure: Procedure<never>): ProcedureDeclaration {
  const { from, minVersion, derivedFrom, fromPartial, rollbackTo, install, withdrawn, settled, adopts, finalize } =
    procedure;
  return {
    version: procedure.isVersioned ? procedure.version : undefined,
    from,
    minVersion,
    derivedFrom,
    fromPartial,
    rollbackTo,
    install,
    withdrawn,
    settled,
    adopts,
    finalize,
    teardown: procedure.teardown.size > 0 ? 'Procedure' : 'Inventory',
    finalizes: [...procedure.actions.values()].some(({ stage }) => stage === 'finalize'),
    digest: contentDigest(procedure),
  };
}

/** The catalog of some procedures. */
export function catalogOf(procedures: readonly Procedure<never>[]): VersionCatalog {
  return normalizeCatalog(procedures.map(declarationOf));
}

/** What is wrong with some procedures as a catalog: none at all, the same version twice, a missing declaration. */
export function catalogFaults(procedures: readonly Procedure<never>[]): Fault[] {
  if (procedures.length === 0) return [{ code: 'V010', message: 'procedures is empty; give it at least one' }];
  const faults: Fault[] = [];
  const sorted = catalogOf(procedures).procedures;
  for (const [index, { version, undeclared }] of sorted.entries()) {
    const previous = sorted[index - 1];
    if (previous !== undefined && isSame(previous.version, version))
      faults.push({ code: 'V010', message: `two procedures have version ${version}; raise one of them` });
    else if (undeclared)
      faults.push({
        code: 'G038',
        message: `${version} says nothing about older versions: give it minVersion or from, or derive it`,
      });
  }
  if (procedures.length > 1 && procedures.some(({ isVersioned }) => !isVersioned))
    faults.push({ code: 'G038', message: 'one of several procedures has no version: give each one its version' });
  return faults;
}

/** The procedure of a version, by precedence. */
export function procedureOf(catalog: VersionCatalog, version: string | undefined): NormalizedProcedure | undefined {
  return version === undefined ? undefined : catalog.procedures.find((known) => isSame(known.version, version));
}
