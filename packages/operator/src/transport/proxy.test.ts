// The way to the API server through a proxy: which one, when none, and that calls and watches really take it.
import { afterEach, describe, expect, test } from 'vitest';
import { connect as connectTo } from '../connect.ts';
import { ConnectProxy } from '../testing/connect-proxy.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { json, line, type Script, ScriptedServer, stream } from '../testing/scripted-server.ts';
import { CA, SERVER_CERTIFICATE, SERVER_KEY } from '../testing/tls-material.ts';
import type { HttpTransport } from './http-transport.ts';
import { proxyOf } from './proxy.ts';

describe('the environment', () => {
  const HTTPS_PROXY = 'http://proxy.example:3128';
  test.each<[string, Record<string, string>, string, string | undefined]>([
    ['names the proxy of a server with TLS', { HTTPS_PROXY }, 'https://api.example', HTTPS_PROXY],
    ['names it in small letters', { https_proxy: HTTPS_PROXY }, 'https://api.example', HTTPS_PROXY],
    ['may leave out the scheme', { HTTPS_PROXY: 'proxy.example:3128' }, 'https://api.example', HTTPS_PROXY],
    ['names another one for a server without TLS', { HTTPS_PROXY, HTTP_PROXY: 'socks5://p:1080' }, 'http://api.example', 'socks5://p:1080'],
    ['does not use that for a server with TLS', { HTTP_PROXY: HTTPS_PROXY }, 'https://api.example', undefined],
    ['says nothing by an empty text', { HTTPS_PROXY: '' }, 'https://api.example', undefined],
    ['is not asked for this machine', { HTTPS_PROXY }, 'https://127.0.0.2:6443', undefined],
    ['nor for its name', { HTTPS_PROXY }, 'https://localhost:6443', undefined],
    ['excepts a range of addresses', { HTTPS_PROXY, NO_PROXY: 'x.example, 10.96.0.0/12' }, 'https://10.96.0.1:443', undefined],
    ['excepts no address outside of it', { HTTPS_PROXY, NO_PROXY: '10.96.0.0/12' }, 'https://10.112.0.1:443', HTTPS_PROXY],
    ['excepts a range of IPv6 addresses', { HTTPS_PROXY, no_proxy: 'fd00::/8' }, 'https://[fd00::1]:443', undefined],
    ['may hold nonsense beside', { HTTPS_PROXY, NO_PROXY: '10.0.0.0/99,/8,a/b' }, 'https://10.0.0.1', HTTPS_PROXY],
  ])('%s', (_what, environment, server, proxy) => {
    expect(proxyOf(environment, server).proxy).toBe(proxy);
  });
});

