import { describe, expect, it } from 'vitest';
import { duplicateFields } from './duplicate-fields.ts';

describe('members that appear twice', () => {
  it.each([
    ['{"a":1,"a":2}', ['a']],
    ['{"a":{"b":1,"c":{},"b":2}}', ['a.b']],
    ['[{"a":1},{"a":1, "a" : 2}]', ['[1].a']],
    ['{"l":[1,{"x":1,"x":2}]}', ['l[1].x']],
    ['{"a":"a","b":"\\"a\\":","c":["a","a"]}', []],
    ['{"\\u0061":1,"a":2}', ['a']],
  ])('in %s are %j', (text, found) => {
    expect(duplicateFields(text)).toEqual(found);
  });
});
