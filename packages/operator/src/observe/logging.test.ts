import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { KubeError } from '../client/api-error.ts';
import { createLogger, type LogLevel } from './logging.ts';
import { Sensitive } from './sensitive.ts';

type Line = Readonly<Record<string, unknown>>;

function logging(level: LogLevel = 'debug') {
  const written: string[] = [];
  const log = createLogger({
    level,
    bindings: { service: 'web', version: '1.2.0', pod: 'web-0' },
    destination: { write: (text: string) => void written.push(text) },
    clock: { now: () => 0 },
  });
  return { log, text: () => written.join(''), lines: () => written.map((text) => JSON.parse(text) as Line) };
}

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'key', namespace: 'shop', uid: 'u', resourceVersion: '7', annotations: { note: 'PLANTED-a' } },
  data: { password: 'PLANTED-b' },
  stringData: { password: 'PLANTED-c' },
};

describe('a line', () => {
  test('is JSON with level, time, who speaks, fields and message', () => {
    const { log, text } = logging();
    log.info({ kind: 'Page', epoch: 3 }, 'a procedure version was chosen');
    expect(text()).toBe(
      '{"level":"info","time":"1970-01-01T00:00:00.000Z","service":"web","version":"1.2.0","pod":"web-0",' +
        '"kind":"Page","epoch":3,"msg":"a procedure version was chosen"}\n',
    );
  });

  test('below the level is not written', () => {
    const { log, lines } = logging('warn');
    log.debug({}, 'a');
    log.info({}, 'b');
    log.warn({}, 'c');
    log.error({}, 'd');
    expect(lines().map(({ level }) => level)).toEqual(['warn', 'error']);
    expect(logging('silent').text()).toBe('');
  });
});

describe('a Kubernetes object', () => {
  test('is printed by its name, wherever it stands', () => {
    const { log, lines } = logging();
    log.info({ object: secret, deep: { list: [secret] } }, 'x');
    const name = { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'key', resourceVersion: '7' };
    expect(lines()[0]).toMatchObject({ object: name, deep: { list: [name] } });
  });

  test('as an item of a list, without a kind, as well', () => {
    const { log, lines } = logging();
    const { apiVersion: _a, kind: _k, ...item } = secret;
    log.info({ items: [item] }, 'x');
    expect(lines()[0]?.['items']).toEqual([{ namespace: 'shop', name: 'key', resourceVersion: '7' }]);
  });
});

describe('an error', () => {
  test('keeps what explains it, and its causes', () => {
    const { log, lines } = logging();
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', request: { headers: { authorization: 'PLANTED' } } });
    log.warn({ err: new KubeError({ failure: 'network', code: 0, reason: 'ECONNREFUSED', message: 'GET /api: connect', cause }) }, 'x');
    expect(lines()[0]?.['err']).toMatchObject({
      type: 'ApiError',
      message: 'GET /api: connect',
      reason: 'ECONNREFUSED',
      failure: 'network',
      cause: { message: 'connect', code: 'ECONNREFUSED' },
      stack: expect.stringContaining('GET /api: connect'),
    });
    expect(JSON.stringify(lines())).not.toContain('PLANTED');
  });
});

test('no secret that was planted anywhere reaches a line', () => {
  const { log, text } = logging();
  const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJQTEFOVEVEIn0.UExBTlRFRC1zaWduYXR1cmU';
  const password = new Sensitive('PLANTED-sensitive');
  class Account {
    readonly user = 'web';
    readonly clientSecret = 'PLANTED-class';
    readonly #password = 'PLANTED-private';
    matches = (text: string): boolean => text === this.#password;
  }
  const planted: readonly object[] = [
    { object: secret },
    { patch: { stringData: { a: 'PLANTED' }, data: { b: 'PLANTED' } } },
    { headers: { Authorization: 'Bearer PLANTED-token-in-header', 'set-cookie': 'PLANTED' } },
    { token: 'PLANTED', refresh_token: 'PLANTED', idToken: 'PLANTED', 'client-key-data': 'PLANTED' },
    { options: { auth: { password: 'PLANTED', apiKey: 'PLANTED', credentials: { any: 'PLANTED' } } } },
    { metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'PLANTED' } } },
    { note: 'sent Authorization: Bearer PLANTED-token-in-a-text' },
    { url: 'https://web:PLANTED-password@db.shop/x' },
    { pem: '-----BEGIN RSA PRIVATE KEY-----\nPLANTED\n-----END RSA PRIVATE KEY-----\n' },
    { jwt },
    { password },
    { map: new Map([['token', 'PLANTED']]), set: new Set([secret]) },
    { account: new Account() },
    { err: new Error('the token Bearer PLANTED-token-in-an-error was refused', { cause: { secret: 'PLANTED' } }) },
    { err: new AggregateError([new Error('basic UExBTlRFRDpQTEFOVEVE')], 'both') },
    { bytes: Buffer.from('PLANTED') },
    new Error('Bearer PLANTED-token-as-bindings'),
  ];
  for (const fields of planted) log.error(fields, 'asked with Bearer PLANTED-token-in-a-message');
  log.info({}, jwt);
  log.info({}, `the password is ${String(password)}`);
  expect(text().split('\n')).toHaveLength(planted.length + 3);
  expect(text()).not.toMatch(/PLANTED|UExBTlRFRD|UExBTlRFRC1z/);
  expect(text()).toContain('"user":"web"');
});

describe('a sensitive value', () => {
  test('shows a fingerprint in every form, and itself only when asked', () => {
    const value = new Sensitive('hunter2');
    const forms = [String(value), JSON.stringify(value), inspect(value), inspect({ deep: [value] })];
    for (const form of forms) expect(form).toMatch(/sensitive:[0-9a-f]{12}/);
    expect(forms.join('')).not.toContain('hunter2');
    expect(new Sensitive('hunter2').fingerprint).toBe(value.fingerprint);
    expect(new Sensitive('hunter3').fingerprint).not.toBe(value.fingerprint);
    expect(value.reveal()).toBe('hunter2');
  });
});

test('logging survives whatever it is given', () => {
  const { log, lines } = logging();
  const circular: Record<string, unknown> = { name: 'a' };
  circular['self'] = circular;
  const hostile = Object.defineProperty({}, 'x', { enumerable: true, get: () => { throw new Error('no'); } });
  log.info({ circular, hostile, big: 1n, at: new Date(0), bad: new Date(Number.NaN), f: () => 1, s: Symbol('s'), n: null }, 'x');
  log.info({ many: Array.from({ length: 200 }, (_, n) => n), long: 'x'.repeat(20_000), deep: nested(20) }, 'y');
  const [first, second] = lines();
  expect(first).toMatchObject({
    circular: { name: 'a', self: '[circular]' },
    hostile: { x: '[unreadable]' },
    big: '1',
    at: '1970-01-01T00:00:00.000Z',
    bad: 'Invalid Date',
    s: 'Symbol(s)',
    n: null,
  });
  expect(Object.values(second?.['many'] ?? {}).at(-1)).toBe('[150 more]');
  expect(String(second?.['long']).length).toBeLessThan(8_200);
  expect(JSON.stringify(second?.['deep'])).toContain('[deep]');
});

function nested(depth: number): object {
  return depth === 0 ? {} : { next: nested(depth - 1) };
}
