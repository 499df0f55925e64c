// Whether an object that is fine now would stand still under the catalog of this binary. Pure, but for reads of caches.
import { nextStep, type Reason } from '@pawl/reconciler';
import { explainReason, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { ClusterView } from '../cluster/view.ts';
import { objectState, partsOf } from '../controller/custom-object.ts';
import type { KindSetup } from '../controller/kind-setup.ts';
import { parentState } from '../controller/parent.ts';
import { Pass } from '../controller/pass.ts';

/** An object that this release would strand. */
export interface Stranded {
  readonly reason: Reason;
  /** What it needs, with the command to run. */
  readonly message: string;
}

export interface StrandedFacts {
  readonly view: Pick<ClusterView, 'get'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** It was found before that the object would be stranded: that it stands still by now does not excuse it. */
  readonly isKnown: boolean;
}

/**
 * Why no version of this binary could act on an object; undefined if one could, or if the object stands still already,
 * or has nothing that could be stranded. Nothing is asked of the server and nothing is written.
 */
export function strandedBy(setup: KindSetup, object: KubernetesObject, { view, now, isKnown }: StrandedFacts): Stranded | undefined {
  if (!isKnown && !isFine(object)) return undefined;
  const { parent } = setup.catalog;
  const memory = { cleanSince: undefined, preflight: undefined, memo: undefined, progress: undefined, restless: 0 };
  const state = new Pass(setup, object, memory).state({
    settled: true,
    notPersisted: false,
    now,
    parent: parent === undefined ? undefined : parentState(object, parent, view),
  });
  const { decision } = nextStep(state);
  if (decision.kind !== 'Blocked') return undefined;
  const { spec: settings, requests } = state.cr;
  const subject = { ...object, ...object.metadata };
  return { reason: decision.reason, message: explainReason(decision.reason, { subject, decision, settings, requests }) };
}

/** Some release drives the object, and does not stand still. */
function isFine(object: KubernetesObject): boolean {
  const { record, mirror } = objectState(object);
  if (record === undefined && mirror === undefined) return false;
  const { phase } = (partsOf(object).status['procedure'] ?? {}) as { readonly phase?: unknown };
  return phase !== 'Blocked';
}
