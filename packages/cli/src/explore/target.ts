// `pawl explore --target`: plans on a real API server, behind a proxy that injects their faults, and beside the simulation.
import { loadPackages, systemRandom } from '@pawl/operator';
import { describePlan, exploreReal, realJson, realText, relocated, type RealExploration } from '@pawl/testkit';
import { InputError } from '../input-error.ts';
import type { Ports } from '../ports.ts';
import type { ExploreSettings } from './explore-settings.ts';
import { stateOptions } from './states.ts';
import { operatorStarter } from './target-operator.ts';
import { openTarget } from './target-server.ts';
import type { TargetSettings } from './target-settings.ts';
import type { SimulatedSample } from './target-worker.ts';
import { runInThread } from './thread.ts';

export interface TargetOutcome {
  readonly exploration: RealExploration;
  /** Nothing was found, and there was something to be found. */
  readonly isFine: boolean;
}

/**
 * @throws {InputError} for bad packages and objects, for clusters that cannot be used, and when it is called off
 */
export async function exploreTarget(given: ExploreSettings, target: TargetSettings, ports: Ports): Promise<TargetOutcome> {
  const [from] = await loadPackages([given.package], given.folder);
  if (from === undefined) throw new InputError([`--package: found ${given.package}, which cannot be loaded`]);
  const name = `pawl-explore-${Buffer.from(systemRandom.bytes(4)).toString('hex')}`;
  const { objects, namespaces } = relocated(given.objects ?? from.examples, from, name);
  // Objects of the whole cluster have no namespace to keep to.
  const isKept = from.kinds.every(({ resource }) => resource.namespaced);
  const config = { ...given.states.config, ...(isKept ? { namespaces } : {}) };
  const settings = { ...given, objects, states: { ...given.states, config } };
  const stopping = new AbortController();
  const stopListening = ports.onStop(() => stopping.abort(new InputError(['it was called off; what was made in a cluster was removed'])));
  const server = await openTarget(target, ports);
  const folder = await ports.files.makeTemporaryFolder('pawl-explore-');
  try {
    const isWatched = settings.output === 'text';
    const thread = { module: './target-worker', base: import.meta.url, settings: { settings, target }, isWatched };
    const { simulated, leftOut } = await runInThread<SimulatedSample>(thread, ports);
    const options = {
      ...(await stateOptions(settings.states, from)),
      objects,
      namespaces,
      edits: settings.edits,
      patienceMs: target.patienceMs,
      isDisposable: target.target === 'control-plane',
      onPlan: showPlan(simulated.length, isWatched, ports),
    };
    const startOperator = operatorStarter({ folder, package: given.package, packageFolder: given.folder }, ports);
    const real = { clock: ports.clock, random: systemRandom, transport: server.transport, startOperator, signal: stopping.signal };
    const exploration = await exploreReal(from, simulated, options, real);
    if (isWatched && ports.terminal.isInteractive) ports.terminal.write('\r');
    const whole = { ...exploration, notRun: [...exploration.notRun, ...leftOut] };
    return { exploration: whole, isFine: whole.findings.length === 0 && whole.plans.length > 0 };
  } finally {
    stopListening();
    await server.close();
    await ports.files.removeFolder(folder);
  }
}

/** The report as it was asked for. */
export function targetReport(exploration: RealExploration, output: ExploreSettings['output']): string {
  return output === 'json' ? `${JSON.stringify(realJson(exploration), null, 2)}\n` : realText(exploration);
}

function showPlan(count: number, isWatched: boolean, { terminal }: Ports): NonNullable<Parameters<typeof exploreReal>[2]['onPlan']> {
  return (plan, index) => {
    if (!isWatched || !terminal.isInteractive) return;
    const width = terminal.columns() - 1;
    terminal.write(`\r${`${index + 1} of ${count}: ${describePlan(plan)}`.slice(0, width).padEnd(width)}`);
  };
}
