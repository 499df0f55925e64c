// Brings one object up: asks the protocol for the next step and carries it out, until there is nothing left to do now.
import { isVersion, compareVersions, type Clock, type IntentStep, type Logger, type RunActionsStep, type Step } from '@pawl/reconciler';
import { ownerHashOf, type KubernetesObject, type ObjectRef } from '@pawl/reconciler/kubernetes';
import type { KubeClient } from '../client/kube-client.ts';
import type { ClusterView } from '../cluster/view.ts';
import type { ActionsRunner } from './actions-runner.ts';
import { objectState, partsOf } from './custom-object.ts';
import type { FleetBudget } from './fleet-budget.ts';
import { closedGate, fullFleet } from './gates.ts';
import { CycleAbandoned, type WritePermit } from './guard.ts';
import type { KindSetup } from './kind-setup.ts';
import { after, NOW, WHEN_CHANGED, type Next } from './next.ts';
import type { ObjectRemover } from './object-remover.ts';
import { parentState } from './parent.ts';
import { freshMemory, Pass, stampOf, type ObjectMemory } from './pass.ts';
import type { Reporter } from './reporter.ts';
import { nextAfter } from './run-outcome.ts';
import type { StatusWriter } from './status-writer.ts';
import type { Tracer } from '../observe/tracing.ts';
import type { ProtocolFunction } from './protocol.ts';

export interface ObjectReconcilerParts {
  readonly setup: KindSetup;
  readonly client: KubeClient;
  readonly view: ClusterView;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tracer: Tracer;
  readonly permit: WritePermit;
  readonly runner: ActionsRunner;
  readonly status: StatusWriter;
  readonly reporter: Reporter;
  readonly protocol: ProtocolFunction;
  readonly remover: ObjectRemover;
  readonly fleet: FleetBudget;
  /** The name of the Lease if a record's is another's, and alive. */
  readonly elsewhere: (lease: string | undefined, signal: AbortSignal) => Promise<string | undefined>;
  /** For objects that do not say whether new versions need an approval. */
  readonly policy: 'Automatic' | 'Manual';
}

/** More steps than any pass takes: a protocol that does not come to rest is a fault, not a hot loop. */
const MAX_STEPS = 40;
/** So many cycles may follow each other at once because each has written something. */
const QUICK_REPEATS = 3;
/** What only looking again can end, and after how long; how long a slot is waited for depends on the fleet. */
const POLL_MS = 5_000;
const POLLED: ReadonlySet<string> = new Set(['WaitingForSlot', 'PreconditionNotMet']);
/** An object of another installation, and one whose soak is not over, are looked at again after so long. */
const ELSEWHERE_POLL_MS = 60_000;
const SOAK_POLL_MS = 10_000;
/** A kind whose records were not kept is tried again after so long: its definition may have been mended. */
const NOT_PERSISTED_RETRY_MS = 600_000;

/** `undefined`: the pass goes on with the next step. */
type Carried = Next | undefined;

export class ObjectReconciler {
  readonly #parts: ObjectReconcilerParts;
  readonly #memories = new Map<string, ObjectMemory>();
  /** The server's schema of the kind drops parts of the record: nothing is written until then. */
  #notPersistedUntil = 0;

  constructor(parts: ObjectReconcilerParts) {
    this.#parts = parts;
  }

