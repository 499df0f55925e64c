import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Enrolling, intoConfigMaps, intoPlugin } from './testing/enrolling.ts';
import { v1 } from './v1/index.ts';
import { v2 } from './v2/index.ts';
import { v3 } from './v3/index.ts';

const ids = fc.uniqueArray(
  fc.integer({ min: 0, max: 12 }).map((number) => `m${number}`),
  { maxLength: 8 },
);
const sink = fc.constantFrom(intoPlugin, intoConfigMaps, { ...intoPlugin, labels: { team: 'a' } });
const drift = fc.constantFrom('Ignore', 'Update', 'Recreate');

describe('whatever the members are', () => {
  it('after each change of the source the sink has exactly one entry for each, and then nothing is written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(ids, { minLength: 1, maxLength: 4 }),
        sink,
        drift,
        fc.constantFrom(v1, v2, v3),
        async (steps, into, policy, procedure) => {
          const enrolling = new Enrolling({
            source: { static: [] },
            sink: into,
            policy: { allowEmptySource: true, drift: policy },
          });
          for (const step of steps) {
            enrolling.edit({ source: { static: step.map((id) => ({ id })) } });
            await enrolling.sync(procedure, 30);
            const found =
              into.plugin === undefined
                ? enrolling.names().map((name) => name.replace(/^nfs-(m\d+).*$/, '$1'))
                : enrolling.enrolled();
            expect(found.toSorted()).toEqual(step.toSorted());
            const writes = enrolling.plugin.writes.length + enrolling.cluster.writes.length;
            expect((await enrolling.test.cycle(procedure)).reconciled).toBe(true);
            expect(enrolling.plugin.writes.length + enrolling.cluster.writes.length).toBe(writes);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('the way from 1.0.0 over 2.0.0 to 3.0.0 makes and removes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(ids, sink, drift, async (list, into, policy) => {
        const enrolling = new Enrolling({
          source: { static: list.map((id) => ({ id })) },
          sink: into,
          policy: { drift: policy },
        });
        await enrolling.sync(v1);
        const made = [...enrolling.plugin.instances.keys(), ...enrolling.names()];
        await enrolling.sync(v2, 30);
        await enrolling.sync(v3, 30);
        expect([...enrolling.plugin.instances.keys(), ...enrolling.names()]).toEqual(made);
      }),
      { numRuns: 20 },
    );
  });
});
