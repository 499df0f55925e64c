// Everything that the explorer can do with every procedure package: for a release, not for every change. Exit code 1:
// something was found, or there was nothing to kill. The argument is the number of minutes for all of them together.
import { explorationText, exploreCatalog, MODES } from '@pawl/testkit';
import { allPackages } from './packages.ts';

const minutes = Number(process.argv[2] ?? 10);
const until = Date.now() + minutes * 60_000;
for (const [index, explored] of allPackages.entries()) {
  // What one of them leaves of its share is the others'.
  const budgetMs = Math.max(1, (until - Date.now()) / (allPackages.length - index));
  const result = await exploreCatalog(explored.package, {
    ...explored.whole,
    modes: MODES,
    budgetMs,
    onProgress: ({ mode, edge, runs, seconds }) => process.stderr.write(`\r${mode} ${edge}: ${runs} runs in ${seconds.toFixed(0)} s`.padEnd(79)),
  });
  process.stderr.write('\n');
  process.stdout.write(`${explorationText(result)}\n`);
  if (result.failures.length > 0 || result.crashPoints === 0) process.exitCode = 1;
}
