// Whether tests on a real control plane can run; if not, says loudly what is skipped.
import { findBinaries, howToGetBinaries } from './binaries.ts';

/**
 * @param what such as `the tests on a real control plane`
 * @throws if PAWL_REQUIRE_CONTROL_PLANE=1 and there is none
 */
export function hasControlPlane(what: string): boolean {
  if (findBinaries() !== undefined) return true;
  if (process.env['PAWL_REQUIRE_CONTROL_PLANE'] === '1')
    throw new Error(`PAWL_REQUIRE_CONTROL_PLANE is set, but ${howToGetBinaries}`);
  console.warn(`SKIPPED: ${what}. To run this: ${howToGetBinaries}`);
  return false;
}
