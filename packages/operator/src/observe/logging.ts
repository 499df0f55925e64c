// The log of a process: JSON, one line for each message, with fields that say who speaks, and without secrets.
import type { Clock, Logger } from '@pawl/reconciler';
import { destination as fileDestination, pino, type DestinationStream } from 'pino';
import { systemClock } from '@pawl/reconciler';
import { printable, printableText } from './printable.ts';

/** From the least to the most important; `silent` writes nothing. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  readonly level: LogLevel;
  /** In every line: `service`, `version` and `pod`, and what else tells this process from others. */
  readonly bindings: Readonly<Record<string, string>>;
  /** Where lines go. Default: the standard output, each line before the call returns, so that none is lost at the end. */
  readonly destination?: DestinationStream | undefined;
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

/**
 * A logger that writes JSON lines: `level` as a word, `time` in RFC 3339, the bindings, the fields, `msg`.
 *
 * Kubernetes objects among the fields are printed by name only; fields whose names or forms tell of a secret, and
 * sensitive values, are not printed at all. Logging never throws because of what it is given.
 */
export function createLogger({ level, bindings, destination, clock = systemClock }: LoggerOptions): Logger {
  const root = pino(
    {
      level,
      base: bindings,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      // What is printed of an error is decided once, for errors wherever they stand.
      serializers: { err: (printed: unknown) => printed },
    },
    destination ?? fileDestination({ fd: 1, sync: true }),
  );
  const write =
    (at: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: object, message: string): void => {
      if (root.isLevelEnabled(at)) root[at](printable(fields), printableText(message));
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
