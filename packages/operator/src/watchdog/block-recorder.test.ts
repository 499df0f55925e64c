import { afterEach, beforeEach, expect, test } from 'vitest';
import { page, Pages, release, v1 } from '../testing/pages.ts';
import { World } from '../testing/world.ts';
import { recordBlock, remark } from './block-recorder.ts';
import type { BlockReport } from './block-report.ts';
import { markOf } from './quarantine.ts';

let world: World;
beforeEach(async () => {
  world = new World();
  await world.install(release(v1));
});
afterEach(() => world.close());

const KIND = { packageName: 'pages', resource: Pages };
const NAME = { name: 'front', namespace: 'default' };
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function fileWith(text: string | undefined) {
  let content = text;
  return {
    read: () => Promise.resolve(content),
    remove: () => {
      content = undefined;
      return Promise.resolve();
    },
    content: () => content,
  };
}

const reportOn = (uid: string): string => {
  const active = { action: 'Served', apiVersion: Pages.apiVersion, kind: 'Page', ...NAME, uid, generation: 1 };
  const report: BlockReport = { active, where: [], blockedMs: 1, at: '2026-01-01T00:00:00Z', release: 'test' };
  return JSON.stringify(report);
};

test('the report of one process becomes a mark on the object, which counts up and can be taken off', async () => {
  const { metadata } = await world.client.create(Pages, page('front'));
  for (const times of [1, 2]) {
    const file = fileWith(reportOn(metadata.uid));
    await recordBlock({ file, kinds: [KIND], client: world.client, log });
    const object = await world.client.get(Pages, NAME);
    expect(markOf(object)).toMatchObject({ action: 'Served', times });
    expect(file.content()).toBeUndefined();
  }
  await remark(await world.client.get(Pages, NAME), undefined, KIND, world.client);
  expect(markOf(await world.client.get(Pages, NAME))).toBeUndefined();
});

test('a report about an object that is gone, or of which another has the name, is dropped', async () => {
  await world.client.create(Pages, page('front'));
  const file = fileWith(reportOn('another'));
  await recordBlock({ file, kinds: [KIND], client: world.client, log });
  expect(markOf(await world.client.get(Pages, NAME))).toBeUndefined();
  expect(file.content()).toBeUndefined();
});

test('a report that could not be written down stays for the next process', async () => {
  const { metadata } = await world.client.create(Pages, page('front'));
  const file = fileWith(reportOn(metadata.uid));
  const client = { find: () => Promise.reject(new Error('no route to host')) } as unknown as typeof world.client;
  await recordBlock({ file, kinds: [KIND], client, log });
  expect(file.content()).toBeDefined();
});

test('without a report nothing happens', async () => {
  const mark = world.mark;
  await recordBlock({ file: fileWith(undefined), kinds: [KIND], client: world.client, log });
  expect(world.writes(mark, 'user')).toEqual([]);
});
