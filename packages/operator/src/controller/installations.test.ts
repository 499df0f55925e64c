// Two installations of an operator in one cluster: an object is driven by one of them, and the other does not touch it.
import { afterEach, expect, test } from 'vitest';
import { PageLab } from '../testing/page-lab.ts';
import { page, Pages, release, v1, v2 } from '../testing/pages.ts';

let lab: PageLab;
afterEach(() => lab.close());

/** Writes of an installation since a mark, but for those of its own Lease. */
const writesOf = (name: string, mark: number): readonly string[] =>
  lab.world.writes(mark, `pawl/${name}`).filter((write) => !write.includes('leases'));

test('an object whose record names the live Lease of another installation gets no write at all, and is taken over when that is released', async () => {
  lab = new PageLab();
  await lab.world.install(release(v1, v2));
  const leases = { leaseNamespace: 'default' };
  const blue = await lab.world.operator([release(v1)], { ...leases, operatorName: 'blue', podName: 'blue-0' });
  await lab.world.client.create(Pages, page('front'));
  await lab.reaches('1.0.0');
  expect((await lab.record())?.lease).toBe('pawl-blue');
  const mark = lab.world.mark;
  await lab.world.operator([release(v1, v2)], { ...leases, operatorName: 'green', podName: 'green-0' });
  await lab.world.run(120_000);
  expect(writesOf('green', mark)).toEqual([]);
  await lab.patch({ spec: { text: 'changed' } });
  await lab.world.until('blue has rolled it out', async () => {
    const [stored] = await lab.configMaps();
    return (stored as { data?: { text?: string } } | undefined)?.data?.text === 'changed';
  });
  expect(writesOf('green', mark)).toEqual([]);
  expect(writesOf('blue', mark).length).toBeGreaterThan(0);
  await lab.world.stop(blue);
  await lab.world.until('green has taken over', () => lab.isAt('2.0.0'), 300_000);
  expect((await lab.record())?.lease).toBe('pawl-green');
});
