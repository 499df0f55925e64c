// What plugins answer, checked: an answer that is not understood is an error, never an empty list.
import type { Description, GroupDescription } from './spi.ts';

type Fields = Readonly<Record<string, unknown>>;

/** @throws Error naming the field */
export function readDescriptions(value: unknown, path: string): readonly Description[] {
  if (!Array.isArray(value)) throw new Error(`${path}: found ${shown(value)}; allowed is a list`);
  return value.map((item, index) => readDescription(item, `${path}[${index}]`));
}

/** @throws Error naming the field */
export function readGroup(value: unknown): GroupDescription {
  const { Instances, Converged } = fieldsOf(value, 'Description');
  return { Instances: readDescriptions(Instances, 'Description.Instances'), Converged: Converged === true };
}

/** @throws Error naming the field */
export function readId(value: unknown, path: string): string {
  if (typeof value !== 'string' || value === '') throw new Error(`${path}: found ${shown(value)}; allowed is a text`);
  return value;
}

export function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${path}: found ${shown(value)}; allowed is an object`);
  return value as Fields;
}

function readDescription(value: unknown, path: string): Description {
  const { ID, LogicalID, Tags, Properties } = fieldsOf(value, path);
  const tags = Object.entries(Tags === undefined || Tags === null ? {} : fieldsOf(Tags, `${path}.Tags`));
  for (const [name, tag] of tags)
    if (typeof tag !== 'string') throw new Error(`${path}.Tags.${name}: found ${shown(tag)}; allowed is a text`);
  return {
    ID: readId(ID, `${path}.ID`),
    ...(typeof LogicalID === 'string' && LogicalID !== '' ? { LogicalID } : {}),
    Tags: Object.fromEntries(tags) as Readonly<Record<string, string>>,
    ...(Properties === undefined || Properties === null ? {} : { Properties }),
  };
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80));
