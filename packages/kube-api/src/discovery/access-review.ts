// The policy that an embedder may give a server.
import type { ResourceAttributes } from '../server/request-info.ts';

/** What somebody wants to do. */
export interface AccessRequest extends ResourceAttributes {
  /** Of the request; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Decides about access; undefined in a server means that everything is allowed. */
export type Authorize = (access: AccessRequest) => boolean;
