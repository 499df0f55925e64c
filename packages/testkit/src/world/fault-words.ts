// Faults in words, as reports say them.
import { subjectOfPath } from './api-paths.ts';
import type { AdmissionAnswer, Fault, Meddling, RequestFailure, Stage, WatchFailure } from './faults.ts';

const FAILURES: Readonly<Record<Exclude<RequestFailure, `${'429' | '503' | '504'}${string}`>, string>> = {
  conflict: 'somebody else changes the object just before',
  '500-before': 'fails with 500, not done',
  '500-after': 'fails with 500, done all the same',
  'timeout-before': 'never arrives, and nobody answers',
  'timeout-after': 'done, but the answer never arrives',
  'reset-before': 'connection breaks, not done',
  'reset-after': 'connection breaks, done all the same',
  truncated: 'done, but the answer ends in the middle',
};
const WATCH_FAILURES: Readonly<Record<WatchFailure, string>> = {
  drop: 'ends the watch without a word',
  delay: 'arrives late, and all after it',
  '410': 'is replaced by "too old resource version"',
  '500': 'is replaced by an internal error of the server',
  'half-open': 'never arrives, nor anything after it',
};
const STAGES: Readonly<Record<Stage, string>> = {
  pods: 'no pod starts or gets ready',
  rollout: 'no rollout makes progress',
  claims: 'no claim finds a volume',
  node: 'the node is gone with all its pods, and no other one runs any',
};
const MEDDLING: Readonly<Record<Meddling, string>> = {
  deletes: 'deletes',
  edits: 'changes a field of',
  takes: 'applies a field of the package by force to',
  unfinalizes: 'takes the finalizers away from',
};
const ANSWERS: Readonly<Record<AdmissionAnswer, string>> = {
  'denies-403': 'denies',
  'denies-422': 'finds invalid',
  'times-out': 'does not answer to',
  'adds-label': 'adds a label to',
  'adds-default': 'adds a default to',
  'adds-sidecar': 'adds a container to',
};

/** A fault in words. */
export function describeFault(fault: Fault): string {
  const who = `process ${fault.process}`;
  switch (fault.kind) {
    case 'crash':
      return `${who} is killed ${fault.moment === 'before' ? 'before' : 'right after'} write ${fault.write}`;
    case 'request':
      return `request ${fault.request} of ${who}: ${wordsOf(fault.failure)}`;
    case 'watch':
      return `watch event ${fault.event} of ${who} ${WATCH_FAILURES[fault.failure]}`;
    case 'stale':
      return `${who} sees no events for ${fault.forMs / 1000} s from write ${fault.write} on`;
    case 'lagging':
      return `${who} is moved at write ${fault.write} to a server that lags behind for ${fault.forMs / 1000} s`;
    case 'compaction':
      return `the server forgets its history at write ${fault.write} of ${who}, and all watches break`;
    case 'edit':
      return `edit ${fault.edit + 1} is applied right before write ${fault.write} of ${who}`;
    case 'clock':
      return `the clock of ${who} jumps by ${fault.byMs / 1000} s at write ${fault.write}`;
    case 'pause':
      return `${who} stands still for ${fault.forMs / 1000} s at write ${fault.write}, and goes on with it`;
    case 'partition':
      return `${who} is cut off for ${fault.forMs / 1000} s at write ${fault.write}, which arrives then`;
    case 'cluster':
      return `${STAGES[fault.stage]} for ${fault.forMs / 1000} s from write ${fault.write} of ${who} on`;
    case 'person':
      return `somebody ${MEDDLING[fault.does]} ${subjectOfPath(fault.object)} ${fault.write === 0 ? `when ${who} has come to rest` : `right before write ${fault.write} of ${who}`}`;
    case 'admission':
      return `a webhook ${ANSWERS[fault.answer]} write ${fault.write} of ${who}`;
  }
}

function wordsOf(failure: RequestFailure): string {
  const [, code, rest] = /^(429|503|504)(.*)$/.exec(failure) ?? [];
  if (code === undefined || rest === undefined) return FAILURES[failure as keyof typeof FAILURES];
  const form = rest.includes('text') || (code === '429' && !rest.includes('status')) ? ' in plain text' : '';
  return `refused with ${code}${form}${rest.endsWith('after') ? ', done all the same' : ''}`;
}
