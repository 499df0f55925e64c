// Checks of the end: it is reached, it is that of a fresh install, nothing is left over, and nothing is written any more.
import { ANNOTATIONS, isProtectedKind, LABELS, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { differences, isOwned, keyOf } from '../explore/state.ts';
import { subjectOfPath } from '../world/api-paths.ts';
import type { RequestEvent } from '../world/history.ts';
import type { Check, Outcome, Violation } from './check.ts';
import { writesOf } from './writes.ts';

export const comesToRest: Check = ({ isAtRest, standing, expectation, history, waited = 'hours of virtual time' }) => {
  if (isAtRest || expectation.ends === 'refused') return [];
  const wanted = expectation.ends === 'at' ? `established at ${expectation.version}` : 'gone';
  const last = history.findLast((event) => event.type === 'log');
  const because = last?.type === 'log' ? `; the operator says: ${last.says}${last.error === undefined ? '' : ` (${last.error})`}` : '';
  return [{ check: 'comes to rest', says: `not ${wanted} after ${waited}: ${standing.join('; ')}${because}` }];
};

const ownerTest = ({ subject }: Outcome): ((object: KubernetesObject) => boolean) => {
  const owners = new Set(subject.collections.filter(({ isOwner }) => isOwner).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  return ({ apiVersion, kind }) => owners.has(`${apiVersion} ${kind}`);
};

/** Everything is as after a fresh install of the version. What is left over is told apart, as an orphan. */
export const endsLikeFresh: Check = (outcome) => {
  const { final, fresh, masks, isAtRest } = outcome;
  if (fresh === undefined || !isAtRest) return [];
  const isOwner = ownerTest(outcome);
  return differences(final, fresh, isOwner, masks).map(({ object, says }): Violation => {
    const isOrphan = !fresh.has(object) && final.has(object);
    if (isOrphan) return { check: 'leaves no orphans', object, says: `${object} ${says}` };
    return { check: 'ends like a fresh install', object, says: `${object} ${says}` };
  });
};

/**
 * After the deletion nothing is left but what outlives its owner. Whoever takes the finalizer away from an object that is
 * going does the rest himself.
 */
export const leavesNothing: Check = (outcome) => {
  const { expectation, final, isAtRest, plan } = outcome;
  const isLetGo = plan.faults.some((fault) => fault.kind === 'person' && fault.does === 'unfinalizes');
  if (expectation.ends !== 'gone' || !isAtRest || isLetGo) return [];
  return [...final.values()]
    .filter((object) => isOwned(object) && !isProtectedKind(object) && object.metadata.annotations?.[ANNOTATIONS.keep] !== 'true')
    .map((object) => ({
      check: 'leaves no orphans',
      object: keyOf(object),
      says: `${keyOf(object)} is still there after its owner was deleted`,
    }));
};

/** At rest, looking again writes nothing: counted as requests, for one that changes nothing is still a request. */
export const staysQuiet: Check = ({ history, restAt, isAtRest, expectation }) => {
  if (!isAtRest || expectation.ends === 'gone') return [];
  // A Lease is renewed for as long as its holder lives.
  const writes = writesOf(history.slice(restAt)).filter(({ plural }) => plural !== 'leases');
  return writes.map(({ event, subject, at }) => ({
    check: 'stays quiet',
    says: `at rest, process ${event.process} still sends ${event.type === 'request' ? event.method : 'an effect to'} ${subject}`,
    object: subject,
    at: restAt + at,
  }));
};

/** Nobody may touch children of an object that the release does not understand. */
export const refusedWritesNothing: Check = ({ subject, expectation, history, lastStart, plan }) => {
  if (expectation.ends !== 'refused') return [];
  const owners = new Set(subject.collections.filter(({ isOwner }) => isOwner).map(({ plural }) => plural));
  const { owners: refused } = expectation;
  const isRefused = (event: RequestEvent): boolean => {
    const owner = ownerOf(event.body) ?? ownerOf(event.before);
    return refused === undefined || owner === undefined || refused.includes(owner);
  };
  return writesOf(history.slice(lastStart))
    .filter(({ event }) => event.process === plan.turns.length)
    .filter(({ event, plural }) => event.type === 'effect' || (!owners.has(plural) && plural !== 'leases' && isRefused(event)))
    .map(({ event, subject: written, at }) => ({
      check: 'writes nothing when refused',
      says: `${event.type === 'request' ? `${event.method} ${subjectOfPath(event.path)}` : `effect ${written}`}, although ${expectation.why}`,
      object: written,
      at: lastStart + at,
    }));
};

function ownerOf(value: unknown): string | undefined {
  return (value as KubernetesObject | undefined)?.metadata?.labels?.[LABELS.owner];
}
