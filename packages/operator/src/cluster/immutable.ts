// Changing what the server never changes in place: the object is deleted and created anew, as its Action allows.
import { RetryError } from '@pawl/reconciler';
import type { ApplyRequest, KubernetesObject } from '@pawl/reconciler/kubernetes';
import { KubeError } from '../client/api-error.ts';
import type { KubeClient } from '../client/kube-client.ts';

/** Texts of kube-apiserver for a field that cannot be changed; the causes alone do not tell it from a wrong value. */
const IMMUTABLE = /field is immutable|updates to \w+ spec for fields other than|may not change once set|cannot change roleRef/i;

/** Whether a text of the server says that a field cannot be changed in place. */
export function saysImmutable(text: string): boolean {
  return IMMUTABLE.test(text);
}

/** Whether the server refused an update because it would change an immutable field. Never a passing fault. */
export function isImmutableChange(error: unknown): error is KubeError {
  return error instanceof KubeError && error.code === 422 && saysImmutable(error.message);
}

export interface ReplacementParts {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  /** Admits each of the writes. */
  readonly admit: () => Promise<void>;
}

const POLL_MS = 1_000;
const PODS = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true } as const;

type Selecting = {
  readonly spec?: {
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly template?: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } };
  };
};

/**
 * Takes the first step of a replacement; later cycles find the object terminating, then gone, and create it anew.
 *
 * `Recreate` deletes the object and what depends on it. `OrphanRecreate` lets its pods live: they are first given the
 * labels that the new object selects by, beside those of the old one, so that in both directions they find their owner.
 *
 * @throws {RetryError} always, when the step is done: the new object can only be made by a later cycle
 */
export async function beginReplacement(
  known: KubernetesObject,
  request: ApplyRequest,
  { client, signal, admit }: ReplacementParts,
): Promise<never> {
  const { uid, resourceVersion, name } = known.metadata;
  if (request.immutable === 'OrphanRecreate') await relabelPods(known, request, { client, signal, admit });
  const propagation = request.immutable === 'OrphanRecreate' ? 'Orphan' : 'Foreground';
  await admit();
  await client.remove(request.type, known.metadata, { uid, resourceVersion, propagation, signal });
  throw new RetryError(`${request.type.kind} ${name} is replaced, for a field of it cannot be changed in place`, {
    afterMs: POLL_MS,
  });
}

async function relabelPods(known: KubernetesObject, { body }: ApplyRequest, parts: ReplacementParts): Promise<void> {
  const { client, signal, admit } = parts;
  const { matchLabels = {} } = (known as Selecting).spec?.selector ?? {};
  const wanted = { ...matchLabels, ...(body as Selecting).spec?.template?.metadata?.labels };
  const labelSelector = Object.entries(matchLabels).map(([label, value]) => `${label}=${value}`).join(',');
  if (labelSelector === '') return;
  const { items } = await client.list(PODS, { namespace: known.metadata.namespace, labelSelector, signal });
  for (const pod of items) {
    const isOurs = pod.metadata.ownerReferences?.some(({ uid }) => uid === known.metadata.uid) === true;
    const isLabelled = Object.entries(wanted).every(([label, value]) => pod.metadata.labels?.[label] === value);
    if (!isOurs || isLabelled) continue;
    await admit();
    const metadata = { uid: pod.metadata.uid, labels: wanted };
    await client.mergePatch(PODS, pod.metadata, { metadata }, { signal });
  }
}
