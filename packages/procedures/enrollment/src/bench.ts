// What a sync of many members costs: processor time and calls of the sink, for each member. Prints nothing itself.
import { MemoryCluster } from '@pawl/reconciler/testing';
import { Enrolling, intoConfigMaps, intoPlugin } from './testing/enrolling.ts';
import type { EnrollmentSpec } from './api.ts';
import { v3 } from './v3/index.ts';

/** One measurement. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: 'us/member' | 'calls/member';
}

export interface BenchOptions {
  /** Default 10,000. */
  readonly members?: number;
  /** Processor time that this process has used, in microseconds. */
  readonly cpuUs: () => number;
}

const range = (from: number, to: number): EnrollmentSpec['source'] => ({
  static: Array.from({ length: to - from }, (_, index) => ({
    id: `m${from + index}`,
    properties: { size: from + index },
  })),
});

/** Each member gets an instance of a plugin in memory, and then a ConfigMap in a memory cluster: first, idle, 1 % changed. */
export async function enrollmentBench({ members = 10_000, cpuUs }: BenchOptions): Promise<readonly Measurement[]> {
  const properties = { data: { host: '{{ id }}', size: 'size {{ properties.size }}' } };
  return [
    ...(await benchOf('plugin', { ...intoPlugin, properties }, members, cpuUs)),
    ...(await benchOf('ConfigMaps', { ...intoConfigMaps, properties }, members, cpuUs)),
  ];
}

async function benchOf(
  what: string,
  sink: EnrollmentSpec['sink'],
  members: number,
  cpuUs: () => number,
): Promise<readonly Measurement[]> {
  const cluster = new MemoryCluster();
  const enrolling = new Enrolling({ source: range(0, members), sink, concurrency: 10 }, { cluster });
  // The first cycle records where the entries will be.
  await enrolling.test.cycle(v3);
  const measured: Measurement[] = [];
  const measure = async (name: string): Promise<void> => {
    const [calls, before] = [enrolling.plugin.calls.length + cluster.writes.length, cpuUs()];
    await enrolling.test.cycle(v3);
    const spent = cpuUs() - before;
    const made = enrolling.plugin.calls.length + cluster.writes.length - calls;
    measured.push({ name: `${what}, ${members} members, ${name}`, value: spent / members, unit: 'us/member' });
    measured.push({ name: `${what}, ${members} members, ${name}`, value: made / members, unit: 'calls/member' });
  };
  await measure('first');
  await enrolling.test.cycle(v3);
  await measure('idle');
  const changed = Math.max(1, Math.floor(members / 100));
  enrolling.edit({ source: range(changed, members + changed) });
  await measure('1 % changed');
  return measured;
}
