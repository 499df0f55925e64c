import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from './config.ts';
import { loadPackages } from './packages.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-packages-'));
  const installed = join(folder, 'node_modules', '@acme', 'sites');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'package.json'), '{"name":"@acme/sites","type":"module","exports":{".":{"default":"./main.js"}}}');
  writeFileSync(join(installed, 'main.js'), 'export default { name: "sites", kinds: [], crds: [] };');
  writeFileSync(join(folder, 'own.mjs'), 'export default { name: "own", kinds: [], crds: [] };');
  writeFileSync(join(folder, 'broken.mjs'), 'throw new Error("no licence");');
  writeFileSync(join(folder, 'other.mjs'), 'export default 7;');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('packages are found by name or path from the folder of the configuration', async () => {
  const found = await loadPackages(['@acme/sites', './own.mjs'], folder);
  expect(found.map(({ name }) => name)).toEqual(['sites', 'own']);
});

test('the folder of a package leads to what its manifest names, with exports or without', async () => {
  const plain = join(folder, 'plain');
  mkdirSync(plain);
  writeFileSync(join(plain, 'package.json'), '{"name":"plain","type":"module","main":"main.js"}');
  writeFileSync(join(plain, 'main.js'), 'export default { name: "plain", kinds: [], crds: [] };');
  const found = await loadPackages(['./node_modules/@acme/sites', './plain'], folder);
  expect(found.map(({ name }) => name)).toEqual(['sites', 'plain']);
});

test('every reference that leads to no package is told, with the reason', async () => {
  const error = await loadPackages(['@acme/nothing', './broken.mjs', './other.mjs'], folder).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  const { faults } = error as ConfigError;
  expect(faults).toHaveLength(3);
  expect(faults[0]).toContain('found "@acme/nothing", which cannot be loaded (Cannot find module');
  expect(faults[1]).toContain('no licence');
  expect(faults[2]).toContain('has no package as its default export');
});

test('no reference at all is a fault', async () => {
  await expect(loadPackages([], folder)).rejects.toThrow('procedures: found nothing; allowed are');
});
