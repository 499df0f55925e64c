// Where credentials come from, and what people are told when there are none.
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { chooseServer, type ServerChoice } from './choose-server.ts';
import type { Environment } from './in-cluster.ts';

const KUBECONFIG = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'dev',
  clusters: [
    {
      name: 'dev-cluster',
      cluster: { server: 'https://dev.example:6443/', 'certificate-authority-data': btoa('the ca') },
    },
    { name: 'plain', cluster: { server: 'http://127.0.0.1:8001' } },
    { name: 'strange', cluster: { server: 'ftp://nowhere' } },
    { name: 'proxied', cluster: { server: 'https://far.example', 'proxy-url': 'http://proxy.example:3128' } },
  ],
  users: [
    { name: 'me', user: { token: 'secret\n' } },
    { name: 'basic', user: { username: 'u', password: 'p' } },
    { name: 'file', user: { 'client-certificate': 'missing.crt', 'client-key': 'missing.key' } },
  ],
  contexts: [
    { name: 'dev', context: { cluster: 'dev-cluster', user: 'me', namespace: 'team' } },
    { name: 'basic', context: { cluster: 'dev-cluster', user: 'basic' } },
    { name: 'nobody', context: { cluster: 'dev-cluster' } },
    { name: 'plain', context: { cluster: 'plain', user: 'me' } },
    { name: 'proxied', context: { cluster: 'proxied', user: 'me' } },
    { name: 'file', context: { cluster: 'dev-cluster', user: 'file' } },
    { name: 'lost-cluster', context: { cluster: 'gone', user: 'me' } },
    { name: 'lost-user', context: { cluster: 'dev-cluster', user: 'gone' } },
    { name: 'strange', context: { cluster: 'strange', user: 'me' } },
  ],
});
const MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const POD: Environment = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

/** Files by path; a value that is an object is the error of reading it. */
function surroundings(files: Record<string, string | { readonly code: string }>, environment: Environment = {}) {
  const read = (path: string): Promise<string> => {
    const file = files[path] ?? { code: 'ENOENT' };
    return typeof file === 'string' ? Promise.resolve(file) : Promise.reject(Object.assign(new Error(file.code), file));
  };
  return { environment, homeDirectory: '/home/me', clock: new ManualClock(), read };
}
const choose = (choice: ServerChoice, files: Parameters<typeof surroundings>[0] = { '/k': KUBECONFIG }) =>
  chooseServer({ kubeconfig: '/k', ...choice }, surroundings(files));

describe('the order', () => {
  const pod = { [`${MOUNT}/token`]: 't', [`${MOUNT}/ca.crt`]: 'ca', [`${MOUNT}/namespace`]: 'ns' };
  const all = { '/k': KUBECONFIG, '/home/me/.kube/config': KUBECONFIG.replace('dev.example', 'home.example'), ...pod };
  test.each<[string, ServerChoice, Environment, string]>([
    ['an address', { server: 'http://127.0.0.1:8080', kubeconfig: '/k' }, POD, 'http://127.0.0.1:8080'],
    ['a path', { kubeconfig: '/k' }, POD, 'https://dev.example:6443'],
    ['KUBECONFIG', {}, { ...POD, KUBECONFIG: '/k' }, 'https://dev.example:6443'],
    ['the pod', {}, POD, 'https://10.0.0.1:443'],
    ['the home directory', {}, {}, 'https://home.example:6443'],
    ['the home directory, for a context', { context: 'dev' }, POD, 'https://home.example:6443'],
  ])('%s', async (_name, choice, environment, server) => {
    expect((await chooseServer(choice, surroundings(all, environment))).server).toBe(server);
  });

  test('of several files in KUBECONFIG, missing ones are passed over', async () => {
    const files = surroundings({ '/k': KUBECONFIG }, { KUBECONFIG: '/none:/k' });
    expect((await chooseServer({}, files)).server).toBe('https://dev.example:6443');
  });
});

describe('a kubeconfig gives', () => {
  test('server, CA, token and namespace', async () => {
    const credentials = await choose({});
    expect(credentials).toMatchObject({ server: 'https://dev.example:6443', namespace: 'team' });
    expect(await credentials.identity(false)).toEqual({
      headers: { authorization: 'Bearer secret' },
      tls: { ca: 'the ca' },
    });
  });

  test('a password as basic authorization', async () => {
    const { headers } = await (await choose({ context: 'basic' })).identity(false);
    expect(headers).toEqual({ authorization: 'Basic dTpw' });
  });

  test('the CA also without a user', async () => {
    expect(await (await choose({ context: 'nobody' })).identity(false)).toEqual({ headers: {}, tls: { ca: 'the ca' } });
  });

  test('a server without TLS', async () => {
    const credentials = await choose({ context: 'plain' });
    expect(credentials.server).toBe('http://127.0.0.1:8001');
    expect((await credentials.identity(false)).headers).toEqual({ authorization: 'Bearer secret' });
  });

  test('a proxy', async () => {
    expect((await choose({ context: 'proxied' })).proxy).toBe('http://proxy.example:3128');
  });

  test('a new token after a refresh', async () => {
    const files: Record<string, string> = { '/k': KUBECONFIG };
    const credentials = await choose({}, files);
    files['/k'] = KUBECONFIG.replace('secret', 'renewed');
    expect((await credentials.identity(false)).headers).toEqual({ authorization: 'Bearer secret' });
    expect((await credentials.identity(true)).headers).toEqual({ authorization: 'Bearer renewed' });
  });
});

