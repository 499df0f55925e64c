// All texts for people about versions: what was found, what would help, and the command to run. No counts of attempts and
// no ages: a text that changes by itself would rewrite status for ever.
import type { Decision } from '../versions/decision.ts';
import type { ProcedureSettings, Reason, RequestName, Requests } from '../versions/inputs.ts';
import type { RecordEntry } from '../versions/record.ts';
import { highest, isVersion } from '../versions/version.ts';
import { ANNOTATIONS, groupOf, requestAnnotation } from './names.ts';
import { refusalText, type RefusedChange } from './refusal-text.ts';

/** The object that a text is about. */
export interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

export interface MessageInput {
  readonly subject: Subject;
  readonly decision: Decision;
  readonly settings?: ProcedureSettings;
  readonly requests?: Requests;
  /** The first change that a dry run of the next version was refused. */
  readonly refused?: RefusedChange | undefined;
}

/** Facts of one text, spelled out. */
interface Facts {
  /** `Website shop/front`. */
  readonly it: string;
  /** `1.0.0 (complete, by web 1.0.0) and 2.0.0 (partly applied)`. */
  readonly traces: string;
  /** `1.0.0 and 1.2.0`. */
  readonly known: string;
  /** The newest applied version. */
  readonly top: string;
  readonly input: MessageInput;
  /** Why candidates may not act, one clause each. */
  readonly refusals: string;
  readonly command: (request: RequestName, value: string) => string;
}

/** `a, b and c`. */
function listed(items: readonly string[], none = 'nothing'): string {
  if (items.length < 2) return items[0] ?? none;
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}

