// Rules of the product, each weakened in one place: the model must notice every one, or it proves nothing.
import type { Profile, Weakness } from './model.ts';
import { SHARP } from './profiles.ts';

/** One replacement in a source file of the engine's versions; it must apply exactly once. */
export interface Patch {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface WeakenedRule {
  readonly name: string;
  /** In the protocol's own text. */
  readonly patches?: readonly Patch[];
  /** In the interpreter of its steps. */
  readonly weakness?: Weakness;
  readonly profiles: readonly Profile[];
  /** Catalogs in which it can show at all, by index. Default: any. */
  readonly only?: (index: number) => boolean;
  /** It shows only in a large part of the states of a catalog: so many are explored at least. */
  readonly leastStates?: number;
}

const { base, requests, twoRequests, mixed, losses, lateWrites, family, strangers } = SHARP;
/** Every later version may supersede and be left again. */
const isPermissive = (index: number): boolean => index % 64 === 63;
const SETTLE = "    if (record.applied.length > 1 && !facts.settled) return this.#hold('Settling');\n";
const COMPLETE = '    const left = uniteScopes(scope, cycle.used);\n';
const WITHOUT_OPEN_ROLLBACK: Patch = { file: 'decide.ts', find: '    openRollback(situation) ??\n', replace: '' };

export const WEAKENED: readonly WeakenedRule[] = [
  { name: 'an intent after the first write', weakness: 'intent after the first write', profiles: [base] },
  { name: 'the record replaced instead of widened', weakness: 'record replaced', profiles: [base] },
  { name: 'the record shrunk before the prune', weakness: 'record shrunk before the prune', profiles: [base] },
  {
    name: 'any way back trusted',
    patches: [
      {
        file: 'permission.ts',
        find: 'return isInRange(version, entry.rollbackTo)',
        replace: 'return version !== undefined',
      },
    ],
    profiles: [requests],
  },
  { name: 'no waiting for late writes', weakness: 'no settle wait', profiles: [base] },
  {
    name: 'a verification that began before late writes were over',
    patches: [
      { file: 'next-step.ts', find: SETTLE, replace: '' },
      { file: 'next-step.ts', find: COMPLETE, replace: `${SETTLE}${COMPLETE}` },
    ],
    profiles: [base],
  },
  {
    name: 'stamps read from a cache',
    weakness: 'stamps from a cache',
    patches: [
      {
        file: 'effective-record.ts',
        find: 'live.filter((stamp) => isNewer(stamp, top))',
        replace: 'live.filter((stamp) => !includes(applied, stamp) || isNewer(stamp, top))',
      },
    ],
    profiles: [base],
  },
  {
    name: 'an avoided version only kept from becoming eligible, an open rollback like any hop',
    patches: [
      WITHOUT_OPEN_ROLLBACK,
      {
        file: 'forward.ts',
        find: '(situation.isApplied(version) && !situation.isAvoided(procedure))',
        replace: 'situation.isApplied(version)',
      },
    ],
    profiles: [requests],
  },
  {
    name: 'an open rollback like any hop',
    patches: [WITHOUT_OPEN_ROLLBACK],
    profiles: [twoRequests],
    only: isPermissive,
  },
  {
    name: 'only applied versions avoided',
    patches: [
      {
        file: 'backward.ts',
        find: '    ...situation.catalog.procedures.map((known) => ({ version: known.version, digest: known.digest })),\n',
        replace: '',
      },
    ],
    profiles: [requests],
  },
  {
    name: 'nothing avoided: a request is only a ceiling',
    patches: [{ file: 'backward.ts', find: 'return left.sort(', replace: 'return [].sort(' }],
    profiles: [requests],
  },
  {
    name: 'an approval left in place by a rollback',
    patches: [
      {
        file: 'next-step.ts',
        find: "if (run.mode === 'Rollback' && cr.requests.approve !== undefined)",
        replace: 'if (run === undefined)',
      },
    ],
    profiles: [requests],
    only: isPermissive,
  },
  {
    name: 'a retry that forgets during a rollback',
    patches: [
      {
        file: 'next-step.ts',
        find: 'record.avoid.length > 0 && !isGoingBack(effective)',
        replace: 'record.avoid.length > 0',
      },
    ],
    profiles: [requests],
  },
  {
    name: 'a prune despite an error',
    patches: [
      {
        file: 'next-step.ts',
        find: 'cycle?.clean !== true || cycle.failed === true',
        replace: 'cycle?.clean !== true',
      },
    ],
    profiles: [base],
  },
  {
    name: 'the greatest next step instead of a planned path',
    patches: [
      {
        file: 'path.ts',
        find: '  const goal = Math.min(...before.keys());\n',
        replace:
          '  for (const [at, from] of before) if (from !== undefined) before.delete(at);\n  const goal = Math.min(...before.keys());\n',
      },
    ],
    profiles: [base],
    only: (index) => index < 768 && Math.floor(index / 64) % 6 === 3,
  },
  {
    name: 'a point of no return forgotten after the next hop',
    patches: [
      {
        file: 'permission.ts',
        find: 'floor !== undefined && isOlder(procedure.version, floor)',
        replace: "floor === '' && isOlder(procedure.version, floor)",
      },
    ],
    profiles: [requests],
  },
  {
    name: 'no floor after everything was lost',
    patches: [
      {
        file: 'effective-record.ts',
        find: 'known === undefined && base === undefined && !plain ? highest(live) : undefined',
        replace: 'plain ? undefined : undefined',
      },
    ],
    profiles: [losses],
    leastStates: 20_000,
  },
  {
    name: 'no waiting before the finalizer goes',
    patches: [
      {
        file: 'next-step.ts',
        find: "    if (!facts.settled) return this.#hold('Settling');\n",
        replace: '',
      },
    ],
    profiles: [mixed],
  },
  {
    name: 'no waiting after everything was lost',
    patches: [
      {
        file: 'next-step.ts',
        find: "    if (isUnrecorded && cr.finalizer && !facts.settled) return this.#hold('Settling');\n",
        replace: '',
      },
    ],
    profiles: [mixed],
  },
  {
    name: 'the mirror always united with the record',
    patches: [
      {
        file: 'effective-record.ts',
        find: 'mirror.uid === uid && mirror.epoch > (record?.epoch ?? 0)',
        replace: 'mirror.uid === uid',
      },
    ],
    profiles: [base],
  },
  {
    name: 'no mirror kept by a single procedure',
    patches: [
      {
        file: 'next-step.ts',
        find: 'catalog.plain && cr.mirror === undefined && isPlainRecord(record)',
        replace: 'catalog.plain',
      },
    ],
    profiles: [requests, losses],
  },
  {
    name: 'what was started is not finished',
    patches: [
      {
        file: 'forward.ts',
        find: 'const open = target === undefined ? undefined : resume(situation);',
        replace: 'const open = undefined;',
      },
      { file: 'backward.ts', find: '    resume(situation) ?? {\n', replace: '    undefined ?? {\n' },
    ],
    profiles: [requests],
  },
  { name: 'the echo of a record not checked', weakness: 'echo not checked', profiles: [mixed] },
  {
    name: 'only the last of several late writes waited for',
    weakness: 'only the last late write is waited for',
    profiles: [lateWrites],
  },
  {
    name: 'a child that does not wait for its parent to release it',
    patches: [
      {
        file: 'ceiling.ts',
        find: 'return (released === true || version === undefined ? target : undefined) ?? version;',
        replace: 'return (released === undefined && version === undefined ? target : target) ?? version;',
      },
    ],
    profiles: [family],
  },
  {
    name: 'no slot asked for',
    patches: [{ file: 'forward.ts', find: '  if (gate !== undefined) return gate;\n', replace: '' }],
    profiles: [family],
  },
  {
    name: 'a critical section that does not hold',
    patches: [
      {
        file: 'forward.ts',
        find: 'effective.hold === undefined || target === undefined || isSame(version, target)',
        replace: 'effective.hold === undefined || target === undefined || version !== undefined',
      },
    ],
    profiles: [strangers],
    only: isPermissive,
  },
  {
    name: 'objects of unknown origin taken over by anybody',
    patches: [
      {
        file: 'permission.ts',
        find: 'return adopts.includes(UNKNOWN_VERSION) ||',
        replace: 'return version !== undefined || adopts.includes(UNKNOWN_VERSION) ||',
      },
    ],
    profiles: [strangers],
  },
];
