// The functions that Kubernetes adds to CEL, as far as they can be expressed with this library.
import { isIP, isIPv4 } from 'node:net';
import { CelScalar, celFunc, celMethod, isCelList, listType, mapType } from '@bufbuild/cel';
import type { CelFunc, CelList, CelMap, CelValue } from '@bufbuild/cel';
import { knownFormat } from '../formats.ts';
import { patternOf } from '../patterns.ts';
import { QUANTITY_FAULT, canonicalQuantity, compareQuantities, quantityValue } from '../quantity.ts';

const { BOOL, DOUBLE, DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);
/** Quantities and URLs are maps with one telling key, for the library has no types of our own. */
const OBJECT = mapType(STRING, DYN);

/** The member that makes a map an optional value: a list with the value, or an empty one. */
export const OPTIONAL = '__optional__';

type Key = bigint | number | string | boolean;

function keys(list: CelList): Key[] {
  return [...list] as Key[];
}

const lists: readonly CelFunc[] = [
  celMethod('isSorted', LIST, [], BOOL, function () {
    const items = keys(this as CelList);
    return items.every((item, index) => index === 0 || (items[index - 1] as Key) <= item);
  }),
  celMethod('sum', LIST, [], DYN, function () {
    const items = keys(this as CelList);
    if (items.length === 0) return 0n;
    return items.reduce((a, b) => (typeof a === 'bigint' && typeof b === 'bigint' ? a + b : Number(a) + Number(b)));
  }),
  celMethod('min', LIST, [], DYN, function () {
    return extreme(this as CelList, (a, b) => a < b, 'min');
  }),
  celMethod('max', LIST, [], DYN, function () {
    return extreme(this as CelList, (a, b) => a > b, 'max');
  }),
  celMethod('indexOf', LIST, [DYN], INT, function (item) {
    return BigInt(keys(this as CelList).findIndex((other) => other === item));
  }),
  celMethod('lastIndexOf', LIST, [DYN], INT, function (item) {
    return BigInt(keys(this as CelList).findLastIndex((other) => other === item));
  }),
];

function extreme(list: CelList, before: (a: Key, b: Key) => boolean, name: string): Key {
  const items = keys(list);
  const [first, ...rest] = items;
  if (first === undefined) throw new Error(`${name} called on empty list`);
  return rest.reduce((best, item) => (before(item, best) ? item : best), first);
}

function members(value: CelValue): readonly unknown[] {
  return isCelList(value) ? [...value].map((item) => (typeof item === 'bigint' ? Number(item) : item)) : [];
}

function containsAll(outer: readonly unknown[], inner: readonly unknown[]): boolean {
  return inner.every((item) => outer.includes(item));
}

const sets: readonly CelFunc[] = [
  celFunc('sets.contains', [LIST, LIST], BOOL, (a, b) => containsAll(members(a as CelList), members(b as CelList))),
  celFunc('sets.equivalent', [LIST, LIST], BOOL, (a, b) => {
    const [left, right] = [members(a as CelList), members(b as CelList)];
    return containsAll(left, right) && containsAll(right, left);
  }),
  celFunc('sets.intersects', [LIST, LIST], BOOL, (a, b) => {
    const right = members(b as CelList);
    return members(a as CelList).some((item) => right.includes(item));
  }),
];