  /** @throws whatever a call to the server failed with; the object then backs off */
  reconcile = async (ref: ObjectRef, signal: AbortSignal): Promise<Next> => {
    const { setup, view, permit, tracer } = this.#parts;
    const object = view.get(setup.resource, ref);
    if (object === undefined) return WHEN_CHANGED;
    const { uid, generation } = object.metadata;
    tracer.current()?.set({ 'k8s.object.uid': uid, 'pawl.object.generation': generation });
    permit.assert();
    const pass = new Pass(setup, object, this.#memoryOf(object.metadata.uid));
    pass.managedElsewhere = await this.#parts.elsewhere(objectState(object).record?.lease, signal);
    if (this.#needsLiveStamps(object)) await this.#refresh(pass, signal);
    for (let count = 0; count < MAX_STEPS; count += 1) {
      const next = await this.#carryOut(this.#nextStep(pass), pass, signal);
      if (next !== undefined) return next;
    }
    throw new Error(`the protocol did not come to rest within ${MAX_STEPS} steps`);
  };

  /** The object is gone for good. */
  forget = (uid: string): void => {
    this.#memories.delete(uid);
    this.#parts.fleet.release(uid);
  };

  #nextStep(pass: Pass): Step {
    const { permit, clock, protocol, setup, view, policy } = this.#parts;
    const { parent } = setup.catalog;
    return protocol(
      pass.state({
        settled: permit.settled(),
        notPersisted: this.#isNotPersisted,
        now: clock.now(),
        parent: parent === undefined ? undefined : parentState(pass.object, parent, view),
        policy,
      }),
    );
  }

  async #carryOut(step: Step, pass: Pass, signal: AbortSignal): Promise<Carried> {
    switch (step.step) {
      case 'intent':
        return this.#intent(step, pass, signal);
      case 'finalize':
      case 'complete':
        return this.#writeRecord(step, pass, signal);
      case 'metadata': {
        if (step.decision.kind === 'Teardown' && step.decision.how === 'abandon') await this.#parts.remover.abandon(pass, signal);
        const object = await this.#parts.status.metadata(pass.object, step, signal);
        if (object === undefined) return WHEN_CHANGED;
        if (step.drop.includes('retry')) Object.assign(pass.memory, freshMemory(this.#parts.clock.now));
        pass.replaced(object);
        return undefined;
      }
      case 'runActions':
        if (step.mode !== 'Teardown') return this.#runActions(step, pass, signal);
        return this.#reported(step, pass, signal, await this.#parts.remover.tearDown(step, pass, signal));
      case 'prune':
        return this.#reported(step, pass, signal, await this.#parts.remover.prune(pass, signal));
      case 'report':
        await this.#report(step, pass, signal);
        if (POLLED.has(step.upgradeBlocked ?? '')) return this.#lookAgain(step.upgradeBlocked);
        return pass.run === undefined ? WHEN_CHANGED : nextAfter(pass.run);
      case 'hold':
        // What another installation drives is not even reported on.
        if (step.reason === 'ManagedElsewhere') return after(ELSEWHERE_POLL_MS);
        await this.#report(step, pass, signal);
        return this.#nextAfterHold(step, pass);
    }
  }

  /** An intent is made from the object and its traces as they are now, and only if no gate is closed. */
  async #intent(step: IntentStep, pass: Pass, signal: AbortSignal): Promise<Carried> {
    const { setup, runner, clock, fleet } = this.#parts;
    const full = fullFleet(step, pass, fleet);
    if (step.why === 'hop' && pass.live === undefined && full === undefined) {
      await this.#refresh(pass, signal);
      return undefined;
    }
    const { target } = step.record;
    const gate = full ?? (await closedGate(step, pass, { setup, runner, fleet, now: clock.now() }, signal));
    if (gate !== undefined && target !== undefined && pass.gates[target] === undefined) {
      pass.gates[target] = gate;
      return undefined;
    }
    try {
      return await this.#writeRecord(step, pass, signal);
    } catch (error) {
      fleet.release(pass.object.metadata.uid);
      throw error;
    }
  }

  /** A write of the record carries the report and ends the pass, whatever else there was to do. */
  async #writeRecord(step: Step & { readonly record: unknown }, pass: Pass, signal: AbortSignal): Promise<Next> {
    const { status, reporter, log, fleet } = this.#parts;
    const written = await status.record(pass.object, reporter.status(step, pass), signal);
    if (written.outcome === 'not-persisted') {
      this.#dropsRecords();
      log.error({ kind: this.#parts.setup.resource.kind }, 'the server does not keep the record as it was written');
      return after(NOT_PERSISTED_RETRY_MS);
    }
    if (step.step === 'complete') fleet.release(pass.object.metadata.uid);
    reporter.announce(step, pass, written.object);
    return NOW;
  }

  async #runActions(step: RunActionsStep, pass: Pass, signal: AbortSignal): Promise<Carried> {
    const { runner } = this.#parts;
    if (step.mode === 'Teardown' || step.version === undefined) return WHEN_CHANGED;
    let outcome = await runner.run(pass, step.mode, step.version, signal);
    if (outcome.clean && step.mode === 'Steady' && this.#needsVerification(pass))
      outcome = await runner.run(pass, 'Verify', step.version, signal);
    this.#noteClean(pass, outcome.clean);
    if (pass.cycle?.widen !== undefined) return undefined;
    if (outcome.clean) {
      // The finalize actions have acted: everything is verified once more.
      if (step.mode === 'Finalize') pass.cycle = undefined;
      return undefined;
    }
    await this.#report(step, pass, signal);
    return this.#calmed(nextAfter(outcome), pass);
  }

  /** A cycle whose writes are undone again and again slows down, up to once a minute. */
  #calmed(next: Next, pass: Pass): Next {
    if (next !== NOW) return next;
    pass.memory.restless += 1;
    const { restless } = pass.memory;
    if (restless <= QUICK_REPEATS) return NOW;
    return { again: 'after', ms: Math.min(60_000, 100 * 2 ** (restless - QUICK_REPEATS)), rests: true };
  }

  /** Reports, unless the pass goes on. */
  async #reported(step: Step, pass: Pass, signal: AbortSignal, next: Carried): Promise<Carried> {
    if (next !== undefined) await this.#report(step, pass, signal);
    return next;
  }

