// Measures the runtime: how fast it fills its caches, what it costs when much or nothing happens, how long a change of
// leaders takes. Prints nothing itself. Run with --expose-gc, or the figures about memory include garbage.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { InformerFactory } from './cache/informer-factory.ts';
import { KubeClient } from './client/kube-client.ts';
import { systemClock } from '@pawl/reconciler';
import { systemRandom } from './random.ts';
import { FaultWorld } from './testing/fault-world.ts';
import { textRelease } from './testing/page-fleet.ts';
import { steadyPages } from './testing/steady-pages.ts';
import { injectingTransport } from './testing/injecting-transport.ts';
import { anonymous } from './transport/credentials.ts';
import { HttpTransport } from './transport/http-transport.ts';

/** One figure. The goal, where there is one, is an upper bound unless the unit says `/s`. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: number;
}

const MB = 1024 * 1024;
const SERVER = fileURLToPath(new URL('./testing/bench-server.ts', import.meta.url));

const collect = (): void => {
  (globalThis as { gc?: () => void }).gc?.();
};
const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

/** A cache of `count` objects of 4.4 KB, filled over HTTP from a server in another process. */
export async function benchSync(count = 10_000): Promise<readonly Measurement[]> {
  const server = fork(SERVER, [String(count)], { execArgv: ['--conditions=@pawl/source'] });
  const ended = once(server, 'exit').then(() => Promise.reject(new Error('the server of the benchmark ended before it served')));
  const [{ url, bytes }] = (await Promise.race([once(server, 'message'), ended])) as [{ readonly url: string; readonly bytes: number }];
  ended.catch(() => {});
  const transport = new HttpTransport({ credentials: anonymous(url) });
  const client = new KubeClient({ transport, clock: systemClock, random: systemRandom });
  // Connections, code and discovery are paid for once.
  await client.listPage({ apiVersion: 'v1', kind: 'ConfigMap' }, { limit: 100 });
  collect();
  const base = process.memoryUsage();
  const factory = new InformerFactory({ client, clock: systemClock, random: systemRandom });
  const watched = watchLoop();
  const began = performance.now();
  const { informer } = factory.acquire({ type: { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true } });
  await informer.synced();
  const seconds = (performance.now() - began) / 1_000;
  const { longestBlockMs, peakRss } = watched.stop();
  collect();
  const settled = process.memoryUsage();
  const found = informer.list().length;
  await factory.stop();
  await transport.close();
  server.disconnect();
  if (found < count) throw new Error(`the cache holds ${found} objects of ${count}`);
  const of = `${count} objects of ${(bytes / 1024).toFixed(1)} KB`;
  return [
    { name: `sync of ${of}`, value: seconds, unit: 's' },
    { name: 'sync: longest block of the event loop', value: longestBlockMs, unit: 'ms', goal: 100 },
    { name: 'sync: peak RSS above the base', value: (peakRss - base.rss) / MB, unit: 'MB' },
    { name: 'heap for each cached object', value: (settled.heapUsed - base.heapUsed) / found / 1024, unit: 'KB', goal: 8 },
  ];
}

const LOOK_MS = 5;

/** Watches for how long the event loop does not turn, and the memory: by a timer, since looking in each turn would be most of the work. */
function watchLoop() {
  let [last, longestBlockMs, peakRss] = [performance.now(), 0, 0];
  const look = (): void => {
    const now = performance.now();
    longestBlockMs = Math.max(longestBlockMs, now - last - LOOK_MS);
    last = now;
    peakRss = Math.max(peakRss, process.memoryUsage.rss());
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    stop: () => {
      look();
      clearInterval(timer);
      return { longestBlockMs, peakRss };
    },
  };
}

/** Events that change nothing, through watch, cache, queue and controller, down to Actions that find all as it should be. */
export async function benchEvents(objects = 1_000, rounds = 5): Promise<readonly Measurement[]> {
  const { world, injection, passes } = await steadyWorld(objects);
  const cpu = process.cpuUsage();
  const began = performance.now();
  const before = passes();
  for (let round = 0; round < rounds; round += 1) {
    injection.touchAll();
    await world.run(10);
  }
  const seconds = (performance.now() - began) / 1_000;
  const cycles = passes() - before;
  const perCycle = cpuMs(cpu) / cycles;
  await world.close();
  if (cycles < objects * rounds) throw new Error(`${cycles} cycles for ${objects * rounds} events`);
  return [
    { name: 'events through queue and controller', value: cycles / seconds, unit: 'events/s', goal: 1_000 },
    { name: 'CPU for each idle cycle, its event included', value: perCycle * 1_000, unit: 'us' },
  ];
}

/** What many objects cost when nothing happens to them. */
export async function benchIdle(objects = 10_000): Promise<readonly Measurement[]> {
  const { world, passes } = await steadyWorld(objects);
  const cpu = process.cpuUsage();
  await world.run(60_000);
  const minute = cpuMs(cpu);
  const before = passes();
  await world.run(600_000);
  const resyncs = passes() - before;
  const average = (cpuMs(cpu) - minute) / 10;
  const writes = world.tally.total();
  await world.close();
  if (writes > 0) throw new Error(`${writes} changes were sent for objects that were as they should be`);
  if (resyncs < objects) throw new Error(`${resyncs} of ${objects} objects were looked at again`);
  return [
    { name: `idle CPU in a minute, ${objects} objects`, value: minute, unit: 'ms', goal: 600 },
    { name: 'the same with the resync of every object each ten minutes, on average', value: average, unit: 'ms', goal: 1_200 },
  ];
}

/** An operator whose objects are all as they should be. */
async function steadyWorld(objects: number) {
  let cycles = 0;
  const world = new FaultWorld({ actors: [], server: { objects: await steadyPages(objects), logLimit: 1_000 } });
  const injection = injectingTransport(world.api, '/pages');
  await world.operator([textRelease(() => (cycles += 1) < 0)], { workers: 16 }, injection.transport);
  await world.run(30_000);
  return { world, injection, passes: () => cycles };
}

/** From the end of one leader to the first change that another one could send, with the default durations. */
export async function benchTakeover(): Promise<readonly Measurement[]> {
  return [
    { name: 'takeover when the leader stops (virtual time)', value: await takeover('stops'), unit: 's', goal: 15 },
    { name: 'takeover when the leader is killed (virtual time)', value: await takeover('killed'), unit: 's', goal: 90 },
  ];
}

async function takeover(how: 'stops' | 'killed'): Promise<number> {
  const world = new FaultWorld({ actors: [] });
  const bundle = textRelease();
  await world.install(bundle);
  const lease = { leaseNamespace: 'default' };
  const first = await world.operator([bundle], { ...lease, podName: 'one' });
  await world.operator([bundle], { ...lease, podName: 'two' });
  await world.run(120_000);
  const led = (): number => world.logged.filter(({ message }) => message === 'reconciling begins').length;
  const before = led();
  const began = world.clock.monotonic();
  if (how === 'stops') await world.stop(first);
  else first.network.setFaults(() => 'refused');
  await world.until('another one leads', () => led() > before);
  const seconds = (world.clock.monotonic() - began) / 1_000;
  await world.close();
  return seconds;
}
