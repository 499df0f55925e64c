// Watches that end or fall silent, in every way that was seen in the field.
import { describe, expect, test } from 'vitest';
import { bookmark, configMap } from '../testing/informer-lab.ts';
import { json, line, status, stream } from '../testing/scripted-server.ts';
import { useLabs } from '../testing/use-labs.ts';

const lab = useLabs();

describe('a watch that ends', () => {
  test('by the server, again and again at once, is reopened after growing pauses', async () => {
    const it = await lab({
      watch: ({ response }, n) => (n <= 3 ? (stream(response), response.end()) : stream(response)),
    });
    await it.sync();
    for (let n = 0; n < 3; n += 1) await it.passBackoff();
    await it.until('the fourth watch or a list', () => it.server.lists().length === 2 || it.resumed() === 4);
    const waits = it.failures.filter(({ next }) => next === 'resume').map(({ waitMs }) => waitMs);
    expect(waits).toEqual([500, 1_000]);
    expect(it.failures.at(-1)).toMatchObject({ next: 'relist', waitMs: 2_000 });
  });

  test('by the server in its time is reopened at once, where it ended', async () => {
    let end = (): void => {};
    const it = await lab({
      watch: ({ response }, n) => {
        stream(response, ...(n === 1 ? [line('ADDED', configMap('b', 101))] : []));
        end = () => response.end();
      },
    });
    await it.sync();
    await it.until('b', () => it.events.includes('added b@101'));
    it.clock.advance(20_000);
    end();
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.server.watches().at(-1)?.query['resourceVersion']).toBe('101');
    expect(it.failures).toEqual([]);
  });

  test('by a broken connection is resumed from the last revision', async () => {
    const it = await lab({
      watch: ({ request, response }, n) => {
        stream(response, line('ADDED', configMap('b', 100 + n)));
        if (n === 1) setImmediate(() => request.socket.destroy());
      },
    });
    await it.sync();
    await it.passBackoff();
    await it.until('the second event', () => it.events.length === 3);
    expect(it.events).toEqual(['added a@1', 'added b@101', 'updated b@102']);
    expect(it.server.lists()).toHaveLength(1);
  });

  test.each(['as an event', 'as an answer'])(
    'by an expired revision, told %s, is followed by a new list',
    async (how) => {
      const it = await lab({
        watch: ({ response }, n) => {
          if (n > 1) stream(response);
          else if (how === 'as an answer') json(response, status(410, 'Expired'), 410);
          else stream(response, line('ERROR', status(410, 'Expired')));
        },
      });
      await it.sync();
      await it.passBackoff();
      await it.watching(2);
      expect(it.server.lists()).toHaveLength(2);
      expect(it.failures.map(({ next }) => next)).toEqual(['relist']);
    },
  );

  test('by a failure of the server is resumed', async () => {
    const it = await lab({
      watch: ({ response }, n) => (n === 1 ? json(response, status(500, 'InternalError'), 500) : stream(response)),
    });
    await it.sync();
    await it.passBackoff();
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.server.lists()).toHaveLength(1);
  });

  test('by an overloaded server is resumed no sooner than the server asks', async () => {
    const it = await lab({
      watch: ({ response }, n) =>
        n === 1 ? (response.writeHead(429, { 'retry-after': '7' }), response.end('slow down')) : stream(response),
    });
    await it.sync();
    await it.passBackoff();
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.failures.map(({ waitMs }) => waitMs)).toEqual([7_000]);
  });

  test('by ERROR events other than expiry is resumed, and listed anew when that brings nothing', async () => {
    const it = await lab({
      watch: ({ response }, n) =>
        n <= 3 ? stream(response, line('ERROR', status(500, 'InternalError'))) : stream(response),
    });
    await it.sync();
    for (let n = 0; n < 3; n += 1) await it.passBackoff();
    await it.until('the fourth watch', () => it.resumed() === 4);
    expect(it.failures.map(({ next }) => next)).toEqual(['resume', 'resume', 'relist']);
    expect(it.server.lists()).toHaveLength(2);
  });

  test('inside a line that is no JSON is resumed; what came before counts', async () => {
    const it = await lab({
      watch: ({ response }, n) =>
        n === 1
          ? stream(response, line('ADDED', configMap('b', 101)), '{"type":"ADDED","object":\n')
          : stream(response, line('ADDED', configMap('c', 103))),
    });
    await it.sync();
    await it.passBackoff();
    await it.until('c', () => it.events.includes('added c@103'));
    expect(it.failures.map(({ error }) => error.name)).toEqual(['WatchFormatError']);
    expect(it.server.watches().at(-1)?.query['resourceVersion']).toBe('101');
  });
});

describe('a watch that is silent', () => {
  test('is given up after 70 s and resumed', async () => {
    const it = await lab();
    await it.sync();
    await it.opened(1);
    it.clock.advance(69_999);
    expect(it.informer.reports[0]?.state).toBe('watching');
    it.clock.advance(1);
    await it.passBackoff();
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.failures[0]?.error.message).toBe('no sign of life for 70000 ms');
    expect(it.server.lists()).toHaveLength(1);
  });

  test('is given up after 70 s also when the wall clock is set back', async () => {
    const it = await lab();
    await it.sync();
    await it.opened(1);
    it.clock.correct(-3_600_000);
    it.clock.advance(70_000);
    await it.passBackoff();
    await it.until('the second watch', () => it.resumed() === 2);
  });

  test('but for bookmarks lives on, and they move the revision', async () => {
    let say = (_text: string): void => {};
    const it = await lab({
      watch: ({ response }) => {
        stream(response);
        say = (text) => response.write(text);
      },
    });
    await it.sync();
    await it.opened(1);
    for (const revision of [200, 300]) {
      it.clock.advance(60_000);
      const before = it.informer.reports[0]?.lastContactAt;
      say(bookmark(revision));
      await it.until('the bookmark', () => it.informer.reports[0]?.lastContactAt !== before);
    }
    it.clock.advance(70_000);
    await it.passBackoff();
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.server.watches().at(-1)?.query['resourceVersion']).toBe('300');
  });

  test('before it has begun is given up at the deadline of calls', async () => {
    const it = await lab({ watch: ({ response }, n) => (n === 1 ? undefined : stream(response)) });
    await it.sync();
    await it.until('the watch', () => it.resumed() === 1);
    it.clock.advance(15_000);
    await it.passBackoff();
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.failures[0]?.error).toMatchObject({ failure: 'timeout' });
  });

  test('asks for bookmarks and an end within 180 to 230 s, and ends itself soon after', async () => {
    let say = (_text: string): void => {};
    const it = await lab({
      watch: ({ response }) => {
        stream(response);
        say = (text) => response.write(text);
      },
    });
    await it.sync();
    await it.opened(1);
    expect(it.server.watches().at(-1)?.query).toMatchObject({ allowWatchBookmarks: 'true', timeoutSeconds: '205' });
    for (let n = 1; n <= 4; n += 1) {
      it.clock.advance(50_000);
      say(bookmark(100 + n));
      await it.until('the bookmark', () => it.informer.reports[0]?.lastContactAt === it.clock.now());
    }
    it.clock.advance(15_000);
    await it.until('the second watch', () => it.resumed() === 2);
    expect(it.failures).toEqual([]);
  });
});
