// Carries out the steps of a decision, and takes every answer into the view, so that the next decision sees it.
import { isObject } from '../../json.ts';
import type { Client } from './client.ts';
import { isLive, RequestFailed } from './client.ts';
import type { Cluster } from './cluster.ts';
import type { Kind } from './kind.ts';
import { apiVersionOf, collectionPath, objectPath } from './kind.ts';
import type { Live } from './model.ts';
import type { Step } from './step.ts';
import type { Change } from './store.ts';

/** What carrying out steps needs. `changed` hears of every change that an answer brings into the view. */
export interface PerformOptions {
  readonly client: Client;
  readonly cluster: Cluster;
  readonly changed: (kind: Kind, change: Change) => void;
}

const MERGE_PATCH = 'application/merge-patch+json';

/** How steps went: `outdated` asks for another decision at once, `awaited` means that only events will tell. */
export type Performed = 'done' | 'outdated' | 'awaited';

/**
 * Carries out the steps in order. It ends early, with `outdated`, as soon as the server shows that the decision was
 * made on an outdated view; the view is corrected then.
 * @throws RequestFailed for any other refusal.
 */
export async function perform(steps: readonly Step[], options: PerformOptions): Promise<Performed> {
  for (const step of steps) {
    try {
      if (!(await performOne(step, options))) return 'outdated';
    } catch (error) {
      if (step.step === 'create' && step.once === true) continue;
      if (!(error instanceof RequestFailed) || (error.status !== 404 && error.status !== 409)) throw error;
      if (!(await correct(step, options))) throw error;
      return 'outdated';
    }
  }
  return steps.some(({ step }) => step === 'bind' || step === 'clear') ? 'awaited' : 'done';
}

async function performOne(step: Step, options: PerformOptions): Promise<boolean> {
  const { client } = options;
  switch (step.step) {
    case 'create': {
      const kind = mustKnow(options, step.object);
      take(options, kind, await client.send('POST', collectionPath(kind, step.object.metadata.namespace), step.object));
      return true;
    }
    case 'patch': {
      const kind = mustKnow(options, step.target);
      const path = objectPath(kind, step.target.metadata, step.subresource);
      takeUnlessDeleted(options, kind, await client.send('PATCH', path, step.patch, MERGE_PATCH), step.target);
      return true;
    }
    case 'delete': {
      const kind = mustKnow(options, step.target);
      const answer = await client.send('DELETE', objectPath(kind, step.target.metadata), deleteOptions(step));
      takeUnlessDeleted(options, kind, answer, step.target);
      return true;
    }
    case 'bind': {
      const { name, namespace, uid } = step.target.metadata;
      const body = {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name, namespace, uid },
        target: { apiVersion: 'v1', kind: 'Node', name: step.node },
      };
      await client.send('POST', objectPath(mustKnow(options, step.target), step.target.metadata, 'binding'), body);
      return true;
    }
    case 'clear': {
      await client.send('DELETE', collectionPath(step.kind, step.namespace));
      return true;
    }
    case 'finalize': {
      const kind = mustKnow(options, step.target);
      const body = {
        ...step.target,
        spec: { ...(step.target['spec'] as object | undefined), finalizers: step.finalizers },
      };
      takeUnlessDeleted(
        options,
        kind,
        await client.send('PUT', objectPath(kind, step.target.metadata, 'finalize'), body),
        step.target,
      );
      return true;
    }
    case 'expectAbsent': {
      const found = await read(options, step.kind, step.namespace, step.name);
      if (found !== undefined) take(options, step.kind, found);
      // Absent under this name is not gone: the uid may belong to an object in another namespace.
      return found?.metadata.uid !== step.uid;
    }
    case 'expectEmpty': {
      const list = await client.send('GET', `${collectionPath(step.kind, step.namespace)}?limit=1`);
      const items = isObject(list) && Array.isArray(list['items']) ? list['items'] : [];
      for (const item of items) take(options, step.kind, item);
      return items.length === 0;
    }
  }
}

function deleteOptions(step: Extract<Step, { step: 'delete' }>): object {
  const { uid, resourceVersion } = step.target.metadata;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    preconditions: step.unchanged === true ? { uid, resourceVersion } : { uid },
    ...(step.propagation === undefined ? {} : { propagationPolicy: step.propagation }),
    ...(step.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: step.gracePeriodSeconds }),
  };
}

/** Reads live what the refused step was about; false if that teaches nothing. */
async function correct(step: Step, options: PerformOptions): Promise<boolean> {
  if (step.step === 'create') {
    const { name, namespace } = step.object.metadata;
    if (name === undefined) return false;
    const kind = mustKnow(options, step.object);
    const found = await read(options, kind, namespace, name);
    if (found !== undefined) take(options, kind, found);
    return found !== undefined;
  }
  if (!('target' in step)) return false;
  const kind = mustKnow(options, step.target);
  const { namespace, name, uid, resourceVersion } = step.target.metadata;
  const found = await read(options, kind, namespace, name);
  if (found !== undefined) take(options, kind, found);
  if (found?.metadata.uid === uid) return found.metadata.resourceVersion !== resourceVersion;
  forget(options, kind, uid);
  return true;
}

async function read(
  { client }: PerformOptions,
  kind: Kind,
  namespace: string | undefined,
  name: string,
): Promise<Live | undefined> {
  try {
    const found = await client.send('GET', objectPath(kind, namespace === undefined ? { name } : { namespace, name }));
    return isLive(found) ? found : undefined;
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 404) return undefined;
    throw error;
  }
}

/** An answer without a remaining object means that the request ended the object. */
function takeUnlessDeleted(options: PerformOptions, kind: Kind, answer: unknown, target: Live): void {
  if (isLive(answer) && answer.metadata.uid === target.metadata.uid && !isEnded(answer)) take(options, kind, answer);
  else forget(options, kind, target.metadata.uid);
}

/** True for the last state of an object that nothing holds back any more. */
function isEnded(object: Live): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  const finalizersOfSpec = (object['spec'] as { readonly finalizers?: readonly string[] } | undefined)?.finalizers;
  const held = (finalizers?.length ?? 0) > 0 || (object.kind === 'Namespace' && (finalizersOfSpec?.length ?? 0) > 0);
  return deletionTimestamp !== undefined && (deletionGracePeriodSeconds ?? 0) === 0 && !held;
}

function take(options: PerformOptions, kind: Kind, answer: unknown): void {
  if (!isLive(answer)) return;
  const object = answer.kind === undefined ? { ...answer, apiVersion: apiVersionOf(kind), kind: kind.kind } : answer;
  const change = options.cluster.storeOf(kind)?.put(object);
  if (change !== undefined) options.changed(kind, change);
}

function forget(options: PerformOptions, kind: Kind, uid: string): void {
  const change = options.cluster.storeOf(kind)?.remove(uid);
  if (change !== undefined) options.changed(kind, change);
}

function mustKnow({ cluster }: PerformOptions, object: { readonly apiVersion: string; readonly kind: string }): Kind {
  const kind = cluster.kindOf(object);
  if (kind === undefined) throw new Error(`${object.apiVersion} ${object.kind} is not served here`);
  return kind;
}
