// One soak: the server and its actors in this process, the operators in others, a killer, and the report.
import { createApiServer, startActors } from '@pawl/kube-api';
import { systemClock } from '@pawl/operator';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RELEASE_1, RELEASE_2 } from '../e2e/operator-child.ts';
import { Dice } from './dice.ts';
import { Ledger, type Violation } from './ledger.ts';
import { ReplicaProcess } from './replica.ts';
import { Websites } from './websites.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly objects: number;
  readonly replicas: number;
  /** Told what goes on. */
  readonly say: (text: string) => void;
}

export interface SoakReport {
  readonly lines: readonly string[];
  readonly violations: readonly Violation[];
}

const EDIT_EVERY_MS = 400;
const KILL_AFTER_S = { least: 10, most: 30 };
/** After the last kill all must be well within so long: a Lease runs out, its successor settles, and the rest is upgraded. */
const PATIENCE_MS = 240_000;
/** So long nothing may be written when all is well. */
const CALM_MS = 10_000;

export async function runSoak({ minutes, seed, objects, replicas: count, say }: SoakOptions): Promise<SoakReport> {
  const began = performance.now();
  const now = (): number => performance.now() - began;
  const ledger = new Ledger(now);
  const server = createApiServer({
    hooks: {
      request: async (request, proceed) => {
        ledger.arrives(request);
        const answer = proceed();
        ledger.answered(request, answer.status);
        return answer;
      },
      watch: (request, proceed) => {
        ledger.arrives(request);
        return proceed();
      },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'pawl-soak-'));
  const actors = startActors(server, { clock: systemClock, podReadyAfterMs: 100 });
  const { url } = await server.listen();
  const websites = new Websites(server, new Dice(seed));
  const dice = new Dice(seed + 1);
  await websites.install(objects);

  let started = 0;
  const end = minutes * 60_000;
  const start = (): ReplicaProcess =>
    new ReplicaProcess({ name: `pod-${(started += 1)}`, module: now() < end / 3 ? RELEASE_1 : RELEASE_2, url, folder });
  let replicas = Array.from({ length: count }, start);
  const violations: Violation[] = [];
  const takeovers: number[] = [];
  let kills = 0;
  let killedAt: { readonly at: number; readonly name: string } | undefined;
  let nextKill = KILL_AFTER_S.most * 1_000;

  /** Replaces what has ended, and notes who leads. */
  const look = async (): Promise<string | undefined> => {
    for (const replica of replicas) if (!replica.isRunning) say(`${replica.name} ended: ${await replica.ended}\n${replica.output.slice(-600)}`);
    replicas = replicas.map((replica) => (replica.isRunning ? replica : start()));
    const leader = await websites.leader();
    if (killedAt !== undefined && leader !== undefined && leader !== killedAt.name) {
      takeovers.push(now() - killedAt.at);
      killedAt = undefined;
    }
    return leader;
  };
  const killLeader = async (leader: string | undefined): Promise<void> => {
    const victim = replicas.find(({ name }) => name === leader);
    if (victim === undefined) return;
    await victim.kill();
    kills += 1;
    killedAt = { at: now(), name: victim.name };
    say(`${(now() / 1000).toFixed(0)} s: killed ${victim.name}`);
    replicas = replicas.map((replica) => (replica === victim ? start() : replica));
    nextKill = now() + 1_000 * (KILL_AFTER_S.least + dice.below(KILL_AFTER_S.most - KILL_AFTER_S.least));
  };

  try {
    while (now() < end) {
      await websites.disturb();
      const leader = await look();
      if (now() >= nextKill) await killLeader(leader);
      await pause(EDIT_EVERY_MS);
    }
    say('no more edits and kills; the rest of the first release makes room for the second');
    for (const old of replicas.filter(({ module }) => module === RELEASE_1)) {
      const how = await old.stop();
      if (how !== 'exit code 0') violations.push(`${old.name} was asked to stop and ended with ${how}`);
    }
    const last = await allWell(websites, now, look);
    violations.push(...last);
    const mark = now();
    await pause(CALM_MS);
    if (ledger.lastWriteAt > mark) violations.push('something was written although all was well');
  } finally {
    for (const replica of replicas) await replica.kill();
    await actors.stop();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const duplicates = ledger.duplicates();
  const wrong = violations.length;
  violations.push(...ledger.violations, ...duplicates);
  const slowest = takeovers.length === 0 ? 0 : Math.max(...takeovers);
  const average = takeovers.length === 0 ? 0 : takeovers.reduce((sum, ms) => sum + ms, 0) / takeovers.length;
  const kinds = [...ledger.byKind].toSorted(([, a], [, b]) => b - a).map(([kind, times]) => `  ${String(times).padStart(7)}  ${kind}`);
  const lines = [
    `soak of ${minutes} minutes, seed ${seed}: ${websites.count} websites, ${count} replicas, ${started} processes`,
    `edits ${websites.edits}, children taken away ${websites.robberies}`,
    `leaders killed ${kills}, takeovers ${takeovers.length}, on average ${(average / 1000).toFixed(1)} s, at most ${(slowest / 1000).toFixed(1)} s after the kill`,
    `stretches of writing ${ledger.stretches.length}, overlapping writers ${ledger.violations.length}`,
    `duplicate creates ${duplicates.length}`,
    `wrong objects and other faults at the end ${wrong}`,
    'requests of the operators:',
    ...kinds,
    ...violations.map((text) => `VIOLATION: ${text}`),
  ];
  return { lines, violations };
}

/** Waits until every object is as it should be; answers what is not in the end. */
async function allWell(websites: Websites, now: () => number, look: () => Promise<unknown>): Promise<readonly string[]> {
  const deadline = now() + PATIENCE_MS;
  for (;;) {
    const wrong = await websites.wrong();
    if (wrong.length === 0 || now() > deadline) return wrong;
    await look();
    await pause(1_000);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
