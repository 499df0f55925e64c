// Makes folders on this machine, for files that are written into them.
import { mkdir } from 'node:fs/promises';

/** Makes a folder and those above it, unless they are there. */
export type MakeFolder = (path: string) => Promise<unknown>;

export const makeFolder: MakeFolder = (path) => mkdir(path, { recursive: true });
