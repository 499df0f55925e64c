// A progress bar of a fixed width.

/**
 * @param share 0 to 1; values outside are taken as the nearer end
 * @param width in characters, without the brackets
 */
export function bar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
}
