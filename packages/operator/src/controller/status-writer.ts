// The one writer of an object's status and metadata: merge patches bound to the copy that they were made from, the answer
// compared with what was meant.
import { isEqualJson } from '@pawl/reconciler';
import { ANNOTATIONS, FINALIZER, requestAnnotation, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { formatMirror, type MetadataStep } from '@pawl/reconciler';
import type { KubeClient } from '../client/kube-client.ts';
import { isConflict, isNotFound } from '../client/error-kinds.ts';
import { KindNotServedError } from '../discovery/kind-not-served.ts';
import { mergeDiff } from '../cluster/merge-diff.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { recordNotPersistedEvent } from '../events/other-events.ts';
import type { Metrics } from '../observe/metrics.ts';
import { objectState, partsOf } from './custom-object.ts';
import { CycleAbandoned, type WritePermit } from './guard.ts';
import type { KindSetup } from './kind-setup.ts';

type Json = Readonly<Record<string, unknown>>;

/** What became of a write of status. */
export type StatusWritten =
  | { readonly outcome: 'written' | 'unchanged'; readonly object: KubernetesObject }
  /** The server keeps something else than was sent: its schema for the kind drops fields. */
  | { readonly outcome: 'not-persisted'; readonly object: KubernetesObject };

export interface StatusWriterParts {
  readonly client: KubeClient;
  readonly setup: KindSetup;
  readonly permit: WritePermit;
  readonly wrote: (object: KubernetesObject) => void;
  readonly metrics: Metrics;
  readonly events: Pick<EventRecorder, 'record'>;
}

export class StatusWriter {
  readonly #parts: StatusWriterParts;

  constructor(parts: StatusWriterParts) {
    this.#parts = parts;
  }

  /**
   * Writes a status that carries a new record. Never sent twice: whoever meets a newer object starts over.
   * @throws {CycleAbandoned} if the object has changed since `object`
   */
  record = async (object: KubernetesObject, status: Json, signal: AbortSignal): Promise<StatusWritten> => {
    try {
      return await this.#send(object, status, signal);
    } catch (error) {
      if (isConflict(error)) this.#parts.metrics.recordConflict(object.kind);
      throw abandoned(error);
    }
  };

  /**
   * Writes a report, or nothing if nothing changed. If somebody else has written meanwhile it is sent once more, provided
   * that the object is the same one, is as much being deleted as before, and has the same record.
   * @throws {CycleAbandoned} otherwise
   */
  report = async (object: KubernetesObject, status: Json, signal: AbortSignal): Promise<StatusWritten> => {
    try {
      return await this.#send(object, status, signal);
    } catch (error) {
      if (!isConflict(error)) throw abandoned(error);
      const newest = await this.#parts.client.find(this.#parts.setup.resource, object.metadata, { signal });
      if (newest === undefined || !isSameForReport(object, newest)) throw abandoned(error);
      return this.#send(newest, status, signal).catch((again: unknown) => {
        throw abandoned(again);
      });
    }
  };

  /**
   * Carries out a metadata step in one patch: finalizer, mirror, and the removal of used-up requests.
   * @returns the object as the server has it; undefined if the removal of the finalizer let it go
   * @throws {CycleAbandoned} if the object has changed since `object`
   */
  metadata = async (
    object: KubernetesObject,
    step: MetadataStep,
    signal: AbortSignal,
  ): Promise<KubernetesObject | undefined> => {
    const { client, setup, permit, wrote } = this.#parts;
    const { uid, resourceVersion, finalizers = [] } = object.metadata;
    const annotations: Record<string, string | null> = {};
    for (const name of step.drop) annotations[requestAnnotation(name)] = null;
    if (step.mirror !== undefined) annotations[ANNOTATIONS.mirror] = formatMirror(step.mirror);
    const others = finalizers.filter((name) => name !== FINALIZER);
    const metadata = {
      uid,
      resourceVersion,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(step.finalizer === undefined ? {} : { finalizers: step.finalizer ? [...others, FINALIZER] : others }),
    };
    permit.assert();
    try {
      const fieldManager = setup.managers.record;
      const answer = await client.mergePatch(setup.resource, object.metadata, { metadata }, { fieldManager, signal });
      const isGone = step.finalizer === false && others.length === 0;
      if (isGone) return undefined;
      wrote(answer);
      return answer;
    } catch (error) {
      if (step.finalizer === false && isNotFound(error)) return undefined;
      throw abandoned(error);
    }
  };

  async #send(object: KubernetesObject, status: Json, signal: AbortSignal): Promise<StatusWritten> {
    const { client, setup, permit, wrote } = this.#parts;
    const patch = mergeDiff(partsOf(object).status, status);
    if (patch === undefined) return { outcome: 'unchanged', object };
    const { uid, resourceVersion } = object.metadata;
    permit.assert();
    const answer = await client
      .mergePatch(
        setup.resource,
        object.metadata,
        { metadata: { uid, resourceVersion }, status: patch },
        { subresource: 'status', fieldManager: setup.managers.status, signal },
      )
      .catch(async (error: unknown) => {
        // The server answers alike for an object that is gone and for a kind without the subresource.
        if (!isNotFound(error)) throw error;
        const found = await client.find(setup.resource, object.metadata, { signal });
        throw found?.metadata.uid === uid ? noStatusSubresource(setup.resource.kind, error) : error;
      });
    wrote(answer);
    const isKept = isEqualJson(partsOf(answer).status, status);
    if (!isKept) this.#parts.events.record(recordNotPersistedEvent(setup.resource));
    return { outcome: isKept ? 'written' : 'not-persisted', object: answer };
  }
}

function isSameForReport(before: KubernetesObject, newest: KubernetesObject): boolean {
  const [a, b] = [objectState(before), objectState(newest)];
  return a.uid === b.uid && a.deleting === b.deleting && isEqualJson(a.record, b.record);
}

/** An object that is gone, or is another one by now, ends the cycle; it is not a fault. */
function abandoned(error: unknown): unknown {
  if (error instanceof KindNotServedError) return noStatusSubresource(error.type.kind, error);
  if (isConflict(error)) return new CycleAbandoned('the object has changed meanwhile');
  if (isNotFound(error)) return new CycleAbandoned('the object is gone');
  return error;
}

const noStatusSubresource = (kind: string, cause: unknown): Error =>
  new Error(`the status of ${kind} cannot be written: its CRD must declare subresources.status, as crdFor does`, { cause });
