// A log of one JSON object a line, in the manner of pino: level as a number, time in milliseconds, bindings, message.
import type { Logger } from '@pawl/reconciler';
import type { LogLevel } from './run-settings.ts';

const LEVELS: Readonly<Record<Exclude<LogLevel, 'silent'>, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
};

/**
 * @param least lines below this level are not written
 * @param now milliseconds since the epoch
 */
export function jsonLog(least: LogLevel, write: (line: string) => void, now: () => number): Logger {
  const threshold = least === 'silent' ? Number.POSITIVE_INFINITY : LEVELS[least];
  const at = (level: Exclude<LogLevel, 'silent'>) => (bindings: object, message: string) => {
    if (LEVELS[level] < threshold) return;
    write(`${JSON.stringify({ level: LEVELS[level], time: now(), ...bindings, msg: message }, errorsAsText)}\n`);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function errorsAsText(_field: string, value: unknown): unknown {
  return value instanceof Error ? { type: value.name, message: value.message, stack: value.stack } : value;
}
