// What the faults of a plan hit in the simulation, so that they hit the same on a real server: how many reports of
// progress come before a write, and in which order reads arrive, depends on how fast the cluster is.
import type { WatchEvent } from '@pawl/operator';
import { recordOf } from '../explore/state.ts';
import { isWrite } from '../world/api-paths.ts';
import { scriptByCount, type FaultScript, type Sent, type SentRequest } from '../world/fault-script.ts';
import type { Fault } from '../world/faults.ts';

/** The n-th request, or the n-th event, of its kind. */
export interface Aim {
  readonly fault: Fault;
  readonly at: string;
  /** Counted from 1 within the process. */
  readonly nth: number;
}

/** Requests of the same text are of the same kind: a report that changes the record is another than one of progress. */
export function textOfRequest({ method, path, body }: Pick<SentRequest, 'method' | 'path' | 'body'>): string {
  const [bare = ''] = path.split('?');
  const isRehearsal = method !== 'GET' && !isWrite({ method, path, body });
  return [isRehearsal ? 'rehearsal:' : '', method, bare, bare.endsWith('/status') ? recordText(body) : ''].filter((part) => part !== '').join(' ');
}

/** What a report says about versions. */
export function recordText(body: unknown): string {
  const record = recordOf(body);
  if (record === undefined) return 'progress';
  const applied = record.applied.map(({ version, state }) => `${version} ${state}`).join(', ');
  return `record: ${applied || 'nothing'}${record.target === undefined ? '' : ` → ${record.target}`}`;
}

function textOfEvent({ type, object }: WatchEvent): string {
  const { kind = '', metadata = {} } = object as { readonly kind?: string; readonly metadata?: { readonly namespace?: string; readonly name?: string } };
  return `${type} ${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** Counts what it is asked about, by text. */
function counter(): (text: string) => number {
  const counts = new Map<string, number>();
  return (text) => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count;
  };
}

const textOfSent = (sent: Sent): string => ('request' in sent ? textOfRequest(sent) : 'effect');

/** The faults as the plan counts, and a note of what each of them hit. */
export function notingScript(faults: readonly Fault[], process: number, aims: Aim[]): FaultScript {
  const script = scriptByCount(faults, process);
  const [requests, events] = [counter(), counter()];
  return {
    faultsOf: (sent) => {
      const at = textOfSent(sent);
      const nth = requests(at);
      const struck = script.faultsOf(sent);
      aims.push(...struck.map((fault) => ({ fault, at, nth })));
      return struck;
    },
    failureOf: (event, number) => {
      const at = textOfEvent(event);
      const nth = events(at);
      const failure = script.failureOf(event, number);
      const fault = faults.find((one) => one.kind === 'watch' && one.process === process && one.event === number);
      if (failure !== undefined && fault !== undefined) aims.push({ fault, at, nth });
      return failure;
    },
  };
}

/** The faults where they are aimed at; `onStrike` is told of each that strikes. */
export function aimedScript(aims: readonly Aim[], process: number, onStrike: (aim: Aim) => void): FaultScript {
  const own = aims.filter(({ fault }) => fault.process === process);
  const [requests, events] = [counter(), counter()];
  const hit = (at: string, nth: number, isEvent: boolean): readonly Aim[] => {
    const found = own.filter((aim) => (aim.fault.kind === 'watch') === isEvent && aim.at === at && aim.nth === nth);
    for (const aim of found) onStrike(aim);
    return found;
  };
  return {
    faultsOf: (sent) => {
      const at = textOfSent(sent);
      return hit(at, requests(at), false).map(({ fault }) => fault);
    },
    failureOf: (event) => {
      const at = textOfEvent(event);
      const [aim] = hit(at, events(at), true);
      return aim?.fault.kind === 'watch' ? aim.fault.failure : undefined;
    },
  };
}
