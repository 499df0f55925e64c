// The HTTP transport against a real server: framing, connections, credentials.
import { afterEach, describe, expect, test } from 'vitest';
import { json, line, type Script, ScriptedServer, type ServerTls, stream } from '../testing/scripted-server.ts';
import { CA, SERVER_CERTIFICATE, SERVER_KEY } from '../testing/tls-material.ts';
import { anonymous, type Credentials, type TlsMaterial } from './credentials.ts';
import { HttpTransport } from './http-transport.ts';
import type { WatchEvent } from './transport.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
});

async function serve(script: Script, tls?: ServerTls): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(script, tls);
  cleanups.push(() => server.close());
  return server;
}
function transportTo(credentials: Credentials, maxConnections?: number): HttpTransport {
  const transport = new HttpTransport({ credentials, ...(maxConnections === undefined ? {} : { maxConnections }) });
  cleanups.push(() => transport.close());
  return transport;
}
async function first(events: AsyncIterable<WatchEvent>): Promise<WatchEvent | undefined> {
  for await (const event of events) return event;
  return undefined;
}

describe('a call', () => {
  test('carries method, query, headers and body, and brings back status, headers and JSON', async () => {
    const server = await serve(({ response }) => json(response, { ok: true }, 201, { warning: '299 - "old"' }));
    const answer = await transportTo(anonymous(server.url)).request({
      method: 'PATCH',
      path: '/api/v1/nodes/a%2Fb?dryRun=All',
      headers: { 'content-type': 'application/merge-patch+json', 'user-agent': 'pawl' },
      body: { spec: { größe: 1 } },
    });
    expect(answer).toMatchObject({ status: 201, body: { ok: true }, headers: { warning: '299 - "old"' } });
    expect(server.arrivals).toMatchObject([
      {
        method: 'PATCH',
        path: '/api/v1/nodes/a%2Fb',
        query: { dryRun: 'All' },
        headers: { 'content-type': 'application/merge-patch+json', 'user-agent': 'pawl', accept: 'application/json' },
        body: { spec: { größe: 1 } },
      },
    ]);
  });

  test('brings back text when the answer is not JSON', async () => {
    const server = await serve(({ response }) => response.writeHead(429).end('Too many requests'));
    expect(await transportTo(anonymous(server.url)).request({ method: 'GET', path: '/' })).toMatchObject({
      status: 429,
      body: 'Too many requests',
    });
  });

  test('to a server behind a path keeps the path', async () => {
    const server = await serve(({ response }) => json(response, {}));
    await transportTo(anonymous(`${server.url}/k8s/clusters/c-1/`)).request({ method: 'GET', path: '/version' });
    expect(server.arrivals[0]?.path).toBe('/k8s/clusters/c-1/version');
  });

  test('ends when its signal is aborted', async () => {
    const server = await serve(() => {});
    const controller = new AbortController();
    const call = transportTo(anonymous(server.url)).request({ method: 'GET', path: '/', signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  test('rejects when the connection breaks within the answer', async () => {
    const server = await serve(({ request, response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"a":');
      setImmediate(() => request.socket.destroy());
    });
    await expect(transportTo(anonymous(server.url)).request({ method: 'GET', path: '/' })).rejects.toThrow();
  });
});

describe('connections', () => {
  test('are kept and shared by calls', async () => {
    const server = await serve(({ response }) => json(response, {}));
    const transport = transportTo(anonymous(server.url));
    for (let n = 0; n < 50; n += 1) await transport.request({ method: 'GET', path: '/' });
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  test('of many watches do not starve calls', async () => {
    const server = await serve(({ response, url }) =>
      url.searchParams.has('watch') ? stream(response) : json(response, {}),
    );
    const transport = transportTo(anonymous(server.url), 2);
    const watches = Array.from({ length: 12 }, () => transport.watch({ method: 'GET', path: '/?watch=true' }));
    expect((await Promise.all(watches)).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    const calls = Array.from({ length: 6 }, () => transport.request({ method: 'GET', path: '/' }));
    expect(await Promise.all(calls)).toHaveLength(6);
    expect(server.connections).toBeLessThanOrEqual(14);
  });
});

describe('a watch', () => {
  test('brings its events one by one and ends with the stream', async () => {
    const server = await serve(({ response }) => {
      stream(response, line('ADDED', { n: 1 }), '\n', line('BOOKMARK', { n: 2 }));
      response.end();
    });
    const { events, status, body } = await transportTo(anonymous(server.url)).watch({ method: 'GET', path: '/' });
    const seen: WatchEvent[] = [];
    for await (const event of events) seen.push(event);
    expect([status, body]).toEqual([200, undefined]);
    expect(seen).toEqual([
      { type: 'ADDED', object: { n: 1 } },
      { type: 'BOOKMARK', object: { n: 2 } },
    ]);
  });

  test('that is refused brings the answer', async () => {
    const server = await serve(({ response }) => json(response, { code: 410 }, 410));
    const answer = await transportTo(anonymous(server.url)).watch({ method: 'GET', path: '/' });
    expect(answer).toMatchObject({ status: 410, body: { code: 410 } });
  });

  test('throws when the connection breaks, and when the stream ends inside a line', async () => {
    const server = await serve(({ request, response, url }) => {
      stream(response, '{"type":"ADDED"');
      setImmediate(() => (url.pathname === '/break' ? request.socket.destroy() : response.end()));
    });
    const transport = transportTo(anonymous(server.url));
    const broken = await transport.watch({ method: 'GET', path: '/break' });
    await expect(first(broken.events)).rejects.toThrow();
    const cut = await transport.watch({ method: 'GET', path: '/cut' });
    await expect(first(cut.events)).rejects.toThrow('in the middle of a line');
  });

  test.each(['{"type":"ADDED"}', '{"type":"OTHER","object":{}}', '[]', 'null', '{"type":"ADDED","object":3}'])(
    'does not pass over a line such as %s',
    async (text) => {
      const server = await serve(({ response }) => stream(response, `${text}\n`));
      const { events } = await transportTo(anonymous(server.url)).watch({ method: 'GET', path: '/' });
      await expect(first(events)).rejects.toThrow('is not an event');
    },
  );

  test('does not show the secrets of a line that it cannot read', async () => {
    const server = await serve(({ response }) =>
      stream(response, `{"type":"ADDED","object":${' '.repeat(30)}hunter2\n`),
    );
    const { events } = await transportTo(anonymous(server.url)).watch({ method: 'GET', path: '/' });
    await expect(first(events)).rejects.not.toThrow('hunter2');
  });

  test('closes its connection when the loop is left', async () => {
    const closed = Promise.withResolvers<void>();
    const server = await serve(({ request, response }) => {
      request.socket.on('close', () => closed.resolve());
      stream(response, line('ADDED', {}));
    });
    const { events } = await transportTo(anonymous(server.url)).watch({ method: 'GET', path: '/' });
    await first(events);
    await closed.promise;
  });
});

describe('credentials', () => {
  const withToken = (server: string, tokens: readonly string[], tls: TlsMaterial = {}): Credentials => {
    let current = 0;
    return {
      server,
      identity: (refresh) => {
        if (refresh) current += 1;
        return Promise.resolve({ headers: { authorization: `Bearer ${tokens[current]}` }, tls });
      },
    };
  };
  const guarded: Script = ({ request, response }) =>
    request.headers.authorization === 'Bearer new' ? json(response, { ok: true }) : json(response, {}, 401);

  test('are refreshed once after a 401, and the request is repeated', async () => {
    const server = await serve(guarded);
    const transport = transportTo(withToken(server.url, ['old', 'new']));
    expect(await transport.request({ method: 'POST', path: '/', body: { n: 1 } })).toMatchObject({ status: 200 });
    expect(server.arrivals.map(({ body }) => body)).toEqual([{ n: 1 }, { n: 1 }]);
  });

  test('that stay wrong bring the 401', async () => {
    const server = await serve(guarded);
    const transport = transportTo(withToken(server.url, ['old', 'older']));
    expect(await transport.request({ method: 'GET', path: '/' })).toMatchObject({ status: 401 });
    expect(server.arrivals).toHaveLength(2);
  });

  test('verify the server by its CA', async () => {
    const server = await serve(({ response }) => json(response, {}), { cert: SERVER_CERTIFICATE, key: SERVER_KEY });
    const trusting = transportTo(withToken(server.url, ['any'], { ca: CA }));
    expect(await trusting.request({ method: 'GET', path: '/' })).toMatchObject({ status: 200 });
    await expect(transportTo(anonymous(server.url)).request({ method: 'GET', path: '/' })).rejects.toThrow();
  });

  test('whose TLS material changes open new connections, while old requests go on', async () => {
    const answers: (() => void)[] = [];
    const server = await serve(({ response }) => answers.push(() => json(response, {})), {
      cert: SERVER_CERTIFICATE,
      key: SERVER_KEY,
    });
    const tls = [{ ca: CA }, { ca: CA, servername: 'server.test' }];
    let asked = 0;
    const credentials: Credentials = {
      server: server.url,
      identity: () => Promise.resolve({ headers: {}, tls: tls[asked++] ?? {} }),
    };
    const transport = transportTo(credentials);
    const calls = [transport.request({ method: 'GET', path: '/' }), transport.request({ method: 'GET', path: '/' })];
    while (answers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (const answer of answers) answer();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
    expect(server.connections).toBe(2);
  });
});
