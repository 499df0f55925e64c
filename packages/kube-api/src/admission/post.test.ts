import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { CONFIG_MAPS, configMap, testServer, type TestServer } from '../testing/server.ts';
import { CONFIGURATIONS, configMapWebhook } from './testing.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** Listens; each request gets this code, and the text that is made of its body. */
async function listening(status: number, answer: (body: string) => string): Promise<string> {
  server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => outgoing.writeHead(status).end(answer(Buffer.concat(chunks).toString('utf8'))));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function hooked(url: string): Promise<TestServer> {
  const test = testServer({ webhooks: { serviceUrl: () => url } });
  await test.ok('POST', `${CONFIGURATIONS}/validatingwebhookconfigurations`, {
    metadata: { name: 'x' },
    webhooks: [
      { ...configMapWebhook('h'), clientConfig: { service: { namespace: 'default', name: 'h', path: '/v' } } },
    ],
  });
  return test;
}

const fault = (why: string): object => ({
  status: 500,
  body: {
    message: `Internal error occurred: failed calling webhook "h.test.dev": failed to call webhook: ${why}`,
  },
});

describe('a webhook over HTTP', () => {
  it('gets the review and is heard', async () => {
    const url = await listening(200, (body) => {
      const { kind, apiVersion, request } = JSON.parse(body) as {
        kind: string;
        apiVersion: string;
        request: { uid: string };
      };
      return JSON.stringify({ kind, apiVersion, response: { uid: request.uid, allowed: false } });
    });
    const { send } = await hooked(url);
    expect((await send('POST', CONFIG_MAPS, configMap('a'))).status).toBe(400);
  });

  it('that answers with an error is quoted', async () => {
    const { send } = await hooked(await listening(500, () => 'boom'));
    expect(await send('POST', CONFIG_MAPS, configMap('a'))).toMatchObject(
      fault('an error on the server ("boom") has prevented the request from succeeding'),
    );
  });

  it('that nobody serves is named', async () => {
    const url = await listening(200, () => '');
    server?.close();
    const { send } = await hooked(url);
    const target = 'https://h.default.svc:443/v?timeout=10s';
    expect(await send('POST', CONFIG_MAPS, configMap('a'))).toMatchObject(
      fault(`Post "${target}": dial tcp ${url.slice(7)}: connect: connection refused`),
    );
  });
});