describe('over real connections', () => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  const script: Script = ({ url, response }) => {
    if (url.searchParams.get('watch') === 'true') stream(response, line('ADDED', { metadata: { name: 'a' } }));
    else json(response, { via: url.pathname });
  };

  /** A server with TLS that only the proxy can find by its name. */
  async function setUp() {
    const server = await ScriptedServer.start(script, { cert: SERVER_CERTIFICATE, key: SERVER_KEY });
    cleanups.push(() => server.close());
    const { port } = new URL(server.url);
    const proxy = await ConnectProxy.start((target) => (target === `server.test:${port}` ? Number(port) : undefined));
    cleanups.push(() => proxy.close());
    return { server, proxy, port };
  }

  async function transportTo(host: string, environment: Record<string, string>, proxyUrl?: string): Promise<HttpTransport> {
    const cluster = { server: `https://${host}`, 'certificate-authority-data': btoa(CA), ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }) };
    const config = {
      'current-context': 'dev',
      clusters: [{ name: 'dev', cluster }],
      users: [{ name: 'me', user: { token: 'secret' } }],
      contexts: [{ name: 'dev', context: { cluster: 'dev', user: 'me' } }],
    };
    const read = () => Promise.resolve(JSON.stringify(config));
    const transport = await connectTo({ kubeconfig: '/k' }, { environment, homeDirectory: '/', clock: new ManualClock(), read });
    cleanups.push(() => transport.close());
    return transport;
  }

  async function firstEvent(transport: HttpTransport): Promise<unknown> {
    const ending = new AbortController();
    const { events } = await transport.watch({ method: 'GET', path: '/api/v1/pods?watch=true', signal: ending.signal });
    for await (const event of events) return event;
    return undefined;
  }

  test('calls and watches go through the proxy of the environment, and the server is still verified by its own CA', async () => {
    const { server, proxy, port } = await setUp();
    const transport = await transportTo(`server.test:${port}`, { HTTPS_PROXY: proxy.address });
    expect(await transport.request({ method: 'GET', path: '/version' })).toMatchObject({ status: 200, body: { via: '/version' } });
    expect(await firstEvent(transport)).toMatchObject({ type: 'ADDED' });
    expect(proxy.asked.map(({ target }) => target)).toEqual([`server.test:${port}`, `server.test:${port}`]);
    expect(server.arrivals.map(({ headers }) => headers['authorization'])).toEqual(['Bearer secret', 'Bearer secret']);
  });

  test('the proxy of the kubeconfig wins over that of the environment, and gets its user and password', async () => {
    const { proxy, port } = await setUp();
    const environment = { HTTPS_PROXY: 'http://nowhere.test:1', NO_PROXY: '*' };
    const transport = await transportTo(`server.test:${port}`, environment, `http://me:p%40ss@${proxy.address}`);
    expect((await transport.request({ method: 'GET', path: '/version' })).status).toBe(200);
    expect(proxy.asked).toEqual([{ target: `server.test:${port}`, authorization: `Basic ${btoa('me:p@ss')}` }]);
  });

  test.each(['127.0.0.1', '*', '127.0.0.0/8', 'x.test, 127.0.0.1'])('NO_PROXY=%s goes past the proxy', async (NO_PROXY) => {
    const { proxy, port } = await setUp();
    const transport = await transportTo(`127.0.0.1:${port}`, { HTTPS_PROXY: proxy.address, NO_PROXY });
    expect((await transport.request({ method: 'GET', path: '/version' })).status).toBe(200);
    expect(proxy.asked).toEqual([]);
  });

  test.each(['server.test', '.test', '*'])('NO_PROXY=%s does so for a name as well', async (NO_PROXY) => {
    const { proxy, port } = await setUp();
    const transport = await transportTo(`server.test:${port}`, { HTTPS_PROXY: proxy.address, NO_PROXY });
    // Past the proxy nobody knows that name.
    await expect(transport.request({ method: 'GET', path: '/version' })).rejects.toMatchObject({ code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
    expect(proxy.asked).toEqual([]);
  });

  test('many watches at once do not wait for each other, even to a server without TLS', async () => {
    const server = await ScriptedServer.start(script);
    cleanups.push(() => server.close());
    const { port } = new URL(server.url);
    const proxy = await ConnectProxy.start(() => Number(port));
    cleanups.push(() => proxy.close());
    const transport = await connectTo(
      { server: `http://server.test:${port}` },
      { environment: { HTTP_PROXY: `http://${proxy.address}` }, homeDirectory: '/', clock: new ManualClock() },
    );
    cleanups.push(() => transport.close());
    const watches = Array.from({ length: 20 }, () => transport.watch({ method: 'GET', path: '/api/v1/pods?watch=true' }));
    expect((await Promise.all(watches)).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect((await transport.request({ method: 'GET', path: '/version' })).status).toBe(200);
  });

  test('a proxy that refuses is an error, not silence', async () => {
    const { proxy } = await setUp();
    const transport = await transportTo('other.test:443', { HTTPS_PROXY: proxy.address });
    await expect(transport.request({ method: 'GET', path: '/version' })).rejects.toThrow('403');
  });

  test.each([
    [{ HTTPS_PROXY: 'ftp://proxy.example' }, undefined, 'HTTPS_PROXY is "ftp://proxy.example", whose scheme is "ftp:"; it must be an http, https or socks5 address such as http://proxy.example:3128'],
    [{ https_proxy: 'http://me:secret@:x' }, undefined, 'https_proxy is "http://***@:x"; it must be an http, https or socks5 address such as http://proxy.example:3128'],
    [{}, 'proxy.example', 'kubeconfig /k: proxy-url of cluster "dev" is "proxy.example"; it must be an http, https or socks5 address such as http://proxy.example:3128'],
    [{}, 'gopher://proxy.example', 'kubeconfig /k: proxy-url of cluster "dev" is "gopher://proxy.example", whose scheme is "gopher:"; it must be'],
  ])('a bad address is refused by the name of its field: %j %s', async (environment, proxyUrl, message) => {
    await expect(transportTo('api.example', environment, proxyUrl)).rejects.toThrow(message);
  });
});
