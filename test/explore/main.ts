// Everything that the explorer can do with the example: for a release, not for every change. Exit code 1: something was found.
import website from '@pawl/example-website';
import { explorationText, exploreCatalog, MODES } from '@pawl/testkit';

const minutes = Number(process.argv[2] ?? 5);
const hello = {
  apiVersion: 'example.pawl.dev/v1alpha1',
  kind: 'Website',
  metadata: { name: 'hello', namespace: 'default' },
  spec: { replicas: 2, html: '<h1>Hello</h1>' },
};
const result = await exploreCatalog(website, {
  objects: [hello, { ...hello, metadata: { ...hello.metadata, name: 'other' } }],
  edits: [{ spec: { html: '<h1>Other</h1>' } }, { spec: { replicas: 3 } }],
  modes: MODES,
  budgetMs: minutes * 60_000,
  onProgress: ({ mode, edge, runs, seconds }) => process.stderr.write(`\r${mode} ${edge}: ${runs} runs in ${seconds.toFixed(0)} s`.padEnd(79)),
});
process.stderr.write('\n');
process.stdout.write(explorationText(result));
process.exitCode = result.failures.length === 0 && result.crashPoints > 0 ? 0 : 1;
