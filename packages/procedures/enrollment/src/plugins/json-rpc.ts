// JSON-RPC 2.0 over HTTP: one POST a call.
import type { Clock } from '@pawl/reconciler';
import { fieldsOf } from './answers.ts';

/** The part of `fetch` that is needed. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly ok: boolean; readonly status: number; readonly text: () => Promise<string> }>;

export interface JsonRpcParts {
  readonly url: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Sent with every call, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type JsonRpc = (method: string, params: object) => Promise<unknown>;

/** A client. Every call rejects with a message that names the method: no answer, another status, an error, or nonsense. */
export function jsonRpc({ url, fetch, clock, timeoutMs, headers = {} }: JsonRpcParts): JsonRpc {
  let count = 0;
  return async (method, params) => {
    const id = (count += 1);
    const controller = new AbortController();
    const cancel = clock.setTimer(timeoutMs, () => controller.abort(new Error(`no answer within ${timeoutMs} ms`)));
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', method, params, id }),
        signal: controller.signal,
      });
      return resultOf(await response.text(), response, id);
    } catch (error) {
      const reason: unknown = controller.signal.aborted ? controller.signal.reason : error;
      throw new Error(`${method}: ${messageOf(reason)}`, { cause: error });
    } finally {
      cancel();
    }
  };
}

function resultOf(
  text: string,
  { ok, status }: { readonly ok: boolean; readonly status: number },
  id: number,
): unknown {
  const answer = parsed(text);
  const { error } = answer ?? {};
  if (error !== undefined && error !== null) throw new Error(errorText(error));
  if (!ok || answer === undefined)
    throw new Error(`found status ${status} and ${JSON.stringify(text.slice(0, 80))}; allowed is a JSON-RPC answer`);
  if (answer['id'] !== id) throw new Error(`id: found ${JSON.stringify(answer['id'])}; allowed is ${id}`);
  return answer['result'];
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return fieldsOf(JSON.parse(text), 'answer');
  } catch {
    return undefined;
  }
}

function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message, code } = error as { readonly message?: unknown; readonly code?: unknown };
  return typeof message === 'string' ? message : `error ${JSON.stringify(code ?? error)}`;
}

/** The innermost cause: `fetch failed` alone says nothing. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? messageOf(error.cause) : error.message;
}
