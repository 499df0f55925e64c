import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nodePorts } from '../node-ports.ts';
import { runProgram } from '../program.ts';
import { fakePorts } from '../testing/fake-ports.ts';

const folder = fileURLToPath(new URL('../../../../examples/website', import.meta.url));

/** A disk that holds a lock, or none. */
async function lint(line: string, disk: Map<string, string>): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  const fake = fakePorts();
  const files = {
    ...fake.files,
    exists: (path: string) => disk.has(path),
    read: (path: string) => Promise.resolve(disk.get(path) ?? ''),
    write: async (path: string, text: string) => void disk.set(path, text),
  };
  const ports = { ...nodePorts(), terminal: fake.terminal, writeError: fake.writeError, workingFolder: folder, files };
  const code = await runProgram(['lint', ...line.split(' ')], ports, 0);
  return { code, output: fake.output(), errors: fake.errors() };
}
const lockPath = `${folder}/procedures.lock`;
const lockIn = (disk: Map<string, string>): { kinds: { versions: { version: string; content: string; rendered: Record<string, string> }[] }[] } =>
  JSON.parse(disk.get(lockPath) ?? '') as never;

test('the first release begins the lock, with what each version renders for the examples', async () => {
  const disk = new Map<string, string>();
  expect(await lint('--package ./src/release-1.ts --release web-1', disk)).toMatchObject({ code: 0 });
  const [row] = lockIn(disk).kinds[0]?.versions ?? [];
  expect(row).toMatchObject({ version: '1.0.0', firstRelease: 'web-1', rendered: { hello: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown } });
});

test('the next release adds its version; the old one keeps its first release', async () => {
  const disk = new Map<string, string>();
  await lint('--package ./src/release-1.ts --release web-1', disk);
  const { code, output } = await lint('--package ./src/index.ts --release web-2', disk);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('0 errors') as unknown });
  expect(lockIn(disk).kinds[0]?.versions).toMatchObject([
    { version: '1.0.0', firstRelease: 'web-1', lastRelease: 'web-2' },
    { version: '2.0.0', firstRelease: 'web-2' },
  ]);
});

test('a released version that renders other objects is an error, and the lock stays as it was', async () => {
  const disk = new Map<string, string>();
  await lint('--package ./src/index.ts --release web-1', disk);
  const changed = (disk.get(lockPath) ?? '').replace(/"hello": "[0-9a-f]{16}"/, '"hello": "0000000000000000"');
  disk.set(lockPath, changed);
  const { code, output } = await lint('--package ./src/index.ts --release web-2', disk);
  expect(code).toBe(1);
  expect(output).toContain('error   L044 Website: released 1.0.0 renders other objects for hello');
  expect(disk.get(lockPath)).toBe(changed);
});

test('a lock that cannot be read, or is that of another package, says what to do', async () => {
  expect((await lint('--package ./src/index.ts', new Map([[lockPath, '{}']]))).errors).toContain('lockVersion: found nothing; allowed is 1');
  const other = '{"lockVersion":1,"package":"shop","kinds":[]}';
  expect((await lint('--package ./src/index.ts', new Map([[lockPath, other]]))).errors).toContain('found the lock of package shop');
});

test('findings are JSON for machines', async () => {
  const { output } = await lint('--package ./src/index.ts -o json', new Map());
  expect(JSON.parse(output)).toEqual([]);
});
