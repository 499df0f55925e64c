// `npm run soak`: operators whose leader is killed again and again while objects are edited and a new release is rolled out.
// Prints what it saw; exit code 1 if anything was wrong. Flags: --minutes, --seed, --objects, --replicas.
import { parseArgs } from 'node:util';
import { runSoak } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    objects: { type: 'string', default: '30' },
    replicas: { type: 'string', default: '3' },
  },
});
const numbers = Object.entries(values).map(([name, text]) => [name, Number(text)] as const);
const faults = numbers.flatMap(([name, value]) => (value > 0 ? [] : [`--${name}: found ${values[name as keyof typeof values]}; allowed is a number above 0`]));
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
} else {
  const { minutes = 10, seed = 1, objects = 30, replicas = 3 } = Object.fromEntries(numbers);
  const { lines, violations } = await runSoak({ minutes, seed, objects, replicas, say: (text) => console.error(text) });
  console.log(lines.join('\n'));
  process.exitCode = violations.length === 0 ? 0 : 1;
}
