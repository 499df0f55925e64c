import { dirname } from 'node:path';
import { createApiServer } from '@pawl/kube-api';
import { ANNOTATIONS, ConfigMaps, kindsOf, LABELS, ownerHashOf, Services } from '@pawl/reconciler/kubernetes';
import { afterEach, describe, expect, it } from 'vitest';
import { nodePorts } from '../node-ports.ts';
import { ApiClient } from './api-client.ts';
import { checkNothingLeft, checkObjects } from './children.ts';
import type { Json } from './differences.ts';
import { exampleFolder, loadExample } from './example.ts';
import { freshInstall } from './reference.ts';

const { packages, sample } = await loadExample(exampleFolder(dirname(import.meta.dirname)), nodePorts());
const catalog = packages.flatMap(({ kinds }) => kinds).at(-1) ?? noKind();
const owner = { ...sample, metadata: { ...(sample['metadata'] as Json), uid: 'u1' } };

const servers: { readonly close: () => void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A cluster that holds exactly what a fresh install of a version makes, as the operator would have written it. */
async function installed(version: string): Promise<ApiClient> {
  const server = createApiServer();
  servers.push(server);
  const client = new ApiClient((await server.listen()).url, fetch);
  for (const object of await freshInstall(catalog, version, sample)) await write(client, object, version);
  return client;
}

async function write(client: ApiClient, object: Json, version: string): Promise<void> {
  const kind = kindsOf(catalog).owns.find((candidate) => candidate.kind === object['kind']);
  if (kind === undefined) throw new Error('not an owned kind');
  const { name } = object['metadata'] as { readonly name: string };
  const labels = { [LABELS.owner]: ownerHashOf(owner as unknown as Parameters<typeof ownerHashOf>[0]) };
  const metadata = { name, labels, annotations: { [ANNOTATIONS.version]: version } };
  const { status: _status, ...content } = object;
  await client.apply(kind, { name, namespace: 'default' }, { ...content, metadata });
}

describe('the look for wrong objects', () => {
  it.each(['1.0.0', '2.0.0'])('finds none in a fresh install of %s', async (version) => {
    expect(await checkObjects(await installed(version), catalog, owner, version)).toEqual({ objects: 3, wrong: [] });
  });

  it('finds what an older version left behind', async () => {
    const client = await installed('2.0.0');
    for (const object of await freshInstall(catalog, '1.0.0', sample))
      if (object['kind'] === 'ConfigMap') await write(client, object, '1.0.0');
    const { wrong } = await checkObjects(client, catalog, owner, '2.0.0');
    expect(wrong).toEqual([
      'ConfigMap default/hello-content: left behind',
      'ConfigMap default/hello-content: stamped 1.0.0, expected 2.0.0',
    ]);
  });

  it('finds what is missing, and what somebody changed', async () => {
    const client = await installed('1.0.0');
    await client.delete(Services, { name: 'hello', namespace: 'default' });
    const content = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'hello-content' },
      data: { 'index.html': 'x' },
    };
    await write(client, content, '1.0.0');
    const { wrong } = await checkObjects(client, catalog, owner, '1.0.0');
    expect(wrong).toEqual([
      'Service default/hello: missing',
      'ConfigMap default/hello-content: data.index.html is "x", expected "<h1>Hello from Pawl</h1>\\n"',
    ]);
  });

  it('finds everything that outlived its owner', async () => {
    const client = await installed('1.0.0');
    await client.delete(ConfigMaps, { name: 'hello-content', namespace: 'default' });
    expect((await checkNothingLeft(client, catalog, owner)).wrong).toEqual([
      'Deployment default/hello: left behind',
      'Service default/hello: left behind',
    ]);
  });
});

function noKind(): never {
  throw new Error('the example has no kind');
}
