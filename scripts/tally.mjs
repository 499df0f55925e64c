// Sums up a test run: one failure for each tool that failed, and what vitest's JSON report counts.

/**
 * A test file that could not be loaded has no tests to count: it counts as one failure, and so does a run that failed
 * although no test did (an unhandled error, no report).
 *
 * @param {readonly boolean[]} tools whether each tool beside vitest succeeded
 * @param {boolean} succeeded whether vitest did
 * @param {{ numPassedTests: number, numFailedTests: number, testResults: { status: string, assertionResults: unknown[] }[] } | undefined} report
 * @returns {{ passed: number, failed: number }}
 */
export function tally(tools, succeeded, report) {
  const broken = (report?.testResults ?? []).filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  const inTests = (report?.numFailedTests ?? 0) + broken.length;
  const unexplained = !succeeded && inTests === 0 ? 1 : 0;
  return {
    passed: report?.numPassedTests ?? 0,
    failed: tools.filter((ok) => !ok).length + inTests + unexplained,
  };
}
