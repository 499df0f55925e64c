// The policy that an embedder may give a server.

/** What somebody wants to do. Texts that do not apply are ''. */
export interface AccessRequest {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Of the request; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Decides about access; undefined in a server means that everything is allowed. */
export type Authorize = (access: AccessRequest) => boolean;