/** `Kind namespace/name`, as people write it. */
export function subjectOf({ kind, name, namespace }: Subject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** The command by which a person makes a request. */
export function requestCommand(subject: Subject, request: RequestName, value: string): string {
  return `kubectl annotate ${resourceOf(subject)} --overwrite ${requestAnnotation(request)}=${value}`;
}

/** `website.example.com/front -n shop`, as kubectl takes it. */
function resourceOf({ apiVersion, kind, name, namespace }: Subject): string {
  const group = groupOf(apiVersion);
  const resource = group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  return `${resource}/${name}${namespace === undefined ? '' : ` -n ${namespace}`}`;
}

/** The sentence or two that explain a reason for one object. */
export function explainReason(reason: Reason, input: MessageInput): string {
  const applied = input.decision.effective?.applied ?? [];
  const { candidates } = input.decision;
  return TEXTS[reason]({
    it: subjectOf(input.subject),
    traces: listed(applied.map(traceOf)),
    known: listed(candidates.map(({ version }) => version)),
    top: highest(applied.map(({ version }) => version)) ?? 'unknown',
    refusals: listed([...new Set(candidates.flatMap(({ reasons }) => reasons))], ''),
    input,
    command: (request, value) => requestCommand(input.subject, request, value),
  });
}

function traceOf({ version, state, operator }: RecordEntry): string {
  const by = operator === undefined ? '' : `, by ${operator}`;
  return `${version} (${state === 'Complete' ? 'complete' : 'partly applied'}${by})`;
}

const needed = ({ input, top }: Facts): string => {
  const { decision } = input;
  const need = decision.kind === 'Blocked' || decision.kind === 'Hold' ? decision.need : undefined;
  return need?.operator?.version ?? top;
};
const permitted = ({ input: { decision } }: Facts): readonly string[] =>
  decision.kind === 'Blocked' ? decision.permitted : [];
const current = ({ input: { decision }, top }: Facts): string => (decision.kind === 'Run' ? decision.version : top);
const newest = ({ input: { decision } }: Facts): string => decision.candidates.at(-1)?.version ?? 'a version';
const next = ({ input: { decision } }: Facts): string => decision.available?.[0] ?? 'the next version';
const refused = ({ input }: Facts): string => (input.refused === undefined ? '' : ` ${refusalText(input.refused)}.`);
const planCommand = ({ input: { subject } }: Facts): string => `pawl plan ${resourceOf(subject)}`;
const pin = ({ input: { settings } }: Facts): string => `spec.procedure.version "${settings?.version ?? ''}"`;
const unreadable = ({ input: { requests = {} } }: Facts): string =>
  listed(
    (['rollback', 'approve', 'adopt'] as const).flatMap((name) => {
      const value = requests[name];
      return value === undefined || isVersion(value) ? [] : [`${requestAnnotation(name)}="${value}"`];
    }),
  );

/** What to remove so that what is left of the record counts: the record itself, or its copy. */
const unreadableRecord = ({ input: { subject, decision } }: Facts): string => {
  const object = resourceOf(subject);
  return decision.effective?.persisted === true
    ? `kubectl patch ${object} --subresource=status --type=merge -p '{"status":{"procedure":{"record":null}}}'`
    : `kubectl annotate ${object} ${ANNOTATIONS.mirror}-`;
};

const TEXTS: Readonly<Record<Reason, (facts: Facts) => string>> = {
  RecordTooNew: ({ it }) =>
    `The record of ${it} was written for newer operators than this one. Deploy the release that wrote it, or a newer one.`,
  RecordAmbiguous: (facts) =>
    `The record of ${facts.it} cannot be read: it names ${facts.traces}. Nothing is changed until it is correct. Correct it, or remove it, so that what else is known of the object counts: ${unreadableRecord(facts)}`,
  ManagedElsewhere: ({ it, input: { decision } }) => {
    const lease = decision.kind === 'Hold' ? (decision.need?.lease ?? 'another one') : 'another one';
    return `${it} is managed by another installation of the operator, which holds the Lease ${lease}. This one writes nothing about it. Stop one of the two, or give them different namespaces.`;
  },
  RecordNotPersisted: ({ it }) =>
    `The API server does not keep status.procedure of ${it} as it was written: its CustomResourceDefinition is older than this operator. Apply the definitions of this release.`,
  RestoreDetected: (facts) =>
    `${facts.it} came back from a backup, and its procedures own data. Make sure that the data found belongs to it, then run: ${facts.command('adopt', facts.top)}`,
  Paused: ({ it }) => `${it} is paused by spec.procedure.paused; nothing is changed until that field is gone.`,
  PinnedVersionUnknown: (facts) =>
    `${pin(facts)} names no version that this operator knows; it knows ${facts.known}. Name one of them, or deploy an operator that has it.`,
  NothingInstallable: (facts) =>
    `No version may be installed for ${facts.it}; this operator knows ${facts.known}. Widen spec.procedure.version, deploy another release, or run: ${facts.command('retry', 'now')}`,
  HeldBack: (facts) => {
    const { settings, requests } = facts.input;
    const held = `holds ${facts.it} at ${current(facts)} while this operator knows ${newest(facts)}`;
    if (settings?.version !== undefined) return `${pin(facts)} ${held}. Change that field to let it go on.`;
    if (requests?.rollback !== undefined)
      return `The request ${requestAnnotation('rollback')}="${requests.rollback}" ${held}. Remove that annotation to let it go on.`;
    return `An earlier rollback ${held}. To let it go on, run: ${facts.command('approve', newest(facts))}`;
  },
  HeldByAction: ({ it }) => `An Action of ${it} is in a critical section; the version changes when it has left it.`,
  Avoided: (facts) =>
    `${facts.it} was rolled back, and what could act on it now is what the rollback left. To forget the rollback, run: ${facts.command('retry', 'now')}`,
  AdoptRefused: (facts) =>
    `The request to adopt ${facts.it} is refused: the version must be in this operator (${facts.known}), not older than ${facts.top}, and not behind a point of no return. ${facts.refusals}`.trimEnd(),
  NoPathToNewest: (facts) =>
    `${facts.it} stays at ${current(facts)}: no way leads from there to ${newest(facts)}. ${facts.refusals}`.trimEnd(),
  DowngradeRefused: (facts) =>
    `${facts.it} holds ${facts.traces}; this operator knows ${facts.known} and is older. Deploy an operator that contains ${needed(facts)}. Nothing is changed until then.`,
  RollbackNotRequested: (facts) => {
    const [version = facts.known] = permitted(facts).slice(-1);
    return `${facts.it} holds ${facts.traces}, which permits ${listed(permitted(facts), 'an older version')} to act, but nobody asked to go back. Deploy an operator that contains ${needed(facts)}, or run: ${facts.command('rollback', version)}`;
  },
  RollbackNotPermitted: (facts) =>
    `The request to go back to ${facts.input.requests?.rollback ?? 'an older version'} is refused; ${facts.it} is kept at ${current(facts)}. ${facts.refusals}`.trimEnd(),
  RollbackUnfinished: (facts) =>
    `${facts.it} is half way back to ${needed(facts)} and holds ${facts.traces}; this operator knows ${facts.known}. Deploy an operator that contains ${needed(facts)}, or turn round to a version that supersedes all of it: ${facts.command('approve', newest(facts))}`,
  RequestNotUnderstood: (facts) =>
    `A request on ${facts.it} is no version and is ignored: ${unreadable(facts)}. Name a full version such as ${facts.top === 'unknown' ? newest(facts) : facts.top}.`,
  Stranded: (facts) =>
    `${facts.it} holds ${facts.traces}, which no version of this operator (${facts.known}) accepts. Deploy an operator that contains ${needed(facts)} or accepts it; to take the risk instead, run: ${facts.command('adopt', newest(facts))}`,
  StrandedMidUpgrade: (facts) =>
    `${facts.it} holds ${facts.traces}, and no version of this operator (${facts.known}) finishes or supersedes that. Deploy an operator that contains ${needed(facts)}; to take the risk instead, run: ${facts.command('adopt', newest(facts))}`,
  DeletionBlocked: (facts) =>
    `${facts.it} cannot be taken down: it holds ${facts.traces}, which only an operator with ${needed(facts)} may remove. Deploy it, or delete by label alone: ${facts.command('force-delete', 'inventory')}`,
  Settling: ({ it }) => `Late writes of a former leader could still reach the objects of ${it}; they are waited for.`,
  Soaking: (facts) =>
    `${current(facts)} of ${facts.it} runs and can still be rolled back; it passes its point of no return later. To let it do so now, run: ${facts.command('approve', current(facts))}`,
  Gone: ({ it }) => `${it} is gone as far as this operator is concerned.`,
  ApprovalRequired: (facts) =>
    `${next(facts)} waits for an approval of ${facts.it} (spec.procedure.policy is Manual). To approve it, run: ${facts.command('approve', next(facts))}`,
  PreconditionNotMet: (facts) => `A precondition of ${next(facts)} is not met for ${facts.it}; it is checked again.`,
  NotSettled: (facts) =>
    `${next(facts)} begins when ${current(facts)} has established the newest generation of ${facts.it}.`,
  PreflightFailed: (facts) =>
    `A dry run of ${next(facts)} for ${facts.it} was refused by the API server, so nothing was begun.${refused(facts)} To see all that it would do, run: ${planCommand(facts)}`,
  ImmutableFieldChange: (facts) =>
    `${next(facts)} would change a field of an object of ${facts.it} that cannot be changed in place, so nothing was begun.${refused(facts)} Its Action must declare what to do instead (immutable), or keep the field. To see all that it would do, run: ${planCommand(facts)}`,
  ParentSkew: ({ it }) => `${it} follows the object that it belongs to, which has not released it yet.`,
  WaitingForSlot: ({ it }) => `${it} waits: as many objects as allowed are being moved to another version.`,
  FleetHalted: ({ it }) =>
    `${it} waits: several objects did not get through, so no further one is begun. Look at the stalled ones first.`,
};

/** How much a prune would delete, and the hash of exactly that set. */
export interface PruneCount {
  readonly hash: string;
  readonly count: number;
  /** All that is owned. */
  readonly of: number;
}

/** Why a prune waits, and the command that releases it. */
export function prunedTooMuch(subject: Subject, { hash, count, of }: PruneCount): string {
  return `${count} of ${of} objects of ${subjectOf(subject)} would be deleted, more than is done without a person's word. To release exactly these, run: ${requestCommand(subject, 'approve-prune', hash)}`;
}
