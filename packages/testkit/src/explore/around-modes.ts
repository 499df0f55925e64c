// Exploring by what others do: parts of the cluster that stand still, people and programs that meddle with objects, and
// webhooks that deny or change what is written.
import type { ActorName } from '@pawl/kube-api';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { partsOfPath } from '../world/api-paths.ts';
import type { AdmissionAnswer, Fault, Meddling, Stage } from '../world/faults.ts';
import type { RequestEvent } from '../world/history.ts';
import { additionsTo } from '../world/webhook.ts';
import type { Context } from './context.ts';
import { planOf, tell, type Story } from './crash-modes.ts';
import { storiesOf, upTo } from './fault-modes.ts';
import type { Mode } from './job.ts';
import type { Run } from './run-plan.ts';
import { collectionPath, isOwned } from './state.ts';
import { isExplored } from './subject.ts';

const STALL_MS = 12 * 60_000;
/** With which part of a cluster there is a stage that may stand still. */
const STAGES: Readonly<Record<Stage, readonly ActorName[]>> = {
  pods: ['pod'],
  node: ['pod'],
  rollout: ['deployment', 'replicaSet', 'statefulSet', 'daemonSet', 'job'],
  claims: ['volume'],
};
const MEDDLING: readonly Meddling[] = ['deletes', 'edits', 'takes'];
const ANSWERS: readonly AdmissionAnswer[] = ['denies-403', 'denies-422', 'times-out', 'adds-label', 'adds-default', 'adds-sidecar'];

/** What people do to objects that are at rest, parts of the cluster that stand still, and what people do at every write. */
export const clusterMode: Mode = async (context, execute, isOver) => {
  for (const story of [...storiesOf(context), deletionOf(context)]) {
    const run = await tell(context, execute, story);
    const meddling = await meddlingIn(context, story, run);
    const isAtRest = (fault: Fault): boolean => 'write' in fault && fault.write === 0;
    for (const fault of [...meddling.filter(isAtRest), ...stallsIn(context, run), ...meddling.filter((one) => !isAtRest(one))]) {
      if (isOver()) return;
      await execute({ plan: planOf(context, story, [], [fault]), options: {}, edge: story.edge });
    }
  }
};

/** Each write of a child once meets a webhook. */
export const admissionMode: Mode = async (context, execute, isOver) => {
  for (const story of storiesOf(context)) {
    const run = await tell(context, execute, story);
    for (const answer of ANSWERS)
      for (const { write = 0 } of childWritesIn(context, run).filter((event) => fits(event, answer))) {
        if (isOver()) return;
        const fault: Fault = { kind: 'admission', process: 1, write, answer };
        await execute({ plan: planOf(context, story, [], [fault]), options: {}, edge: story.edge });
      }
  }
};

function deletionOf({ subject }: Context): Story {
  const newest = subject.versions.at(-1) ?? '';
  return { edge: `deletion of ${newest}`, start: newest, deed: { does: 'delete' }, release: newest };
}

const writesIn = (run: Run): number => run.counts.get(1)?.writes ?? 0;

/** The stages that this cluster has, each standing still from every write on. */
function stallsIn({ subject }: Context, run: Run): readonly Fault[] {
  const stages = (Object.keys(STAGES) as Stage[]).filter((stage) => STAGES[stage].some((actor) => subject.actors.includes(actor)));
  return stages.flatMap((stage) => upTo(writesIn(run)).map((write): Fault => ({ kind: 'cluster', process: 1, write, stage, forMs: STALL_MS })));
}

async function meddlingIn(context: Context, story: Story, run: Run): Promise<readonly Fault[]> {
  const owners = ownersOf(context);
  const there = await childrenByWrite(context, story, run);
  const isGoing = story.deed.does === 'delete';
  const moments = [...(isGoing ? [] : [0]), ...upTo(writesIn(run))];
  const person = (does: Meddling, write: number, object: string): Fault => ({ kind: 'person', process: 1, write, does, object });
  return moments.flatMap((write) => [
    ...(there.get(write) ?? []).flatMap((object) => MEDDLING.map((does) => person(does, write, object))),
    ...owners.map((object) => person('unfinalizes', write, object)),
  ]);
}

function ownersOf({ subject }: Context): readonly string[] {
  const { plural, namespaced } = subject.catalog.resource;
  return subject.objects
    .filter((object) => isExplored(subject, object))
    .map(({ apiVersion, metadata }) => `${collectionPath({ apiVersion, plural }, namespaced ? (metadata.namespace ?? 'default') : undefined)}/${metadata.name}`);
}

/** Paths of the children that are there right before each write; under 0 those that are there in the end. */
async function childrenByWrite(context: Context, { start }: Story, run: Run): Promise<ReadonlyMap<number, readonly string[]>> {
  const { collections } = context.subject;
  const there = new Set<string>();
  const pathOf = ({ apiVersion, kind, metadata }: KubernetesObject): string => {
    const plural = collections.find((known) => known.apiVersion === apiVersion && known.kind === kind)?.plural ?? '';
    return `${collectionPath({ apiVersion, plural }, metadata.namespace)}/${metadata.name}`;
  };
  const children = start === undefined ? [] : [...(await context.peace(start)).state.values()].filter(isOwned);
  for (const child of children) there.add(pathOf(child));
  const byWrite = new Map<number, readonly string[]>();
  for (const event of run.outcome.history) {
    if (event.type !== 'request' || event.write === undefined) continue;
    byWrite.set(event.write, [...there]);
    const [bare = ''] = event.path.split('?');
    if (event.committed && isChild(context, event)) {
      if (event.method === 'DELETE') there.delete(bare);
      else there.add(bare);
    }
  }
  return byWrite.set(0, [...there]);
}

/** Whether a write is of an object that the package owns, itself and not its status. */
function isChild({ subject }: Context, { path, method, after, before }: RequestEvent): boolean {
  const parts = partsOfPath(path);
  const isOwner = subject.collections.some(({ isOwner: owner, plural }) => owner && plural === parts?.plural);
  const object = (method === 'DELETE' ? before : after) as KubernetesObject | undefined;
  return !isOwner && parts?.name !== undefined && parts.subresource === undefined && object !== undefined && isOwned(object);
}

const childWritesIn = (context: Context, run: Run): readonly RequestEvent[] =>
  run.outcome.history.filter((event): event is RequestEvent => event.type === 'request' && event.write !== undefined && event.committed && isChild(context, event));

/** Whether a webhook has anything to add to what was written. */
function fits({ method, after }: RequestEvent, answer: AdmissionAnswer): boolean {
  if (!answer.startsWith('adds')) return true;
  return method !== 'DELETE' && additionsTo(after as Readonly<Record<string, unknown>>, answer).length > 0;
}
