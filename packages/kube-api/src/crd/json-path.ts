// The part of JSONPath that printer columns use: names, indexes, all items, and filters on equality.
import { isList, isObject, type Json } from '../json.ts';

type Step = (values: readonly Json[]) => readonly Json[];

/** A compiled path; gives all values found. */
export type JsonPath = (value: Json) => readonly Json[];

const STEP =
  /\.?\[\s*(?:(\*)|(-?\d+)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\?\(\s*@\.([\w.-]+)\s*==\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))\s*\))\s*\]|\.((?:[^.[\]\\]|\\.)+)/y;

/** Compiles a path such as `.status.conditions[?(@.type=="Ready")].status`; undefined if it is none. */
export function compileJsonPath(path: string): JsonPath | undefined {
  const trimmed = path.trim().replace(/^\$/, '');
  const steps: Step[] = [];
  // A filter compiles its own path with the same expression, so the place is kept here.
  let at = 0;
  while (at < trimmed.length) {
    STEP.lastIndex = at;
    const match = STEP.exec(trimmed);
    if (match === null) return undefined;
    at = STEP.lastIndex;
    const [, star, index, single, double, filterPath, quoted, quotedSingle, bare, name] = match;
    if (star !== undefined || name === '*') steps.push(members);
    else if (index !== undefined) steps.push(itemAt(Number(index)));
    else if (filterPath !== undefined) steps.push(filter(filterPath, quoted ?? quotedSingle ?? bare ?? ''));
    else steps.push(member((single ?? double ?? name ?? '').replaceAll(/\\(.)/g, '$1')));
  }
  return (value) => steps.reduce((values, step) => step(values), [value] as readonly Json[]);
}

function member(name: string): Step {
  return (values) => values.flatMap((value) => (isObject(value) ? present(value[name]) : []));
}

function itemAt(index: number): Step {
  return (values) => values.flatMap((value) => (isList(value) ? present(value.at(index)) : []));
}

const members: Step = (values) =>
  values.flatMap((value) => (isList(value) ? value : isObject(value) ? Object.values(value).flatMap(present) : []));

function filter(path: string, wanted: string): Step {
  const read = compileJsonPath(`.${path}`) ?? (() => []);
  const holds = (item: Json): boolean =>
    read(item).some((found) => typeof found !== 'object' && String(found) === wanted);
  return (values) => values.flatMap((value) => (isList(value) ? value.filter(holds) : []));
}

function present(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value];
}
