// What the API server said of a change that it would refuse, short enough for a status. Pure.
import type { Change } from '../lease.ts';

/** A change that the server would refuse. */
export type RefusedChange = Pick<Change, 'action' | 'target'> & { readonly refused: string };

const MOST = 240;
/** A value is long, and may be nobody's business: a plan shows it to who may read the object. */
const VALUES = /(Invalid value|Unsupported value|Duplicate value): (?:"(?:[^"\\]|\\.)*"|\S*\{.*?\}(?=: |$)|[^:]*?)(?=: |$)/gs;

/** `Action Served would change Deployment shop/front: Invalid: ... spec.selector: Invalid value: field is immutable`. */
export function refusalText({ action, target, refused }: RefusedChange): string {
  const said = refused.replace(VALUES, '$1').replaceAll(/\s+/g, ' ').trim();
  return `Action ${action} would change ${target}: ${said.length > MOST ? `${said.slice(0, MOST - 3)}...` : said}`;
}
