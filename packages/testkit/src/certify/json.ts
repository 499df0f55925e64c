// The certification for machines: everything that the page says, with the plans that show what was found.
import { explorationJson } from '../report/machine.ts';
import type { Certificate } from './certificate.ts';

/** As plain data, without histories. */
export function certificateJson({ exploration, replays, ...rest }: Certificate): object {
  return { ...rest, failures: exploration.failures.map(({ mode, edge, plan }, index) => ({ mode, edge, plan, replay: replays[index] })), exploration: explorationJson(exploration) };
}
