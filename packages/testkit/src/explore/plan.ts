// One run as plain data: what is there, what somebody does, which operators come one after the other, and what goes wrong.
import { describeFault } from '../world/fault-words.ts';
import type { Fault } from '../world/faults.ts';
import { nameOfRelease, type Release } from './subject.ts';

/** What somebody does when the first operator starts. */
export type Deed =
  | { readonly does: 'create' }
  /** Applies an edit of the list that was given. */
  | { readonly does: 'edit'; readonly edit: number }
  | { readonly does: 'delete' }
  | { readonly does: 'nothing' };

/** One operator. It starts when the one before it was killed, or came to rest. */
export interface Turn {
  readonly release: Release;
  /** A rollback to this version is asked for just before. */
  readonly rollback?: string;
  /** The deletion of the objects is asked for just before. */
  readonly deletes?: boolean;
  /** It starts together with the one before it; a Lease says who acts. */
  readonly beside?: boolean;
}

export interface Plan {
  /** The kind whose catalog is explored. */
  readonly kind: string;
  /** The version that the objects were brought to before, in peace; absent: there is nothing yet. */
  readonly start?: string;
  /** The state from outside in which it begins, by its name; then there is no `start`. */
  readonly from?: string;
  readonly deed: Deed;
  readonly turns: readonly Turn[];
  readonly faults: readonly Fault[];
  readonly seed: number;
  /** Requests of several processes go on in an order drawn from this seed. */
  readonly order?: number;
}

/** A plan in one line. */
export function describePlan({ start, from, deed, turns, faults }: Plan): string {
  const [first, ...rest] = turns;
  const doing = { create: 'install', edit: 'edit', delete: 'deletion', nothing: 'operation' }[deed.does];
  const release = first === undefined ? '' : nameOfRelease(first.release);
  const what = start === undefined || start === release ? `${doing} by ${release}` : `${doing} under ${start}, taken over by ${release}`;
  const taken = deed.does === 'nothing' ? `the state ${from ?? ''}, taken over by ${release}` : `${doing} of the state ${from ?? ''} by ${release}`;
  const made = deed.does === 'nothing' && start !== undefined && start !== release ? `upgrade ${start} → ${release}` : what;
  const title = from === undefined ? made : taken;
  const then = rest.map(({ release: next, rollback, deletes, beside }) => {
    const asked = rollback === undefined ? (deletes === true ? ' with a deletion' : '') : ` with a request to go back to ${rollback}`;
    return `${beside === true ? 'beside it' : 'then'} ${nameOfRelease(next)}${asked}`;
  });
  return [title, ...then, ...faults.map(describeFault)].join('; ');
}

/** The same text for the same run. */
export function planKey(plan: Plan): string {
  return JSON.stringify(plan);
}
