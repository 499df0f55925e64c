// `pawl certify`: brings the released package here, lets a thread explore every hop from it, and writes the page.
import { join, resolve } from 'node:path';
import { runInThread } from '../explore/thread.ts';
import { makeFolder, type MakeFolder } from '../manifests/folders.ts';
import type { Ports } from '../ports.ts';
import { certifySettings, type CertifyFlags } from './certify-settings.ts';
import { bringReleased } from './released.ts';
import type { Certified, CertifyWork } from './worker.ts';

/**
 * @returns 0 pass, 1 violation, 3 incomplete; of a replay 0 or 1
 * @throws {InputError} for bad flags, packages and objects
 */
export async function runCertify(flags: CertifyFlags, ports: Ports, make: MakeFolder = makeFolder): Promise<number> {
  const { explored, source } = await certifySettings(flags, ports);
  const released = await bringReleased(source, ports, make);
  try {
    const { reference, folder, title } = released;
    const settings: CertifyWork = { explored, released: { reference, folder, title }, nowMs: ports.clock.now(), replay: replayCommand(flags) };
    const thread = { module: './worker', base: import.meta.url, settings, isWatched: flags.output !== 'json' };
    return await conclude(await runInThread<Certified>(thread, ports), flags, ports, make);
  } finally {
    await released.dispose();
  }
}

async function conclude({ exitCode, text, files }: Certified, { out, output }: CertifyFlags, ports: Ports, make: MakeFolder): Promise<number> {
  const folder = resolve(ports.workingFolder, out);
  if (Object.keys(files).length > 0) await make(folder);
  for (const [name, content] of Object.entries(files)) await ports.files.write(join(folder, name), content);
  const written = Object.keys(files).map((name) => `${join(out, name)}\n`);
  ports.terminal.write(output === 'json' ? (files['certify.json'] ?? text) : `${text}${written.join('')}`);
  return exitCode;
}

/** The command that carries out a plan of the page again, without the name of its file. */
function replayCommand({ package: name, against, filename, edit = [], config, mask = [], mayTouch = [], out }: CertifyFlags): string {
  const flag = (flagName: string, values: readonly (string | undefined)[]): readonly string[] =>
    values.flatMap((value) => (value === undefined ? [] : [flagName, quoted(value)]));
  return [
    'pawl certify',
    ...flag('--package', [name]),
    ...flag('--against', [against]),
    ...flag('-f', [filename]),
    ...flag('--edit', edit),
    ...flag('--config', [config]),
    ...flag('--mask', mask),
    ...flag('--may-touch', mayTouch),
    `--replay ${quoted(out)}`,
  ].join(' ');
}

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);
