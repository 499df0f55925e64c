// What the entry of a member shall be. Pure, and the same for the same member and options.
import { canonicalJson, shortHash } from '@pawl/reconciler';
import type { Options } from '../options/options.ts';
import { RenderError } from '../options/template.ts';
import type { Wanted } from './delta.ts';
import { keyHashOf } from './keys.ts';
import { scopeOf, type Desired, type Entry, type Home, type Member } from './member.ts';

const MOST_NAME = 63;

/** @throws RenderError if a template names what this member does not have */
export function desiredOf(options: Options, home: Home, wanted: Wanted): Desired {
  const { origin } = wanted.member;
  const known = origin === undefined ? undefined : options.made.get(origin);
  if (known !== undefined) return known;
  const made = make(options, home, wanted);
  if (origin !== undefined) options.made.set(origin, made);
  return made;
}

function make(options: Options, home: Home, { key, member }: Wanted): Desired {
  const { sink, properties, name, drift } = options;
  const scope = { ...scopeOf(member), key, enrollment: home };
  const labels = sink.labels ?? {};
  const body = properties === undefined ? defaultBody(options, member) : properties(scope);
  const specHash = shortHash(canonicalJson(body ?? null), 20);
  const given = name === undefined ? undefined : name({ ...scope, hash: specHash });
  if (given !== undefined && (typeof given !== 'string' || given === ''))
    throw new RenderError(`spec.sink.template.name: found ${JSON.stringify(given)}; allowed is a name`);
  // A replacement stands beside what it replaces for a while, under a name of its own.
  const generated = objectName(home.name, key, drift === 'Recreate' ? specHash.slice(0, 6) : undefined);
  return { key, sourceId: member.id, name: given ?? generated, labels, body, specHash };
}

/** A plugin gets the description of the member, as InfraKit's controller does it; an object only its metadata. */
function defaultBody({ sink }: Options, { id, logicalID, tags, properties }: Member): unknown {
  if (sink.plugin === undefined) return {};
  return { ID: id, ...(logicalID === undefined ? {} : { LogicalID: logicalID }), Tags: tags, Properties: properties };
}

/** A name that is allowed for every kind; the hash of the key keeps two keys apart that look alike in it. */
export function objectName(enrollment: string, key: string, suffix?: string): string {
  const slug = key
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const tail = suffix === undefined ? '' : `-${suffix}`;
  const plain = `${enrollment}-${slug}${tail}`;
  if (slug === key && plain.length <= MOST_NAME) return plain;
  const end = `-${keyHashOf(key).slice(0, 8)}${tail}`;
  return `${`${enrollment}-${slug}`.slice(0, MOST_NAME - end.length).replace(/[-.]+$/, '')}${end}`;
}

/** Whether an entry was made from exactly this. */
export function isCurrent({ marks, tags }: Pick<Entry, 'marks' | 'tags'>, { specHash, labels }: Desired): boolean {
  return marks.specHash === specHash && Object.entries(labels).every(([name, value]) => tags[name] === value);
}