describe('people are told', () => {
  const CONTEXTS = 'dev, basic, nobody, plain, proxied, file, lost-cluster, lost-user, strange';
  test.each<[string, ServerChoice, Record<string, string | { readonly code: string }> | undefined, string]>([
    ['a missing file', {}, {}, 'kubeconfig /k: there is no such file'],
    ['a file that may not be read', {}, { '/k': { code: 'EACCES' } }, 'kubeconfig /k: it may not be read'],
    ['a directory', {}, { '/k': { code: 'EISDIR' } }, 'kubeconfig /k: it is a directory'],
    ['an empty file', {}, { '/k': '' }, 'kubeconfig /k: expected a document, but the input is empty'],
    ['no YAML', {}, { '/k': 'a: [' }, 'kubeconfig /k: '],
    [
      'no context at all',
      {},
      { '/k': '{}' },
      'kubeconfig /k: current-context is missing, and no context was asked for; it has no contexts',
    ],
    [
      'no current context',
      {},
      { '/k': KUBECONFIG.replace('"current-context":"dev",', '') },
      `kubeconfig /k: current-context is missing, and no context was asked for; it has the contexts ${CONTEXTS}`,
    ],
    [
      'a wrong current context',
      {},
      { '/k': KUBECONFIG.replace('"current-context":"dev"', '"current-context":"old"') },
      `kubeconfig /k: current-context names "old", which is not there; it has the contexts ${CONTEXTS}`,
    ],
    [
      'a wrong context',
      { context: 'prod' },
      undefined,
      `kubeconfig /k: the context asked for is "prod", which is not there; it has the contexts ${CONTEXTS}`,
    ],
    [
      'a wrong cluster',
      { context: 'lost-cluster' },
      undefined,
      'kubeconfig /k: context "lost-cluster" names cluster "gone", which is not there; it has the clusters dev-cluster, plain, strange, proxied',
    ],
    [
      'a wrong user',
      { context: 'lost-user' },
      undefined,
      'kubeconfig /k: context "lost-user" names user "gone", which is not there; it has the users me, basic, file',
    ],
    [
      'a wrong server',
      { context: 'strange' },
      undefined,
      'kubeconfig /k: server of cluster "strange" is "ftp://nowhere", whose scheme is "ftp:"; it must be an address such as https://10.0.0.1:6443',
    ],
    ['a missing entry', {}, { '/k': '{"clusters":[{"name":"a"}]}' }, 'kubeconfig /k: clusters[0].cluster is missing'],
    [
      'a wrong address',
      { server: 'localhost:80' },
      undefined,
      'server is "localhost:80", whose scheme is "localhost:"; it must be an address such as https://10.0.0.1:6443',
    ],
  ])('%s', async (_name, choice, files, message) => {
    await expect(choose(choice, files)).rejects.toThrow(message);
  });

  test('a certificate that cannot be read, when it is needed', async () => {
    const credentials = await choose({ context: 'file' });
    await expect(credentials.identity(false)).rejects.toThrow(
      /^kubeconfig \/k: no credentials for user "file": ENOENT.*\/missing.crt/,
    );
  });

  test('a service account that is not mounted', async () => {
    await expect(chooseServer({}, surroundings({}, POD))).rejects.toThrow(
      `the service account ${MOUNT}/token: there is no such file`,
    );
  });
});

describe('a pod', () => {
  test('reads its token again after a minute and on refresh', async () => {
    const files: Record<string, string> = {
      [`${MOUNT}/token`]: 'one\n',
      [`${MOUNT}/ca.crt`]: 'ca',
      [`${MOUNT}/namespace`]: 'ns\n',
    };
    const around = surroundings(files, POD);
    const credentials = await chooseServer({}, around);
    const token = async (refresh = false) => (await credentials.identity(refresh)).headers['authorization'];
    expect([credentials.namespace, await token()]).toEqual(['ns', 'Bearer one']);
    files[`${MOUNT}/token`] = 'two';
    around.clock.advance(59_999);
    expect(await token()).toBe('Bearer one');
    around.clock.advance(1);
    expect(await token()).toBe('Bearer two');
    files[`${MOUNT}/token`] = 'three';
    expect(await token(true)).toBe('Bearer three');
  });

  test('with an IPv6 API server brackets its address', async () => {
    const files = { [`${MOUNT}/token`]: 't', [`${MOUNT}/ca.crt`]: 'ca', [`${MOUNT}/namespace`]: 'ns' };
    const around = surroundings(files, { ...POD, KUBERNETES_SERVICE_HOST: 'fd00::1' });
    expect((await chooseServer({}, around)).server).toBe('https://[fd00::1]:443');
  });
});