  async #report(step: Step, pass: Pass, signal: AbortSignal): Promise<void> {
    if (this.#isNotPersisted) return;
    const { status, reporter } = this.#parts;
    const written = await status.report(pass.object, reporter.status(step, pass), signal);
    if (written.outcome === 'not-persisted') this.#dropsRecords();
    reporter.announce(step, pass, written.object);
  }

  get #isNotPersisted(): boolean {
    return this.#parts.clock.now() < this.#notPersistedUntil;
  }

  #dropsRecords(): void {
    this.#notPersistedUntil = this.#parts.clock.now() + NOT_PERSISTED_RETRY_MS;
  }

  #lookAgain(reason: string | undefined): Next {
    return after(reason === 'WaitingForSlot' ? this.#parts.fleet.pollMs : POLL_MS);
  }

  #nextAfterHold(step: Step & { readonly reason?: string }, pass: Pass): Next {
    if (POLLED.has(step.reason ?? '')) return this.#lookAgain(step.reason);
    if (step.reason === 'RecordNotPersisted') return after(NOT_PERSISTED_RETRY_MS);
    if (step.reason === 'Settling') return after(this.#parts.permit.settlesInMs());
    if (step.reason === 'Soaking') return after(SOAK_POLL_MS);
    return pass.run === undefined ? WHEN_CHANGED : nextAfter(pass.run);
  }

  /** The object and the traces of it, as they are now. */
  async #refresh(pass: Pass, signal: AbortSignal): Promise<void> {
    const { client, setup, runner } = this.#parts;
    const newest = await client.find(setup.resource, pass.object.metadata, { signal });
    if (newest === undefined || newest.metadata.uid !== pass.object.metadata.uid)
      throw new CycleAbandoned('the object is gone');
    pass.replaced(newest);
    await runner.look(pass, signal);
  }

  /** Without a record the traces decide; with one, a newer trace that a cache shows has to be confirmed. */
  #needsLiveStamps(object: KubernetesObject): boolean {
    const { setup, view } = this.#parts;
    const applied = objectState(object).record?.applied ?? [];
    if (applied.length === 0) return true;
    const hash = ownerHashOf(object);
    const isNewer = (stamp: string): boolean =>
      isVersion(stamp) && applied.every(({ version }) => compareVersions(stamp, version) > 0);
    return setup.owned.some((type) => view.owned(type, hash).some((owned) => isNewer(stampOf(owned))));
  }

  #needsVerification(pass: Pass): boolean {
    const { status } = partsOf(pass.object);
    return status['verifiedGeneration'] !== pass.object.metadata.generation || (pass.cycle?.extras ?? 0) > 0;
  }

  #noteClean(pass: Pass, clean: boolean): void {
    const epoch = objectState(pass.object).record?.epoch;
    const { memory } = pass;
    if (clean) memory.restless = 0;
    if (!clean || epoch === undefined) memory.cleanSince = undefined;
    else if (memory.cleanSince?.epoch !== epoch) memory.cleanSince = { epoch, at: this.#parts.clock.now() };
  }

  #memoryOf(uid: string): ObjectMemory {
    const known = this.#memories.get(uid);
    if (known !== undefined) return known;
    const memory = freshMemory(this.#parts.clock.now);
    this.#memories.set(uid, memory);
    return memory;
  }
}
