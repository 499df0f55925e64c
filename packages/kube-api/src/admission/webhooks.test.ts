import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../json.ts';
import { CONFIG_MAPS, configMap, PATCH } from '../testing/server.ts';
import { CONFIGURATIONS, hookedServer, patching } from './testing.ts';

const allow = (): { allowed: boolean } => ({ allowed: true });

describe('webhooks', () => {
  it('are called only for what their rules and selectors name', async () => {
    const { ok, reviews, configure } = hookedServer(allow);
    await configure('Validating', {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
      objectSelector: { matchExpressions: [{ key: 'seen', operator: 'Exists' }] },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
    });
    const seen = { labels: { seen: '' } };
    await ok('POST', CONFIG_MAPS, configMap('other'));
    await ok('POST', '/api/v1/namespaces/kube-public/configmaps', configMap('elsewhere', {}, seen));
    await ok('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'secret', ...seen } });
    await ok('POST', CONFIG_MAPS, configMap('a', {}, seen));
    await ok('PATCH', `${CONFIG_MAPS}/a`, { data: { x: '1' } }, PATCH.merge);
    expect(reviews.map((review) => review['name'])).toEqual(['a']);
  });

  it('are not called for their own configurations', async () => {
    const rules = [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] }];
    const { ok, reviews, configure } = hookedServer(() => ({ allowed: false }));
    await configure('Validating', { rules });
    await ok('DELETE', `${CONFIGURATIONS}/validatingwebhookconfigurations/validating`);
    expect(reviews).toEqual([]);
  });

  it('that fail are passed over if their policy says so', async () => {
    const { ok, configure } = hookedServer(() => 'nonsense');
    await configure('Validating', { failurePolicy: 'Ignore' });
    await configure('Mutating', { failurePolicy: 'Ignore' });
    expect((await ok('POST', CONFIG_MAPS, configMap('a'))).metadata.name).toBe('a');
  });

  it("have as much of the server's time as their configuration gives them", async () => {
    const { send, clock, configure } = hookedServer(() => new Promise(() => {}));
    await configure('Validating', { timeoutSeconds: 2 });
    const answer = send('POST', CONFIG_MAPS, configMap('a'));
    await Promise.resolve();
    clock.advance(2_000);
    const why = 'Post "https://hooks.test/h0?timeout=2s": context deadline exceeded';
    expect(await answer).toMatchObject({
      status: 500,
      body: {
        message: `Internal error occurred: failed calling webhook "h0.test.dev": failed to call webhook: ${why}`,
      },
    });
  });

  it('behind a Service are reached where the embedder says, and honestly not at all otherwise', async () => {
    const client = { service: { namespace: 'default', name: 'hooks', path: '/p' } };
    const nowhere = hookedServer(allow);
    await nowhere.configure('Validating', { clientConfig: client });
    const post = 'Post "https://hooks.default.svc:443/p?timeout=10s": service "hooks" not found';
    const refused = (await nowhere.send('POST', CONFIG_MAPS, configMap('a'))).body as KubeObject;
    expect(refused['message']).toContain(post);

    const urls: string[] = [];
    const somewhere = hookedServer(allow, {
      webhooks: {
        serviceUrl: ({ namespace, name, port }) => `http://127.0.0.1:1/${namespace}/${name}/${port}`,
        send: ({ url }) => {
          urls.push(url);
          return Promise.reject(new Error('enough'));
        },
      },
    });
    await somewhere.configure('Validating', { clientConfig: client, failurePolicy: 'Ignore' });
    await somewhere.ok('POST', CONFIG_MAPS, configMap('a'));
    expect(urls).toEqual(['http://127.0.0.1:1/default/hooks/443/p?timeout=10s']);
  });

  it('that look at a state which changes meanwhile are asked again', async () => {
    const { ok, server, configure, reviews } = hookedServer(async ({ oldObject }) => {
      if ((oldObject as KubeObject)['data'] === undefined) return { allowed: true };
      const first = reviews.length === 1;
      const other = { ...configMap('a'), data: { x: 'meanwhile' } };
      if (first) await server.fork().request({ method: 'GET', path: '/version' });
      if (first) await write(other);
      return { allowed: true };
    });
    const write = (body: object): Promise<unknown> => ok('PUT', `${CONFIG_MAPS}/a`, body);
    await ok('POST', CONFIG_MAPS, configMap('a', { x: '1' }));
    await configure('Validating', {});
    await ok('PATCH', `${CONFIG_MAPS}/a`, { data: { y: '2' } }, PATCH.merge);
    expect((await ok('GET', `${CONFIG_MAPS}/a`))['data']).toEqual({ x: 'meanwhile', y: '2' });
    expect(reviews.at(-1)).toMatchObject({ oldObject: { data: { x: 'meanwhile' } } });
  });

  it('go together with a hook around requests, which still decides when a request reaches the store', async () => {
    const moments: string[] = [];
    const { ok, server, configure } = hookedServer(() => patching({ op: 'add', path: '/data/extra', value: 'x' }), {
      hooks: {
        request: (request, proceed) => {
          const before = server.resourceVersion();
          const answer = proceed();
          if (request.path === CONFIG_MAPS) moments.push(`${before} ${server.resourceVersion()}`);
          return answer;
        },
      },
    });
    await configure('Mutating', {});
    const made = await ok('POST', CONFIG_MAPS, configMap('a', { x: '1' }));
    expect(made['data']).toEqual({ x: '1', extra: 'x' });
    expect(moments).toEqual([`${Number(made.metadata.resourceVersion) - 1} ${made.metadata.resourceVersion ?? ''}`]);
  });

  it('draw the same chance as without them: one uid for one object', async () => {
    const plain = hookedServer(allow);
    const hooked = hookedServer(allow);
    await plain.configure('Validating', { rules: [] });
    await hooked.configure('Validating', {});
    const uid = async ({ ok }: typeof plain): Promise<string> =>
      (await ok('POST', CONFIG_MAPS, configMap('a'))).metadata.uid ?? '';
    expect(await uid(hooked)).toBe(await uid(plain));
  });
});
