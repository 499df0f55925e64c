// Which changes of this process may still take effect: those without an answer, until the server has given them up.
import type { ApiRequest, ApiResponse, Transport } from '../transport/transport.ts';

export interface WriteLedgerParts {
  readonly transport: Transport;
  readonly monotonic: () => number;
  /** A change takes effect within this time after it was sent, or never. Milliseconds. */
  readonly settleMs: number;
}

/** Stands between the operator and its transport and remembers. */
export class WriteLedger {
  readonly transport: Transport;
  readonly #parts: WriteLedgerParts;
  /** Changes whose outcome is unknown, with the moment after which that no longer matters. */
  readonly #open = new Map<object, number>();

  constructor(parts: WriteLedgerParts) {
    this.#parts = parts;
    this.transport = { request: this.#request, watch: parts.transport.watch };
  }

  /** Milliseconds until no change that was sent so far can take effect any more; 0 if none can. */
  settlesInMs = (): number => {
    const now = this.#parts.monotonic();
    for (const [key, until] of this.#open) if (until <= now) this.#open.delete(key);
    return this.#open.size === 0 ? 0 : Math.max(...this.#open.values()) - now;
  };

  #request = async (request: ApiRequest): Promise<ApiResponse> => {
    const { transport, monotonic, settleMs } = this.#parts;
    if (request.method === 'GET' || request.path.includes('dryRun=All')) return transport.request(request);
    const key = {};
    this.#open.set(key, monotonic() + settleMs);
    const answer = await transport.request(request);
    // A server that failed, or a proxy in front of it, may answer while the change is still on its way.
    if (answer.status < 500) this.#open.delete(key);
    return answer;
  };
}
