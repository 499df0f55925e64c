// Recorded states in a folder: one folder for each version that left them, one file for each state.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { formatStartState, parseStartState, StartStateError, type StartState } from './start-state.ts';

/**
 * Reads every `.json` file below a folder, in the order of their names. A state is called by its path, such as
 * `1.0.0/install-end`.
 *
 * @throws {StartStateError} with every fault of every file
 */
export async function readStartStates(folder: string): Promise<readonly StartState[]> {
  const faults: string[] = [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) throw new StartStateError([`${folder}: found no folder; allowed is one with recorded states (pawl explore --record makes it)`]);
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json')).map((entry) => join(entry.parentPath, entry.name));
  const states: StartState[] = [];
  for (const file of files.toSorted()) {
    const name = relative(folder, file).split(sep).join('/').replace(/\.json$/, '');
    try {
      states.push(parseStartState(jsonOf(await readFile(file, 'utf8'), file), name));
    } catch (error) {
      if (!(error instanceof StartStateError)) throw error;
      faults.push(...error.faults);
    }
  }
  if (states.length === 0 && faults.length === 0) faults.push(`${folder}: found no .json file; allowed are recorded states (pawl explore --record makes them)`);
  if (faults.length > 0) throw new StartStateError(faults);
  return states;
}

/** Writes states into a folder, by their names. @returns the paths */
export async function writeStartStates(folder: string, states: readonly StartState[]): Promise<readonly string[]> {
  const written: string[] = [];
  for (const state of states) {
    const path = join(folder, `${state.name}.json`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, formatStartState(state));
    written.push(path);
  }
  return written;
}

/** Versions of which a folder holds states. */
export async function recordedVersions(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StartStateError([`${file}: is not JSON: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
