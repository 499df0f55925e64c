import { afterEach, describe, expect, it } from 'vitest';
import { createApiServer, type ApiServer } from '../create-api-server.ts';
import { CONFIG_MAPS, configMap } from '../testing/server.ts';
import type { Listening } from './listen.ts';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

async function listening(server: ApiServer = createApiServer()): Promise<Listening> {
  opened.push(server.close);
  return await server.listen();
}

const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

describe('the server over HTTP', () => {
  it('answers as in process, and streams a watch as lines of JSON in one open response', async () => {
    const server = createApiServer();
    const { url } = await listening(server);
    const controller = new AbortController();
    const watch = await fetch(`${url}${CONFIG_MAPS}?watch=true&resourceVersion=${server.resourceVersion()}`, {
      signal: controller.signal,
    });
    expect(watch.headers.get('content-type')).toBe('application/json');
    expect(watch.headers.get('transfer-encoding')).toBe('chunked');
    const created = await post(url + CONFIG_MAPS, JSON.stringify(configMap('a')));
    expect(created.status).toBe(201);
    const object: unknown = await created.json();
    expect((await server.request({ method: 'GET', path: `${CONFIG_MAPS}/a` })).body).toEqual(object);
    const reader = watch.body?.getReader();
    const chunk = await reader?.read();
    expect(new TextDecoder().decode(chunk?.value)).toBe(`${JSON.stringify({ type: 'ADDED', object })}\n`);
    controller.abort();
  });

  it('sends a watch that begins with very many objects to its end', async () => {
    const count = 6_000;
    const objects = Array.from({ length: count }, (_, index) =>
      configMap(`c${index}`, { text: 'x'.repeat(4_000) }, { namespace: 'default' }),
    );
    const { url } = await listening(createApiServer({ objects }));
    const controller = new AbortController();
    const watch = await fetch(`${url}${CONFIG_MAPS}?watch=true`, { signal: controller.signal });
    let lines = 0;
    for await (const chunk of watch.body ?? []) {
      for (const byte of chunk) if (byte === 10) lines += 1;
      if (lines === count) break;
    }
    expect(lines).toBe(count);
  }, 20_000);

  it('is found below a base path only, watches too', async () => {
    const server = createApiServer();
    opened.push(server.close);
    const { url } = await server.listen({ base: '/secret' });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/secret$/);
    await post(url + CONFIG_MAPS, JSON.stringify(configMap('a')));
    const found = await Promise.all([CONFIG_MAPS, `/other${CONFIG_MAPS}`, `/secrets${CONFIG_MAPS}`].map((path) => fetch(url.replace('/secret', path))));
    expect(found.map(({ status }) => status)).toEqual([404, 404, 404]);
    const controller = new AbortController();
    const watch = await fetch(`${url}${CONFIG_MAPS}?watch=true`, { signal: controller.signal });
    const chunk = await watch.body?.getReader().read();
    expect(new TextDecoder().decode(chunk?.value)).toContain('"ADDED"');
    controller.abort();
  });

  it('sends the events of a watch that ends at once', async () => {
    const server = createApiServer();
    const { url } = await listening(server);
    await post(url + CONFIG_MAPS, JSON.stringify(configMap('a')));
    server.compact();
    const watch = await fetch(`${url}${CONFIG_MAPS}?watch=true&resourceVersion=1`);
    expect(JSON.parse(await watch.text())).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  });

  it('refuses bodies above 3 MiB with 413', async () => {
    const { url } = await listening();
    const response = await post(url + CONFIG_MAPS, JSON.stringify(configMap('a', { x: 'x'.repeat(3 * 1024 * 1024) })));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ reason: 'RequestEntityTooLarge' });
  });

  it('refuses text that is not JSON with 400, and formats that it does not read with 415', async () => {
    const { url } = await listening();
    expect((await post(url + CONFIG_MAPS, '{"a":')).status).toBe(400);
    expect((await post(url + CONFIG_MAPS, 'a: b', { 'content-type': 'application/yaml' })).status).toBe(415);
    expect((await post(url + CONFIG_MAPS, 'x', { 'content-type': 'application/cbor' })).status).toBe(415);
  });

  it('reads YAML that is JSON', async () => {
    const { url } = await listening();
    const response = await post(url + CONFIG_MAPS, JSON.stringify(configMap('a')), {
      'content-type': 'application/yaml',
    });
    expect(response.status).toBe(201);
  });

  it('names fields that appear twice if it is asked to be strict', async () => {
    const { url } = await listening();
    const text = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1","x":"2"}}';
    const response = await post(`${url}${CONFIG_MAPS}?fieldValidation=Strict`, text);
    expect(response.status).toBe(400);
    const prefix = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error';
    expect(await response.json()).toMatchObject({ message: `${prefix}: duplicate field "data.x"` });
  });

  it('sends each warning as a header of its own', async () => {
    const { url } = await listening();
    const object = { ...configMap('a'), x: 1, y: 2 };
    const response = await post(url + CONFIG_MAPS, JSON.stringify(object));
    expect(response.headers.get('warning')).toBe('299 - "unknown field \\"x\\"", 299 - "unknown field \\"y\\""');
  });

  it('says that a port is in use', async () => {
    const server = createApiServer();
    const { port } = await listening(server);
    await expect(server.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('offers a kubeconfig that points at it, and cuts open watches when it is closed', async () => {
    const { close, kubeconfig, url } = await listening();
    expect(kubeconfig.clusters[0]?.cluster.server).toBe(url);
    const watch = await fetch(`${url}${CONFIG_MAPS}?watch=true`);
    const rest = watch.text();
    await close();
    await expect(rest).rejects.toThrow();
    await expect(fetch(url)).rejects.toThrow();
  });
});
