// A request that the API refused.
import { isObject, type JsonObject } from '../json.ts';

/** Thrown by a cluster's helpers; the message is the server's. */
export class ApiRefusal extends Error {
  /** The HTTP code, such as 404. */
  readonly code: number;
  /** Such as `NotFound`; '' if the answer has none. */
  readonly reason: string;
  /** The Status object, or the text, of the answer. */
  readonly body: unknown;

  constructor(method: string, path: string, code: number, body: unknown) {
    const status: JsonObject = isObject(body) ? body : {};
    const message = typeof status['message'] === 'string' ? status['message'] : JSON.stringify(body);
    super(`${method} ${path}: ${message}`);
    this.name = 'ApiRefusal';
    this.code = code;
    this.reason = typeof status['reason'] === 'string' ? status['reason'] : '';
    this.body = body;
  }
}
