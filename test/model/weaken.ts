// Makes a protocol with a weakened rule: a copy of the engine's sources with the text replaced, loaded as it is.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ProtocolState, Step } from '@pawl/reconciler';
import type { Patch } from './weakened.ts';

type Protocol = (state: ProtocolState) => Step;

const engine = fileURLToPath(new URL('../../packages/reconciler', import.meta.url));

/** A folder in which copies are made; `remove` deletes it. */
export function workshop(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-model-'));
  symlinkSync(join(engine, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * The protocol with these replacements.
 *
 * @throws Error if one does not apply exactly once: then the rule that it weakens has moved, and the patch must follow
 */
export async function weakenedProtocol(folder: string, name: string, patches: readonly Patch[]): Promise<Protocol> {
  const copy = join(folder, name);
  cpSync(join(engine, 'src'), join(copy, 'src'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }');
  for (const { file, find, replace } of patches) {
    const path = join(copy, 'src', 'versions', file);
    const text = readFileSync(path, 'utf8');
    const found = text.split(find).length - 1;
    if (found !== 1) throw new Error(`${file}: found ${found} times, must be there once: ${find.trim()}`);
    writeFileSync(
      path,
      text.replace(find, () => replace),
    );
  }
  const module = (await import(pathToFileURL(join(copy, 'src', 'versions', 'next-step.ts')).href)) as {
    readonly nextStep: Protocol;
  };
  return module.nextStep;
}
