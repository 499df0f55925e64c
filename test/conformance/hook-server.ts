// A webhook server for rows: what a webhook does follows from its path, so that rows stay data.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from './matchers.ts';

type Json = Readonly<Record<string, unknown>>;

/** A running webhook server. */
export interface HookServer {
  /** Such as `https://127.0.0.1:34567`. */
  readonly url: string;
  /** Its certificate as `caBundle` wants it. */
  readonly caBundle: string;
  readonly close: () => Promise<void>;
}

/** True if the certificate of a webhook server can be made here. */
export function canServeHooks(): boolean {
  hasOpenssl ??= spawnSync('openssl', ['version']).status === 0;
  return hasOpenssl;
}

let hasOpenssl: boolean | undefined;

/** Starts a webhook server on a free loopback port. */
export async function startHookServer(): Promise<HookServer> {
  const { key, cert } = certificate();
  const server = createServer({ key, cert }, (request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${String(port)}`,
    caBundle: Buffer.from(cert).toString('base64'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  const path = (incoming.url ?? '').split('?')[0];
  if (path === '/silent') return;
  if (path === '/broken') {
    response.writeHead(500).end('broken');
    return;
  }
  const review = JSON.parse(text) as { readonly request: Json };
  const uid = review.request['uid'];
  const reply = path === '/convert' ? converted(review.request) : admitted(path ?? '', review.request);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...review, request: undefined, response: { uid, ...reply } }));
}

/** The response of an admission webhook. */
function admitted(path: string, request: Json): Json {
  switch (path) {
    case '/allow':
      return { allowed: true };
    case '/deny':
      return { allowed: false, status: { message: 'not today' } };
    case '/deny-teapot':
      return { allowed: false, status: { code: 418, reason: 'Teapot', message: 'short and stout' } };
    case '/warn':
      return { allowed: true, warnings: ['be careful', 'be very careful'] };
    case '/echo':
      return { allowed: false, status: { message: JSON.stringify(digest(request)) } };
    case '/label-a':
      return patched(request, { op: 'add', path: '/metadata/labels', value: { ...labelsOf(request), a: 'yes' } });
    case '/label-b':
      // Proves the order: it says what it saw of the one before.
      return patched(request, {
        op: 'add',
        path: '/metadata/labels',
        value: { ...labelsOf(request), b: labelsOf(request)['a'] ?? 'no' },
      });
    case '/bad-patch':
      return patched(request, { op: 'remove', path: '/metadata/none' });
    case '/deny-labelled':
      return labelsOf(request)['a'] === undefined
        ? { allowed: true }
        : { allowed: false, status: { message: 'labelled' } };
    default:
      throw new Error(`the webhook server has no ${path}`);
  }
}

function patched(_: Json, operation: Json): Json {
  const patch = Buffer.from(JSON.stringify([operation])).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch };
}

function labelsOf(request: Json): Json {
  const object = request['object'];
  const metadata = isRecord(object) ? object['metadata'] : undefined;
  const labels = isRecord(metadata) ? metadata['labels'] : undefined;
  return isRecord(labels) ? labels : {};
}

/** What rows want to know of a review; objects only by name. */
function digest(request: Json): Json {
  const { operation, resource, subResource, kind, name, namespace, dryRun, options, userInfo, object, oldObject } =
    request;
  const nameOf = (value: unknown): unknown =>
    isRecord(value) && isRecord(value['metadata']) ? value['metadata']['name'] : null;
  return {
    operation,
    resource,
    subResource,
    kind,
    name,
    namespace,
    dryRun,
    options: isRecord(options) ? options['kind'] : null,
    user: isRecord(userInfo) ? userInfo['username'] : null,
    object: nameOf(object),
    oldObject: nameOf(oldObject),
  };
}

/** v2 of a thing says `spec.volume` where v1 says `spec.size`. */
function converted(request: Json): Json {
  const desired = String(request['desiredAPIVersion']);
  const [from, to] = desired.endsWith('/v2') ? ['size', 'volume'] : ['volume', 'size'];
  const convertedObjects = (request['objects'] as readonly Json[]).map((object) => {
    const { [from]: value, ...spec } = (object['spec'] ?? {}) as Json;
    return { ...object, apiVersion: desired, spec: { ...spec, ...(value === undefined ? {} : { [to]: value }) } };
  });
  return { convertedObjects, result: { status: 'Success' } };
}

function certificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-hook-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=127.0.0.1',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
