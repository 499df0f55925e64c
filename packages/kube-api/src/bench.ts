// Measures the server: requests a second in process and over loopback, and the cost of forks. Prints nothing itself.
import { Agent, request as httpRequest } from 'node:http';
import { createApiServer, type ApiServer } from './create-api-server.ts';
import type { ApiRequest, Transport } from './transport.ts';

/** One measurement. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

const HEADERS = { 'user-agent': 'bench/1' };
const MERGE = { ...HEADERS, 'content-type': 'application/merge-patch+json' };
const APPLY = { ...HEADERS, 'content-type': 'application/apply-patch+yaml' };
const COLLECTION = '/api/v1/namespaces/default/configmaps';

function configMap(index: number, value: string): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `c${index}`, labels: { app: 'bench' } },
    data: { value },
  };
}

const get = (index: number): ApiRequest => ({ method: 'GET', path: `${COLLECTION}/c${index}`, headers: HEADERS });
const create = (index: number): ApiRequest => ({
  method: 'POST',
  path: COLLECTION,
  headers: HEADERS,
  body: configMap(index, 'a'),
});
const patch = (index: number, round: number): ApiRequest => ({
  method: 'PATCH',
  path: `${COLLECTION}/c${index}`,
  headers: MERGE,
  body: { data: { value: String(round) } },
});
const apply = (index: number, round: number): ApiRequest => ({
  method: 'PATCH',
  path: `${COLLECTION}/c${index}?fieldManager=bench&force=true`,
  headers: APPLY,
  body: configMap(index, String(round)),
});

async function perSecond(
  name: string,
  count: number,
  run: (index: number) => Promise<unknown>,
  parallel = 1,
): Promise<Measurement> {
  const start = process.hrtime.bigint();
  const worker = async (first: number): Promise<void> => {
    for (let index = first; index < count; index += parallel) await run(index);
  };
  await Promise.all(Array.from({ length: parallel }, (_, first) => worker(first)));
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  return { name, value: count / seconds, unit: 'requests/s' };
}

/** Requests a second on a server in the same process. */
export async function benchInProcess(count = 20_000): Promise<readonly Measurement[]> {
  const server = createApiServer();
  const { request } = server;
  await perSecond('warm-up', 2_000, (index) => request(create(index + 1_000_000)));
  return [
    await perSecond('in process: create', count, (index) => request(create(index))),
    await perSecond('in process: get', count * 5, (index) => request(get(index % count))),
    await perSecond('in process: merge patch', count, (index) => request(patch(index, index))),
    await perSecond('in process: apply', count, (index) => request(apply(index, index))),
    await perSecond('in process: apply without change', count, (index) => request(apply(index, index))),
    await perSecond('in process: list of 500', 200, () =>
      request({ method: 'GET', path: `${COLLECTION}?limit=500`, headers: HEADERS }),
    ),
  ];
}

/** Requests a second over loopback, from the same process, with 16 connections. */
export async function benchHttp(count = 5_000): Promise<readonly Measurement[]> {
  const server = createApiServer();
  const listening = await server.listen();
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const send = (request: ApiRequest): Promise<void> => sendHttp(agent, listening.port, request);
  const measurements = [
    await perSecond('HTTP: create', count, (index) => send(create(index)), 16),
    await perSecond('HTTP: get', count * 2, (index) => send(get(index % count)), 16),
    await perSecond('HTTP: merge patch', count, (index) => send(patch(index, index)), 16),
  ];
  agent.destroy();
  await listening.close();
  return measurements;
}

function sendHttp(agent: Agent, port: number, { method, path, headers, body }: ApiRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const contentType =
      text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
    const outgoing = httpRequest(
      { agent, port, host: '127.0.0.1', method, path, headers: { ...contentType, ...headers } },
      (response) => {
        response.resume();
        response.once('end', resolve);
      },
    );
    outgoing.once('error', reject);
    outgoing.end(text);
  });
}

/** Forks a second of a world with `objects` objects, each followed by one write. */
export async function benchFork(objects = 200, forks = 2_000): Promise<Measurement> {
  const server: ApiServer = createApiServer();
  for (let index = 0; index < objects; index++) await server.request(create(index));
  const start = process.hrtime.bigint();
  for (let index = 0; index < forks; index++) {
    const world: Transport = server.fork();
    await world.request(patch(index % objects, index + 1));
  }
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  return { name: `fork of ${objects} objects and one write`, value: forks / seconds, unit: 'forks/s' };
}
