// What a check of a catalog found, with what to do about it.

/** `error` fails a build; `warning` wants a look; `info` is for the review. */
export type Severity = 'error' | 'warning' | 'info';

/** The checks by number. A number never changes its meaning. */
export type FindingCode =
  /** A prerelease identifier that sorts as text. */
  | 'V005'
  /** A range that matches no known older version. */
  | 'G020'
  /** An upper bound that admits prereleases of the bound. */
  | 'G021'
  /** `rollbackTo` names no known older version. */
  | 'G022'
  /** A release does not admit its own candidates. */
  | 'G023'
  /** A version from which nothing can act. */
  | 'G030'
  /** The newest version cannot be reached from a version. */
  | 'G031'
  /** A way of several hops. */
  | 'G032'
  /** A half-done hop that nothing could finish once its version is gone. */
  | 'G033'
  /** A patch release cannot rescue its stuck predecessor. */
  | 'G034'
  /** A withdrawn version without a way out. */
  | 'G035'
  /** Always taking the newest compatible version would end below the newest. */
  | 'G036'
  /** `rollbackTo` reaches behind a version that finalizes. */
  | 'G039'
  /** A released version has another content. */
  | 'L040'
  /** A released version is gone although it is still supported. */
  | 'L041'
  /** A name that is written into clusters has changed. */
  | 'L042'
  /** The permissions of a released version became narrower, or wider. */
  | 'L043'
  /** A released version renders other objects than it did. */
  | 'L044'
  /** A kind that a supported version owned is no longer owned by any. */
  | 'K050';

export interface Finding {
  readonly severity: Severity;
  readonly code: FindingCode;
  readonly kind: string;
  /** The version that it is about, if it is about one. */
  readonly version?: string;
  /** What was found and what to do. */
  readonly message: string;
}

/** Collects findings of one kind. */
export class Findings {
  readonly #kind: string;
  readonly list: Finding[] = [];

  constructor(kind: string) {
    this.#kind = kind;
  }

  add = (severity: Severity, code: FindingCode, version: string | undefined, message: string): void => {
    this.list.push({ severity, code, kind: this.#kind, ...(version === undefined ? {} : { version }), message });
  };
}
