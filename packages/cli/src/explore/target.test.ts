// `pawl explore --target`: what is not understood or not allowed is told before anything is started or written.
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { faultsOf } from '../input-error.ts';
import { nodePorts } from '../node-ports.ts';
import type { Ports } from '../ports.ts';
import { fakePorts } from '../testing/fake-ports.ts';
import { addExploreCommand } from './register.ts';

async function faultsIn(line: string, changed: Partial<Ports> = {}): Promise<readonly string[]> {
  const program = new Command().exitOverride();
  addExploreCommand(program, { ...fakePorts({ '/home/author/plans.json': '[{"kind": "Website"}]' }), ...changed }, () => {});
  try {
    await program.parseAsync(['explore', '--package', 'website', ...line.split(' ')], { from: 'user' });
    return [];
  } catch (error) {
    return faultsOf(error) ?? [String(error)];
  }
}

test('a cluster must be named, and given free', async () => {
  expect(await faultsIn('--target cluster')).toEqual([
    '--target: found cluster without --kubeconfig or --context; allowed is a cluster that is named, so that it is never the one that happens to be current',
    '--target: found cluster without --yes; it gets definitions, namespaces and objects that are deleted in the end: say --yes if it is there to be thrown away',
  ]);
});

test('every fault is told at once', async () => {
  const faults = await faultsIn('--target moon --sample none --patience soon -o junit --recorded states');
  expect(faults.map((fault) => fault.slice(0, fault.indexOf(';')))).toEqual([
    '--target: found moon',
    '--sample: found none',
    '--patience: found soon',
    '--output: found junit with --target',
    '--recorded: found with --target',
  ]);
});

test('flags of a target mean nothing without one', async () => {
  expect(await faultsIn('--sample 3 --yes')).toEqual([
    '--yes: found without --target; allowed is --target control-plane or cluster with it',
    '--sample: found without --target; allowed is --target control-plane or cluster with it',
  ]);
});

test('each plan of a list is checked', async () => {
  expect(await faultsIn('--target control-plane --replay plans.json')).toEqual([expect.stringContaining('the file holds no plan: deed: allowed is')]);
});

test('where there is no checkout, it is said which cluster can be used instead', async () => {
  const { files, clock } = nodePorts();
  const folder = new URL('../../../../examples/website', import.meta.url).pathname;
  const ports = { workingFolder: folder, clock, files: { ...files, exists: () => false } };
  const program = new Command().exitOverride();
  addExploreCommand(program, { ...fakePorts(), ...ports }, () => {});
  const line = ['explore', '--package', './src/index.ts', '--target', 'control-plane', '--mode', 'install', '--sample', '1', '--budget', '2s'];
  await expect(program.parseAsync(line, { from: 'user' })).rejects.toMatchObject({
    faults: [expect.stringMatching(/^--target: found control-plane, which only a checkout of Pawl has; allowed is --target cluster/)],
  });
}, 60_000);
