import { expect, test } from 'vitest';
import { fieldSelectorFault, labelSelectorFault } from './selectors.ts';

test.each(['a', '!a', 'a=b', 'a==b', 'a!=b', 'a=', 'example.com/shard=1', 'a in (b)', 'a notin (b, c),d', 'tier=web,env in (prod,stage),!old', 'a in ()'])(
  'the label selector %s is one',
  (selector) => {
    expect(labelSelectorFault(selector)).toBeUndefined();
  },
);

test.each([
  ['', ''],
  ['a=b,', ''],
  ['a b', 'a b'],
  ['a=b=c', 'a=b=c'],
  ['a=ok,b in prod', 'b in prod'],
  ['a in (b', 'a in (b'],
  ['-a=b', '-a=b'],
  [`a=${'x'.repeat(64)}`, `a=${'x'.repeat(64)}`],
  ['A.com/a/b=c', 'A.com/a/b=c'],
])('the label selector "%s" is none, for "%s"', (selector, part) => {
  expect(labelSelectorFault(selector)).toBe(part);
});

test.each(['metadata.name=front', 'metadata.namespace!=kube-system,spec.shard==1', 'spec.shard='])('the field selector %s is one', (selector) => {
  expect(fieldSelectorFault(selector)).toBeUndefined();
});

test.each([
  ['metadata.name', 'metadata.name'],
  ['metadata.name=a,', ''],
  ['spec.a in (b)', 'spec.a in (b)'],
])('the field selector "%s" is none, for "%s"', (selector, part) => {
  expect(fieldSelectorFault(selector)).toBe(part);
});
