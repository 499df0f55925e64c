// Reading small files of credentials, with errors that name the file.
import { readFile } from 'node:fs/promises';

/** Reads a text file; tests bring their own. */
export type ReadText = (path: string) => Promise<string>;

export const readText: ReadText = (path) => readFile(path, 'utf8');

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a directory',
};

/** The text of a file. @throws with a sentence that begins with `what` and names the path */
export async function textOf(what: string, path: string, read: ReadText): Promise<string> {
  try {
    return await read(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${what} ${path}: ${WORDS[code ?? ''] ?? message}`, { cause: error });
  }
}
