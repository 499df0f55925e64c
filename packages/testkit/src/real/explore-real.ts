// Plans on a real server, each compared with a fresh install there and with what the simulation made of it.
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import type { CheckName, Violation } from '../checks/check.ts';
import { violationsOf } from '../checks/index.ts';
import { masksOf } from '../explore/context.ts';
import type { ExploreOptions } from '../explore/exploration.ts';
import { describePlan, type Plan } from '../explore/plan.ts';
import { subjectOfPlan } from '../explore/replay.ts';
import { STANDARD_MASKS, type State } from '../explore/state.ts';
import { subjectsOf, type Subject } from '../explore/subject.ts';
import type { Aim } from './aims.ts';
import { ClusterError } from './cluster-error.ts';
import type { RealPorts } from './ports.ts';
import { runReal, type RealRun } from './run-real.ts';
import { whyNot } from './sense.ts';
import { sequenceDifference, sequenceOf } from './sequence.ts';
import type { Simulated } from './simulated.ts';
import { Stage } from './stage.ts';

export interface RealOptions extends Pick<ExploreOptions, 'objects' | 'edits' | 'masks' | 'config' | 'invariants'> {
  /** Namespaces that are made for the objects, and removed. */
  readonly namespaces: readonly string[];
  /** How long operators may take until everything is at rest, in real milliseconds. Default 60,000. */
  readonly patienceMs?: number;
  /** How long nothing may be written then, while the operator looks again each second. Default 2,200. */
  readonly quietMs?: number;
  /** The server goes away afterwards: nothing has to be removed from it. Default false. */
  readonly isDisposable?: boolean;
  /** Told before each plan. */
  readonly onPlan?: (plan: Plan, index: number) => void;
}

/** What came of a plan. */
export interface RealFinding {
  readonly plan: Plan;
  readonly violations: readonly Violation[];
  readonly run: RealRun;
}

export interface RealExploration {
  readonly package: string;
  /** Version of the server, such as `v1.35.4`. */
  readonly server: string;
  readonly seconds: number;
  /** Plans that were carried out. */
  readonly plans: readonly Plan[];
  /** Processes that were killed, and faults of all kinds that struck. */
  readonly kills: number;
  readonly faults: number;
  readonly findings: readonly RealFinding[];
  readonly notRun: readonly string[];
  readonly assumptions: readonly string[];
  /** What a person should know about the cluster. */
  readonly notes: readonly string[];
}

/**
 * Carries simulated plans out on a real server. Everything that is made there is removed in the end, unless the server itself goes away.
 *
 * @throws {ClusterError} if the cluster refuses what is needed, or all is called off by the signal
 */
export async function exploreReal(from: ProcedurePackage, simulated: readonly Simulated[], options: RealOptions, ports: RealPorts): Promise<RealExploration> {
  const { masks = [], namespaces, patienceMs = 60_000, quietMs = 2_200 } = options;
  const subjects = subjectsOf(from, options);
  const started = ports.clock.monotonic();
  const server = await versionOf(ports);
  const findings: RealFinding[] = [];
  const notRun: string[] = [];
  const done: Plan[] = [];
  let [kills, faults] = [0, 0];
  const stage = await Stage.open({ package: from, namespaces, ...everythingOf(subjects) }, ports);
  try {
    const fresh = new Map<string, State>();
    for (const [index, each] of simulated.entries()) {
      const { plan, aims } = each;
      const why = whyNot(plan, from);
      if (why !== undefined) {
        notRun.push(`${describePlan(plan)}: ${why}`);
        continue;
      }
      options.onPlan?.(plan, index);
      const subject = subjectOfPlan(subjects, plan);
      const context = { ...options, subject, stage, ports, patienceMs, quietMs, fresh, masks: [...masks, ...masksOf(subject)] };
      const run = await runReal(context, each);
      if (run.missed.length > 0) {
        notRun.push(`${describePlan(plan)}: ${run.missed.map(missedText).join('; ')}`);
        continue;
      }
      done.push(plan);
      kills += aims.filter(({ fault }) => fault.kind === 'crash').length;
      faults += aims.length;
      const violations = judged(each, run);
      if (violations.length > 0) findings.push({ plan, violations, run });
    }
    const seconds = (ports.clock.monotonic() - started) / 1_000;
    const assumptions = [...STANDARD_MASKS, ...masks.map(({ says }) => says), ...ASSUMPTIONS];
    return { package: from.name, server, seconds, plans: done, kills, faults, findings, notRun, assumptions, notes: stage.notes };
  } finally {
    await (options.isDisposable === true ? stage.leave() : stage.close());
  }
}

const ASSUMPTIONS: readonly string[] = [
  'writes are compared object by object, between two changes of the record in any order; reports of progress and writes that change nothing are left out',
  'a fault strikes where it struck in the simulation: at the same request of the same process, however many reports of progress came before',
];

/** Checks of what stands on the server and was sent to it. The others are about the inside of a process, or about its time. */
const CHECKED: ReadonlySet<CheckName> = new Set([
  'ends like a fresh install',
  'comes to rest',
  'stays quiet',
  'writes nothing when refused',
  'keeps the record consistent',
  'never goes back a version',
  'leaves no orphans',
  'deletes only what it may',
  'writes only its own objects',
  'behaves well under errors',
  'creates nothing twice',
  'keeps the invariants',
]);

/** What is wrong with the run itself, then where the simulation saw it otherwise. */
function judged(simulated: Simulated, { outcome }: RealRun): readonly Violation[] {
  const real = violationsOf(outcome).filter(({ check }) => CHECKED.has(check));
  const [there, here] = [namesOf(simulated.violations), namesOf(real)];
  const check: CheckName = 'differs from the simulation';
  const verdicts = [...new Set([...there, ...here])].flatMap((name): readonly Violation[] => {
    if (there.includes(name) === here.includes(name)) return [];
    return [{ check, says: here.includes(name) ? `“${name}” was violated here, and not in the simulation` : `“${name}” was violated in the simulation, and not here` }];
  });
  const difference = sequenceDifference(simulated.sequence, sequenceOf(outcome.history));
  return [...real, ...verdicts, ...(difference === undefined ? [] : [{ check, says: difference }])];
}

const namesOf = (violations: readonly Violation[]): readonly CheckName[] =>
  [...new Set(violations.map(({ check }) => check))].filter((check) => CHECKED.has(check));

const missedText = ({ at, nth, fault }: Aim): string =>
  `${fault.kind === 'watch' ? 'the event' : 'the request'} that the simulation met with the fault (${at}, number ${nth} of process ${fault.process}) never came`;

async function versionOf({ transport }: RealPorts): Promise<string> {
  const { status, body } = await transport.request({ method: 'GET', path: '/version' });
  if (status !== 200) throw new ClusterError(`the cluster answers ${status} when it is asked for its version`);
  return String((body as { readonly gitVersion?: string }).gitVersion);
}

function everythingOf(subjects: readonly Subject[]): Pick<Subject, 'objects' | 'collections' | 'actors'> {
  const collections = new Map(subjects.flatMap((subject) => subject.collections).map((one) => [`${one.apiVersion} ${one.kind}`, one]));
  return { objects: subjects[0]?.objects ?? [], collections: [...collections.values()], actors: [...new Set(subjects.flatMap(({ actors }) => actors))] };
}
