// Where a released package comes from: as it is, or by npm, whose command line is all that is known of registries.
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { faultsOf } from '../input-error.ts';
import type { Ports } from '../ports.ts';
import { fakePorts } from '../testing/fake-ports.ts';
import { bringReleased, sourceOf } from './released.ts';

const HOME = '/home/author';

interface Machine {
  readonly ports: Ports;
  readonly files: Map<string, string>;
  /** What npm was asked for, each with the settings that it found. */
  readonly calls: { readonly args: readonly string[]; readonly folder: string; readonly settings: string | undefined }[];
}

/** @param npm what it puts below `node_modules`, or how it fails */
function machine(existing: Readonly<Record<string, string>>, npm: { readonly name: string; readonly version: string } | { readonly exitCode: number; readonly output: string }): Machine {
  const files = new Map(Object.entries(existing));
  const calls: Machine['calls'] = [];
  const below = (folder: string): readonly string[] => [...files.keys()].filter((path) => path === folder || path.startsWith(`${folder}/`));
  const ports: Ports = {
    ...fakePorts(),
    files: {
      read: (path) => (files.has(path) ? Promise.resolve(files.get(path) ?? '') : Promise.reject(new Error(`no ${path}`))),
      write: (path, text) => Promise.resolve(void files.set(path, text)),
      exists: (path) => below(path).length > 0,
      makeTemporaryFolder: (prefix) => Promise.resolve(`/tmp/${prefix}1`),
      removeFolder: (path) => Promise.resolve(below(path).forEach((file) => files.delete(file))),
    },
    runTool: (_name, args, folder) => {
      const prefix = args[args.indexOf('--prefix') + 1] ?? '';
      calls.push({ args, folder, settings: files.get(`${prefix}/.npmrc`) });
      if ('exitCode' in npm) return Promise.resolve(npm);
      files.set(`${prefix}/node_modules/${npm.name}/package.json`, JSON.stringify(npm));
      files.set(`${prefix}/package.json`, JSON.stringify({ dependencies: { [npm.name]: '*' } }));
      return Promise.resolve({ exitCode: 0, output: '' });
    },
  };
  return { ports, files, calls };
}

const bring = (against: string, { ports }: Machine) => bringReleased(sourceOf(against, ports), ports, () => Promise.resolve());
const project = { [`${HOME}/node_modules/x/package.json`]: '{}' };

test('a version of a registry is fetched once, without running anything of it', async () => {
  const here = machine(project, { name: '@acme/boxes', version: '1.4.0' });
  const first = await bring('@acme/boxes@1.4.0', here);
  expect(first).toMatchObject({ reference: '@acme/boxes', title: '@acme/boxes@1.4.0' });
  expect(dirname(first.folder)).toBe(`${HOME}/node_modules/.cache/pawl`);
  expect(here.calls.map(({ args, folder }) => [args[0], args.at(-1), args.includes('--ignore-scripts'), folder])).toEqual([['install', '@acme/boxes@1.4.0', true, HOME]]);
  await bring('@acme/boxes@1.4.0', here);
  expect(here.calls).toHaveLength(1);
});

test('a range may mean something else tomorrow, and a tarball may have been made anew', async () => {
  const here = machine({ ...project, [`${HOME}/boxes-1.4.0.tgz`]: 'packed' }, { name: 'boxes', version: '1.4.0' });
  for (const against of ['boxes@^1', 'boxes@^1', './boxes-1.4.0.tgz', './boxes-1.4.0.tgz'])
    expect((await bring(against, here)).title).toBe('boxes@1.4.0');
  expect(here.calls.map(({ args }) => args.at(-1))).toEqual(['boxes@^1', 'boxes@^1', `${HOME}/boxes-1.4.0.tgz`, `${HOME}/boxes-1.4.0.tgz`]);
});

test('the settings of the project count, and are not left behind', async () => {
  const here = machine({ ...project, [`${HOME}/.npmrc`]: '@acme:registry=https://npm.example.com' }, { name: 'boxes', version: '1.4.0' });
  const { folder } = await bring('boxes@1.4.0', here);
  expect(here.calls[0]?.settings).toBe('@acme:registry=https://npm.example.com');
  expect(here.files.has(`${folder}/.npmrc`)).toBe(false);
});

test('without a project it is fetched into a folder that is removed', async () => {
  const here = machine({}, { name: 'boxes', version: '1.4.0' });
  const { folder, dispose } = await bring('boxes@1.4.0', here);
  expect(folder).toBe('/tmp/pawl-released-1');
  await dispose();
  expect([...here.files.keys()]).toEqual([]);
});

test('a folder and a module are taken as they are', async () => {
  const here = machine({ [`${HOME}/old/package.json`]: '{"name":"boxes","version":"1.3.0"}', [`${HOME}/release-1.ts`]: '' }, { exitCode: 1, output: '' });
  expect(await bring('./old', here)).toMatchObject({ reference: `${HOME}/old`, title: 'boxes@1.3.0' });
  expect(await bring('release-1.ts', here)).toMatchObject({ reference: `${HOME}/release-1.ts`, title: 'release-1.ts' });
  expect(here.calls).toEqual([]);
});

test('what npm complains about is passed on, and nothing half-done stays', async () => {
  const output = "npm error code E404\nnpm error 404 Not Found - boxes\nnpm error 404\nnpm error 404 'boxes@9.9.9' is not in this registry.\nnpm error A complete log of this run can be found in: /x\n";
  const here = machine(project, { exitCode: 1, output });
  const faults = await bring('boxes@9.9.9', here).then(() => [], faultsOf);
  expect(faults).toEqual([expect.stringMatching(/^--against: npm cannot fetch boxes@9\.9\.9: E404; Not Found - boxes; 'boxes@9\.9\.9' is not in this registry\.; allowed is PACKAGE@VERSION/)]);
  expect([...here.files.keys()]).toEqual(Object.keys(project));
});

test.each(['boxes', 'boxes@', '--prefix=/@1', 'a b@1', './gone.tgz', '../gone'])('%s names nothing that could be fetched', (against) => {
  expect(() => sourceOf(against, machine(project, { exitCode: 1, output: '' }).ports)).toThrow(`--against: found ${against}`);
});
