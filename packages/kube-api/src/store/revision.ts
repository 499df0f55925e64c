// Resource versions: decimal numbers of one counter that all resources share.

/** True if `text` is a resource version as the server writes it: decimal, no sign, no leading zero; "0" counts. */
export function isResourceVersion(text: string): boolean {
  return /^(?:0|[1-9][0-9]{0,18})$/.test(text);
}

/** The revision of a well-formed resource version. */
export function revisionOf(resourceVersion: string): number {
  return Number(resourceVersion);
}
