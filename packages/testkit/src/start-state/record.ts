// Making states from outside: what a version leaves when its operator is killed at every write, and in the end.
import { canonicalJson } from '@pawl/reconciler';
import { ANNOTATIONS, LABELS, type KubernetesObject, type ProcedureCatalog, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { createContext, type Context } from '../explore/context.ts';
import { installOf, planOf, upgradeOf, type Story } from '../explore/crash-modes.ts';
import { edgesOf } from '../explore/edges.ts';
import { runPlan } from '../explore/run-plan.ts';
import { keyOf, recordOf } from '../explore/state.ts';
import { packageOfCatalog, subjectsOf, type Subject, type SubjectOptions } from '../explore/subject.ts';
import type { Snapshot } from '../world/world.ts';
import type { StartState } from './start-state.ts';

export interface RecordOptions extends SubjectOptions {
  /** Default 1. */
  readonly seed?: number;
  /** The versions whose states are wanted. Default: all of the catalog. */
  readonly versions?: readonly string[];
  /** Default `all`. */
  readonly moments?: Moments;
}

/**
 * Which states of a story are wanted. `all`: what each write leaves. `stages`: of those, the last with the same objects
 * and the same versions in the records. `ends`: only what is there when the operator has come to rest.
 */
export const MOMENTS = ['all', 'stages', 'ends'] as const;
export type Moments = (typeof MOMENTS)[number];

/**
 * The states that versions leave: of their install, and of every declared upgrade to them. Each distinct state once; the
 * same package and seed give the same states under the same names, such as `1.0.0/install-end`.
 *
 * @throws Error if there is no sample object, or a version does not come to rest
 */
export async function recordStates(target: ProcedureCatalog | ProcedurePackage, options: RecordOptions = {}): Promise<readonly StartState[]> {
  const from = 'kinds' in target ? target : packageOfCatalog(target);
  const { seed = 1, versions, moments = 'all' } = options;
  const subjects = subjectsOf(from, options);
  const states: StartState[] = [];
  for (const subject of subjects) {
    const prefix = subjects.length > 1 ? `${subject.catalog.resource.kind.toLowerCase()}-` : '';
    const context = createContext(subject, { seed, masks: [], invariants: [] });
    for (const version of subject.versions) {
      if (versions !== undefined && !versions.includes(version)) continue;
      states.push(...(await statesOf(context, version, moments, (name) => `${version}/${prefix}${name}`)));
    }
  }
  return states;
}

async function statesOf(context: Context, version: string, moments: Moments, nameOf: (name: string) => string): Promise<readonly StartState[]> {
  const upgrades = edgesOf(context.subject).filter(({ to, isDirect }) => isDirect && to === version);
  const stories: readonly (readonly [string, Story])[] = [
    ['install', installOf(version)],
    ...upgrades.toReversed().map((edge) => [`upgrade-from-${edge.from}`, upgradeOf(edge)] as const),
  ];
  const kept = new Map<string, StartState>();
  for (const [title, story] of stories) {
    const run = await runPlan(context, planOf(context, story), { capture: 0 });
    if (!run.outcome.isAtRest) throw new Error(`${story.edge}: does not come to rest, so there is nothing to record: ${run.outcome.standing.join('; ')}`);
    const stages = new Map<string, StartState>();
    const take = (snapshot: Snapshot, name: string, says: string): StartState => ({
      name: nameOf(`${title}-${name}`),
      says: `${story.edge}, ${says}`,
      package: context.subject.package.name,
      ...stateIn(context.subject, snapshot),
    });
    // The end first: of equal states it has the plainer name.
    const end = take(run.finalSnapshot, 'end', 'at rest');
    stages.set(moments === 'stages' ? stageOf(end) : contentOf(end), end);
    for (const { write, moment, snapshot } of moments === 'ends' ? [] : run.points) {
      const when = moment === 'before' ? 'before' : 'right after';
      const state = take(snapshot, `${moment}-write-${String(write).padStart(2, '0')}`, `killed ${when} write ${write}`);
      const key = moments === 'stages' ? stageOf(state) : contentOf(state);
      if (stages.get(key) !== end && (moments === 'stages' || !stages.has(key))) stages.set(key, state);
    }
    for (const state of stages.values()) if (!kept.has(contentOf(state))) kept.set(contentOf(state), state);
  }
  return [...kept.values()];
}

/** What belongs to the package and what was there before; what controllers of the cluster have made, they make again. */
function stateIn({ collections, surroundings }: Subject, { api, nowMs, externals }: Snapshot): Pick<StartState, 'takenAt' | 'objects' | 'externals'> {
  const owners = new Set(collections.filter(({ isOwner }) => isOwner).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  const isAround = ({ apiVersion, kind, metadata }: KubernetesObject): boolean =>
    surroundings.some(
      (one) => one.apiVersion === apiVersion && one.kind === kind && one.metadata.name === metadata.name && (one.metadata.namespace ?? metadata.namespace) === metadata.namespace,
    );
  const isKept = (object: KubernetesObject): boolean =>
    owners.has(`${object.apiVersion} ${object.kind}`) || object.metadata.labels?.[LABELS.owner] !== undefined || isAround(object);
  const objects = api.objects() as readonly unknown[] as readonly KubernetesObject[];
  return {
    takenAt: new Date(nowMs).toISOString(),
    ...(Object.keys(externals).length === 0 ? {} : { externals }),
    objects: objects.filter(isKept),
  };
}

/** Equal for states that differ in revisions, uids and times alone. */
function contentOf({ objects, externals = {} }: StartState): string {
  return canonicalJson([objects.map(withoutNames), externals]);
}

/** Equal for states with the same objects and the same versions in the records. */
function stageOf({ objects }: StartState): string {
  return canonicalJson(
    objects.map((object) => {
      const { target, applied = [] } = recordOf(object) ?? {};
      return [keyOf(object), target, applied.map(({ version, state }) => `${version} ${state}`)];
    }),
  );
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function withoutNames(object: KubernetesObject): unknown {
  const text = JSON.stringify(object, (key, value: unknown) => {
    if (key === 'resourceVersion' || key === 'uid' || key === ANNOTATIONS.ownerUid) return undefined;
    return typeof value === 'string' && TIME.test(value) ? 'a time' : value;
  });
  return JSON.parse(text) as unknown;
}
