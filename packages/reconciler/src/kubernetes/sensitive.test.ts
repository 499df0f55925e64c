// Secrets pass through Actions without ever being printed.
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { done, proceduresFor } from '../index.ts';
import { TestObject } from '../testing/index.ts';
import { ConfigMaps, Secrets, Sensitive, type CustomResource, type KubernetesContext } from './index.ts';

interface Vault extends CustomResource<'x.example/v1', 'Vault', { readonly text: string }> {}
const { defineAction, defineProcedure } = proceduresFor<KubernetesContext<Vault>>();
const sample = {
  apiVersion: 'x.example/v1',
  kind: 'Vault',
  metadata: { name: 'v', namespace: 'default' },
  spec: { text: 'hunter2' },
} as const;

const keyStored = defineAction({
  name: 'KeyStored',
  owns: { secrets: Secrets },
  run: async ({ object, cluster }) => {
    const { data } = await cluster.secrets.apply({
      metadata: { name: object.metadata.name },
      data: { key: Sensitive.ofText(object.spec.text) },
    });
    return done(data?.['key']);
  },
});

test('every way of printing shows the same fingerprint, and only for equal values', () => {
  const secret = new Sensitive('hunter2');
  const { fingerprint } = secret;
  expect(fingerprint).toMatch(/^sensitive:[0-9a-f]{12}$/);
  expect([String(secret), `${secret.toString()}`, inspect(secret), inspect({ secret }), JSON.stringify({ secret })]).toEqual([
    fingerprint,
    fingerprint,
    fingerprint,
    `{ secret: ${fingerprint} }`,
    `{"secret":"${fingerprint}"}`,
  ]);
  expect(inspect(secret, { showHidden: true })).not.toContain('hunter2');
  expect(new Sensitive('hunter3').fingerprint).not.toBe(fingerprint);
});

test('a Secret holds the value itself, an Action gets it sensitive, and nothing is sent twice', async () => {
  const vault = new TestObject<Vault>(sample);
  const procedure = defineProcedure({ actions: [keyStored] });
  await vault.cycle(procedure);
  const stored = vault.cluster.all().find(({ kind }) => kind === 'Secret') as { data?: Record<string, string> } | undefined;
  expect(stored?.data).toEqual({ key: 'aHVudGVyMg==' });
  const { outcomes, changes } = await vault.cycle(procedure);
  expect(changes).toEqual([]);
  const { result } = outcomes.get('KeyStored') ?? {};
  const value = (result as { readonly value: Sensitive }).value;
  expect(value.revealText()).toBe('hunter2');
  expect(JSON.stringify(result)).not.toContain('aHVudGVyMg');
});

test('another value is another fingerprint of what is desired: it is sent', async () => {
  const vault = new TestObject<Vault>(sample);
  const procedure = defineProcedure({ actions: [keyStored] });
  await vault.cycle(procedure);
  vault.change({ spec: { text: 'hunter3' } });
  const { changes } = await vault.cycle(procedure);
  expect(changes.map(({ operation, target }) => `${operation} ${target}`)).toEqual(['update Secret default/v']);
});

test('a sensitive value in anything but a Secret is refused, with its place', async () => {
  const leaked = defineAction({
    name: 'Leaked',
    requires: { key: keyStored },
    owns: { configMaps: ConfigMaps },
    run: async ({ cluster }, { key }) => {
      await cluster.configMaps.apply({ metadata: { name: 'c' }, data: { key: key as never } });
      return done();
    },
  });
  const vault = new TestObject<Vault>(sample);
  const { outcomes } = await vault.cycle(defineProcedure({ actions: [leaked] }));
  expect(outcomes.get('Leaked')?.result).toMatchObject({
    status: 'Unknown',
    message: 'Leaked puts a sensitive value into data.key of ConfigMap default/c; only the data of a Secret may hold one',
  });
});

