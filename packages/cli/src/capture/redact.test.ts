// What a captured state says of secrets: that they are there, and nothing of what they hold.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { expect, test } from 'vitest';
import { redact, withoutLastApplied } from './redact.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (data: Readonly<Record<string, string>>, more: object = {}): KubernetesObject =>
  ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db', namespace: 'default', ...more }, type: 'Opaque', data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, base64(value)])) }) as unknown as KubernetesObject;
const object = (fields: object): KubernetesObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, ...fields }) as unknown as KubernetesObject;
const dataOf = (value: KubernetesObject | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries((value as unknown as { readonly data: Record<string, string> }).data).map(([name, text]) => [name, Buffer.from(text, 'base64').toString()]));

test('values become placeholders of about their length; equal values stay equal', () => {
  const { objects, secrets } = redact([secret({ password: 'planted-password', again: 'planted-password', pin: '4711', none: '' })]);
  const { password, again, pin, none } = dataOf(objects[0]);
  expect(secrets).toEqual(['default/db']);
  expect(password).toBe('redacted-1-xxxxx');
  expect(again).toBe(password);
  expect(pin).toMatch(/^redacted-2-x+$/);
  expect(pin).toHaveLength(16);
  expect(none).toBe('');
  const long = dataOf(redact([secret({ key: 'k'.repeat(1_700) })]).objects[0])['key'];
  expect(long).toHaveLength(2_048);
});

test('whatever else holds a value gets the same placeholder, in every spelling', () => {
  const { objects } = redact([
    secret({ password: 'planted-password\n', pin: '4711' }),
    object({ data: { url: 'postgres://app:planted-password@db', encoded: base64('planted-password\n'), pin: '4711', port: '14711' } }),
  ]);
  const text = JSON.stringify(objects);
  expect(text).not.toContain('planted-password');
  expect(text).not.toContain(base64('planted-password\n'));
  const { url, encoded, pin, port } = (objects[1] as unknown as { readonly data: Record<string, string> }).data;
  expect(url).toBe('postgres://app:redacted-1-xxxxxxxxxxxxxxxxxxxxx@db');
  expect(encoded).toBe(base64('redacted-1-xxxxxxxxxxxxxxxxxxxxx'));
  expect([pin, port]).toEqual(['redacted-2-xxxxx', '14711']);
});

test('names, kinds and what the framework notes stay, and fingerprints of secrets go', () => {
  const annotations = { 'procedures.pawl.dev/applied': 'fingerprint', 'procedures.pawl.dev/version': '1.0.0', 'example.com/access-token': 'abc', note: 'default' };
  const { objects } = redact([secret({ namespace: 'default', version: '1.0.0' }, { annotations })]);
  expect(objects[0]).toMatchObject({ kind: 'Secret', type: 'Opaque', metadata: { name: 'db', namespace: 'default' } });
  expect(objects[0]?.metadata.annotations).toEqual({ 'procedures.pawl.dev/version': '1.0.0', note: 'redacted-1-xxxxx' });
});

test('bytes that are no text are redacted as well', () => {
  const bytes = Buffer.from([0xff, 0xfe, 1, 2, 3, 4, 5, 6]).toString('base64');
  const { objects } = redact([{ ...secret({}), data: { key: bytes } } as unknown as KubernetesObject, object({ data: { copy: bytes } })]);
  expect(JSON.stringify(objects)).not.toContain(bytes);
});

test('the copy that kubectl keeps of an object goes', () => {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":"planted"}', other: 'stays' };
  expect(withoutLastApplied(object({ metadata: { name: 'a', annotations } })).metadata.annotations).toEqual({ other: 'stays' });
});