const texts: readonly CelFunc[] = [
  celMethod('find', STRING, [STRING], STRING, function (pattern) {
    return patternOf(pattern)?.exec(String(this))?.[0] ?? '';
  }),
  celMethod('findAll', STRING, [STRING], LIST, function (pattern) {
    const matcher = patternOf(pattern);
    return matcher === undefined ? [] : (String(this).match(new RegExp(matcher.source, `g${matcher.flags}`)) ?? []);
  }),
  celMethod('findAll', STRING, [STRING, INT], LIST, function (pattern, limit) {
    const matcher = patternOf(pattern);
    const all =
      matcher === undefined ? [] : (String(this).match(new RegExp(matcher.source, `g${matcher.flags}`)) ?? []);
    return limit < 0n ? all : all.slice(0, Number(limit));
  }),
  celFunc('isURL', [STRING], BOOL, (text) => knownFormat('uri')?.(text) === true),
  celFunc('isIP', [STRING], BOOL, (text) => isIP(text) !== 0),
  celFunc('isCIDR', [STRING], BOOL, (text) => knownFormat('cidr')?.(text) === true),
  celFunc('ip', [STRING], OBJECT, (text) => {
    if (isIP(text) === 0)
      throw new Error(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
    return new Map([['ip', text]]);
  }),
  celMethod('family', OBJECT, [], INT, function () {
    return isIPv4(part(this as CelMap, 'ip')) ? 4n : 6n;
  }),
  celFunc('url', [STRING], OBJECT, (text) => new Map([['url', new URL(text, 'unset://').href]])),
  celMethod('getScheme', OBJECT, [], STRING, function () {
    return urlOf(this as CelMap)
      .protocol.replace(/:$/, '')
      .replace('unset', '');
  }),
  celMethod('getHost', OBJECT, [], STRING, function () {
    return urlOf(this as CelMap).host;
  }),
  celMethod('getHostname', OBJECT, [], STRING, function () {
    return urlOf(this as CelMap).hostname;
  }),
  celMethod('getPort', OBJECT, [], STRING, function () {
    return urlOf(this as CelMap).port;
  }),
  celMethod('getEscapedPath', OBJECT, [], STRING, function () {
    return urlOf(this as CelMap).pathname;
  }),
];

function part(map: CelMap, key: string): string {
  const value = map.get(key);
  if (typeof value !== 'string') throw new Error(`no such overload`);
  return value;
}

function urlOf(map: CelMap): URL {
  return new URL(part(map, 'url'));
}

function compareTo(this: unknown, other: unknown): number {
  return compareQuantities(part(this as CelMap, 'quantity'), part(other as CelMap, 'quantity'));
}

const quantities: readonly CelFunc[] = [
  celFunc('isQuantity', [STRING], BOOL, (text) => canonicalQuantity(text) !== undefined),
  celFunc('quantity', [STRING], OBJECT, (text) => {
    const quantity = canonicalQuantity(text);
    if (quantity === undefined) throw new Error(QUANTITY_FAULT);
    return new Map([['quantity', quantity]]);
  }),
  celMethod('isGreaterThan', OBJECT, [OBJECT], BOOL, function (other) {
    return compareTo.call(this, other) > 0;
  }),
  celMethod('isLessThan', OBJECT, [OBJECT], BOOL, function (other) {
    return compareTo.call(this, other) < 0;
  }),
  celMethod('compareTo', OBJECT, [OBJECT], INT, function (other) {
    return BigInt(compareTo.call(this, other));
  }),
  celMethod('isInteger', OBJECT, [], BOOL, function () {
    return Number.isInteger(quantityValue(part(this as CelMap, 'quantity')));
  }),
  celMethod('asInteger', OBJECT, [], INT, function () {
    return BigInt(quantityValue(part(this as CelMap, 'quantity')));
  }),
  celMethod('asApproximateFloat', OBJECT, [], DOUBLE, function () {
    return quantityValue(part(this as CelMap, 'quantity'));
  }),
  celMethod('sign', OBJECT, [], INT, function () {
    return BigInt(Math.sign(quantityValue(part(this as CelMap, 'quantity'))));
  }),
];

const optionals: readonly CelFunc[] = [
  celMethod('hasValue', OBJECT, [], BOOL, function () {
    return optional(this as CelMap).size > 0;
  }),
  celMethod('value', OBJECT, [], DYN, function () {
    const value = optional(this as CelMap).get(0);
    if (value === undefined) throw new Error('optional.none() dereference');
    return value;
  }),
  celMethod('orValue', OBJECT, [DYN], DYN, function (fallback) {
    return optional(this as CelMap).get(0) ?? fallback;
  }),
];

function optional(map: CelMap): CelList {
  const list = map.get(OPTIONAL);
  if (!isCelList(list)) throw new Error('no such overload');
  return list;
}

/** Lists, sets, regular expressions, URLs, IP addresses, quantities and optional values. */
export const kubernetesFunctions: readonly CelFunc[] = [...lists, ...sets, ...texts, ...quantities, ...optionals];
