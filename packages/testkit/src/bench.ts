// Measures exploring: crash runs a second over a procedure with a given number of objects. Prints nothing itself.
import { done, proceduresFor, type Action } from '@pawl/reconciler';
import {
  ConfigMaps,
  crdFor,
  defineCatalog,
  definePackage,
  defineResource,
  type CustomResource,
  type KubernetesContext,
  type ProcedurePackage,
} from '@pawl/reconciler/kubernetes';
import { violationsOf } from './checks/index.ts';
import { createContext } from './explore/context.ts';
import { after, installOf, tell } from './explore/crash-modes.ts';
import { now } from './explore/stopwatch.ts';
import { runPlan } from './explore/run-plan.ts';
import { subjectsOf } from './explore/subject.ts';

interface Bundle extends CustomResource<'bench.pawl.dev/v1', 'Bundle', { readonly text: string }> {}
const Bundles = defineResource<Bundle>({ apiVersion: 'bench.pawl.dev/v1', kind: 'Bundle', plural: 'bundles' });

/** A procedure of so many Actions in a row, each with a ConfigMap. */
export function bundleOf(objects: number): ProcedurePackage {
  const forBundles = proceduresFor<KubernetesContext<Bundle>>();
  const actions: Action<KubernetesContext<Bundle>, unknown>[] = [];
  for (let index = 0; index < objects; index += 1) {
    const [before] = actions.slice(-1);
    actions.push(
      forBundles.defineAction({
        name: `Stored${index}`,
        owns: { configMaps: ConfigMaps },
        ...(before === undefined ? {} : { requires: { before } }),
        run: async ({ object, cluster }) => {
          await cluster.configMaps.apply({ metadata: { name: `${object.metadata.name}-${index}` }, data: { text: object.spec.text } });
          return done();
        },
      }),
    );
  }
  const catalog = defineCatalog(Bundles, [forBundles.defineProcedure({ version: '1.0.0', minVersion: '0.0.1', actions })]);
  const schema = { type: 'object', properties: { text: { type: 'string' } } } as const;
  return definePackage({
    name: 'bench',
    kinds: [catalog],
    crds: [crdFor(Bundles, { spec: schema })],
    examples: [{ apiVersion: 'bench.pawl.dev/v1', kind: 'Bundle', metadata: { name: 'one', namespace: 'default' }, spec: { text: 'x' } }],
  });
}

export interface BenchRow {
  readonly name: string;
  readonly writes: number;
  readonly runs: number;
  readonly runsPerSecond: number;
  readonly runsPerCpuSecond: number;
}

/** Crash runs of an install, each from its snapshot to the end and checked, for so long. */
export async function benchCrashes(objects: number, forMs: number): Promise<BenchRow> {
  const [subject] = subjectsOf(bundleOf(objects), {});
  if (subject === undefined) throw new Error('the bench has no object');
  const context = createContext(subject, { seed: 1, masks: [], invariants: [] });
  const story = installOf('1.0.0');
  const execute = async ({ plan, options }: Parameters<Parameters<typeof tell>[1]>[0]) => {
    const run = await runPlan(context, plan, options);
    const [fault] = violationsOf(run.outcome);
    if (fault !== undefined) throw new Error(`the bench found a fault: ${fault.says}`);
    return run;
  };
  const reference = await tell(context, execute, story);
  const lap = async (ms: number): Promise<{ readonly runs: number; readonly seconds: number; readonly cpuSeconds: number }> => {
    const [started, cpu] = [now(), process.cpuUsage()];
    let runs = 0;
    while (now() - started < ms)
      for (const point of reference.points) {
        await execute(after(context, story, point, [{ release: { upTo: '1.0.0' } }], reference));
        runs += 1;
      }
    const { user, system } = process.cpuUsage(cpu);
    return { runs, seconds: (now() - started) / 1_000, cpuSeconds: (user + system) / 1e6 };
  };
  await lap(forMs / 2);
  const { runs, seconds, cpuSeconds } = await lap(forMs);
  const writes = reference.counts.get(1)?.writes ?? 0;
  return { name: `${objects} objects`, writes, runs, runsPerSecond: runs / seconds, runsPerCpuSecond: runs / cpuSeconds };
}
