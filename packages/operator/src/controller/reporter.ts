// What a step means for the object's status and for the log: facts of the pass in, a whole status out.
import {
  historyAfter,
  withBookkeeping,
  type Clock,
  type Logger,
  type Procedure,
  type Step,
  type VersionRecord,
  type Writer,
} from '@pawl/reconciler';
import { buildStatus, leaseName, parseStatus, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { EventRecorder } from '../events/event-recorder.ts';
import { eventsOf } from '../events/events-of.ts';
import { endedHop } from '../observe/ended-hop.ts';
import type { Metrics } from '../observe/metrics.ts';
import { objectState, partsOf } from './custom-object.ts';
import { procedureFor, type KindSetup } from './kind-setup.ts';
import type { Pass } from './pass.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ReporterParts {
  readonly setup: KindSetup;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly operatorName: string;
  /** Release and image of this operator, as records name it. */
  readonly release: string;
  /** An open hop without progress for so long is reported as stalled. */
  readonly progressDeadlineMs: number;
}

export class Reporter {
  readonly #parts: ReporterParts;

  constructor(parts: ReporterParts) {
    this.#parts = parts;
  }

  /** The status after a step. For a write of the record it holds the new record, with who writes it and since when. */
  status = (step: Step, pass: Pass): Json => {
    const { setup, clock } = this.#parts;
    const { object, run } = pass;
    const { record: before, deleting, spec, requests } = objectState(object);
    const { status } = partsOf(object);
    const now = clock.now();
    const after = 'record' in step ? withBookkeeping(step.record, before, this.#writer(now)) : before;
    const { history } = parseStatus(status);
    const version = pass.ranVersion;
    return buildStatus({
      subject: { ...object, ...object.metadata },
      generation: object.metadata.generation ?? 0,
      deleting,
      previous: status,
      step,
      record: after,
      history: 'record' in step ? historyAfter(history, before, step.record, this.#writer(now)) : history,
      settings: spec,
      requests,
      ...(run === undefined || version === undefined
        ? {}
        : { ran: { procedure: ranProcedure(pass, procedureFor(setup, version)), outcomes: run.outcomes } }),
      verified: pass.verified,
      stalled: this.#isStalled(pass, after, now),
      pruneBlocked: pass.leftovers.blocked,
      refused: pass.memory.preflight?.refused,
      ...(run === undefined ? {} : { statusFields: run.statusFields }),
      now,
    });
  };

  /** Tells log, metrics and the cluster what has changed for good: a version chosen, reached or refused. */
  announce = (step: Step, pass: Pass, written: KubernetesObject): void => {
    const { log, metrics, events } = this.#parts;
    const { kind, metadata } = written;
    events.record(...eventsOf(step, pass.object, written));
    if ('record' in step) metrics.recordWritten(kind, step.step);
    const ended = endedHop(pass.object, written);
    if (ended !== undefined) metrics.hopEnded(ended);
    const bindings = { kind, namespace: metadata.namespace, name: metadata.name, generation: metadata.generation };
    if (step.step === 'intent' && step.why === 'hop')
      log.info({ ...bindings, ...hopOf(step.record), mode: step.mode }, 'a procedure version was chosen');
    else if (step.step === 'complete')
      log.info({ ...bindings, version: step.record.version }, 'the procedure version is verified and complete');
    else if (step.step === 'finalize')
      log.info({ ...bindings, ...hopOf(step.record) }, 'the point of no return was recorded');
    else if (step.step === 'hold' && step.decision.kind === 'Blocked' && pass.object !== written)
      log.warn({ ...bindings, reason: step.reason }, 'no procedure version may act on the object');
  };

  /** An open hop in which no further Action became True for too long. */
  #isStalled(pass: Pass, record: VersionRecord | undefined, now: number): boolean {
    if (record?.target === undefined) return false;
    const done = [...(pass.run?.outcomes.values() ?? [])].filter(({ result }) => result.status === 'True').map(({ name }) => name);
    const key = `${record.epoch} ${done.join()}`;
    const { memory } = pass;
    if (pass.run !== undefined && memory.progress?.key !== key) memory.progress = { key, at: now };
    return now - (memory.progress?.at ?? now) > this.#parts.progressDeadlineMs;
  }

  #writer(now: number): Writer {
    const { operatorName, release } = this.#parts;
    return { now, operator: release, lease: leaseName(operatorName) };
  }
}

/** What ran, as status shows it: the forward graph, or that of the teardown. */
function ranProcedure({ ranGraph }: Pass, procedure: Procedure<never>): Pick<Procedure<never>, 'actions' | 'onDemand' | 'version'> {
  if (ranGraph === 'actions') return procedure;
  return { version: procedure.version, actions: procedure.teardown, onDemand: new Set() };
}

function hopOf({ target, applied }: VersionRecord): Json {
  return { target, applied: applied.map(({ version, state }) => `${version} ${state}`) };
}
