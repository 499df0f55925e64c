// An author's mistakes and what the compiler says to them. The mistakes stand in `messages/`, one file each.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../messages', import.meta.url));
const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

/** Mistake to message, without positions; an empty message means that the mistake compiles. */
function messages(): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter((name) => /^\d/.test(name));
  const found = new Map(names.sort().map((name) => [name.replace('.ts', ''), '']));
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
  let current = '';
  for (const line of stdout.split('\n').filter((text) => text !== '')) {
    const [, file, text = line] = /([\w-]+)\.ts\(\d+,\d+\): error (.*)$/.exec(line) ?? [];
    current = file ?? current;
    found.set(current, `${found.get(current) ?? ''}${text}\n`);
  }
  return found;
}

test('every mistake is a compile error of at most six lines', { timeout: 60_000 }, async () => {
  const found = messages();
  const unreadable = [...found].filter(([, text]) => text === '' || text.trimEnd().split('\n').length > 6);
  expect(unreadable).toEqual([]);
  const printed = [...found].map(([name, text]) => `${name}\n${text.trimEnd()}\n`).join('\n');
  await expect(printed).toMatchFileSnapshot('../messages/expected.txt');
});
