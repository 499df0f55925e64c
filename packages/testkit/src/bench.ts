// Measures exploring: crash runs a second, and how they grow with what is explored. Prints nothing itself.
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

/** What is explored. */
export interface BenchShape {
  /** Actions in a row, each with a ConfigMap. */
  readonly children: number;
  /** Reconciled objects; each has all the children. Default 1. */
  readonly owners?: number;
  /** Of the catalog; each takes over from the one before. Default 1. */
  readonly versions?: number;
}

/** A package of this shape. */
export function bundleOf({ children, owners = 1, versions = 1 }: BenchShape): ProcedurePackage {
  const forBundles = proceduresFor<KubernetesContext<Bundle>>();
  const actions: Action<KubernetesContext<Bundle>, unknown>[] = [];
  for (let index = 0; index < children; index += 1) {
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
  const first = forBundles.defineProcedure({ version: '1.0.0', minVersion: '0.0.1', actions });
  const procedures = [first];
  for (let version = 2; version <= versions; version += 1)
    procedures.push(forBundles.deriveProcedure(procedures.at(-1) ?? first, { version: `${version}.0.0` }));
  const catalog = defineCatalog(Bundles, procedures);
  const schema = { type: 'object', properties: { text: { type: 'string' } } } as const;
  return definePackage({
    name: 'bench',
    kinds: [catalog],
    crds: [crdFor(Bundles, { spec: schema })],
    examples: Array.from({ length: owners }, (_, index) => ({
      apiVersion: 'bench.pawl.dev/v1',
      kind: 'Bundle',
      metadata: { name: `bundle-${index + 1}`, namespace: 'default' },
      spec: { text: 'x' },
    })),
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
export async function benchCrashes(shape: BenchShape, forMs: number): Promise<BenchRow> {
  const [subject] = subjectsOf(bundleOf(shape), {});
  if (subject === undefined) throw new Error('the bench has no object');
  const context = createContext(subject, { seed: 1, masks: [], invariants: [] });
  const newest = subject.versions.at(-1) ?? '1.0.0';
  const story = installOf(newest);
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
        await execute(after(context, story, point, [{ release: { upTo: newest } }], reference));
        runs += 1;
      }
    const { user, system } = process.cpuUsage(cpu);
    return { runs, seconds: (now() - started) / 1_000, cpuSeconds: (user + system) / 1e6 };
  };
  await lap(forMs / 2);
  const { runs, seconds, cpuSeconds } = await lap(forMs);
  const writes = reference.counts.get(1)?.writes ?? 0;
  return { name: nameOf(shape), writes, runs, runsPerSecond: runs / seconds, runsPerCpuSecond: runs / cpuSeconds };
}

/** What grows, one at a time, from a shape in the middle. */
const GROWTH: readonly BenchShape[] = [
  ...[1, 5, 15, 30].map((children) => ({ children })),
  ...[2, 5].map((owners) => ({ children: 5, owners })),
  ...[2, 4, 8].map((versions) => ({ children: 5, versions })),
];

/** Crash runs a second for each of the shapes, measured for so long each. */
export async function benchGrowth(forMs: number): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const shape of GROWTH) rows.push(await benchCrashes(shape, forMs));
  return rows;
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
const nameOf = ({ children, owners = 1, versions = 1 }: BenchShape): string =>
  `${children} ${children === 1 ? 'child' : 'children'} of ${plural(owners, 'object')}, ${plural(versions, 'version')}`;
