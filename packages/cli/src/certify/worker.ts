// Certifying in a thread of its own, as exploring.
import { loadPackages } from '@pawl/operator';
import { certificateFiles, certify, failureText, parsePlan, readReleased, replayPlan, samplesOf, type Certificate, type Verdict } from '@pawl/testkit';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import type { ExploreSettings } from '../explore/explore-settings.ts';
import { stateOptions } from '../explore/states.ts';
import { serve, type ThreadSide } from '../explore/thread-side.ts';
import { faultsOf, InputError } from '../input-error.ts';

/** Plain data for the thread. */
export interface CertifyWork {
  readonly explored: ExploreSettings;
  readonly released: { readonly reference: string; readonly folder: string; readonly title: string };
  readonly nowMs: number;
  /** The command that replays a plan, up to the folder that its file is in. */
  readonly replay: string;
}

/** What came of it. */
export interface Certified {
  readonly exitCode: number;
  /** For people. */
  readonly text: string;
  /** Name to content. */
  readonly files: Readonly<Record<string, string>>;
}

const EXIT_CODES: Readonly<Record<Verdict, number>> = { pass: 0, violation: 1, incomplete: 3 };

async function work({ explored, released, nowMs, replay }: CertifyWork, { isAt, watching }: ThreadSide): Promise<Certified> {
  isAt('loading the packages');
  const current = await load(explored.package, explored.folder, '--package');
  const against = await loadReleased(released);
  const { objects, edits, modes, seed, budgetMs } = explored;
  const options = {
    ...(objects === undefined ? {} : { objects }),
    ...(modes === undefined ? {} : { modes }),
    ...(await stateOptions(explored.states, current)),
    ...watching,
    edits,
    seed,
    budgetMs,
  };
  if (explored.replay !== undefined) {
    const failure = await replayPlan(current, parsePlan(explored.replay), { ...options, against, objects: objects ?? samplesOf(current, against) });
    return { exitCode: failure === undefined ? 0 : 1, text: failure === undefined ? 'nothing found\n' : `${failureText(failure)}\n`, files: {} };
  }
  const fileOf = (index: number): string => `pawl-failure-${index + 1}.json`;
  const certificate = await certify(current, {
    ...options,
    against,
    release: released.title,
    nowMs,
    onStep: isAt,
    replayCommand: (_failure, index) => `${replay}/${fileOf(index)}`,
  });
  const plans = certificate.exploration.failures.map(({ plan }, index) => [fileOf(index), `${JSON.stringify(plan, null, 2)}\n`] as const);
  return { exitCode: EXIT_CODES[certificate.verdict], text: summary(certificate), files: { ...certificateFiles(certificate), ...Object.fromEntries(plans) } };
}

/** As this copy of the engine understands it. */
async function loadReleased({ reference, folder, title }: CertifyWork['released']): Promise<ProcedurePackage> {
  const loaded = await load(reference, folder, '--against');
  try {
    return readReleased(loaded, title);
  } catch (error) {
    throw new InputError((faultsOf(error) ?? [String(error)]).map((fault) => `--against: found ${fault}`));
  }
}

/** The faults of loading speak of the flag that they are about. */
async function load(reference: string, folder: string, flag: string): Promise<ProcedurePackage> {
  try {
    const [loaded] = await loadPackages([reference], folder);
    if (loaded !== undefined) return loaded;
  } catch (error) {
    const faults = faultsOf(error);
    if (faults === undefined) throw error;
    throw new InputError(faults.map((fault) => fault.replace(/^procedures:/, `${flag}:`)));
  }
  throw new InputError([`${flag}: found ${reference}, which cannot be loaded`]);
}

function summary({ package: name, against, verdict, reasons, exploration: { runs, crashPoints, seconds } }: Certificate): string {
  return [
    `${name} against ${against.release}: ${verdict} in ${runs} runs with ${crashPoints} crash points, ${seconds.toFixed(1)} s`,
    ...reasons.map((reason) => `  ${reason}`),
    '',
  ].join('\n');
}

serve(work);
