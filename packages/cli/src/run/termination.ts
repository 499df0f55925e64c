// The last words of a process: Kubernetes shows them in the status of the pod, next to the exit code.
import type { Ports } from '../ports.ts';

/** Kubernetes keeps so many bytes of a message. */
const MOST_BYTES = 4_096;
const DEFAULT_PATH = '/dev/termination-log';

/** A message cut to what is kept, at the border of a character. */
export function terminationText(lines: readonly string[]): string {
  const text = lines.join('\n');
  if (Buffer.byteLength(text) <= MOST_BYTES) return text;
  return `${Buffer.from(text).subarray(0, MOST_BYTES - 3).toString().replace(/\uFFFD+$/, '')}...`;
}

/** Where the message goes: what the variable names, or the file that the kubelet mounts; undefined outside of a pod. */
export function terminationPath({ environment, files }: Pick<Ports, 'environment' | 'files'>): string | undefined {
  const named = environment['TERMINATION_MESSAGE_PATH'];
  if (named !== undefined && named !== '') return named;
  return files.exists(DEFAULT_PATH) ? DEFAULT_PATH : undefined;
}

/** Leaves a message, if there is where. Never throws: a process that ends must not be kept from it. */
export async function leaveMessage(lines: readonly string[], ports: Pick<Ports, 'environment' | 'files'>): Promise<void> {
  const path = terminationPath(ports);
  if (path === undefined) return;
  try {
    await ports.files.write(path, terminationText(lines));
  } catch {
    // Nobody is left to tell.
  }
}
