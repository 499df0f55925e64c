import { describe, expect, it } from 'vitest';
import { compileText, compileValue } from './template.ts';

function render(text: string, scope: Readonly<Record<string, unknown>> = {}): unknown {
  const parsed = compileText(text);
  if ('fault' in parsed) throw new Error(`fault: ${parsed.fault}`);
  return parsed.compiled(scope);
}

describe('a template', () => {
  it('keeps the type of a single expression, and makes a text of anything else', () => {
    expect(render('{{ port }}', { port: 80 })).toBe(80);
    expect(render(':{{ port }}', { port: 80 })).toBe(':80');
    expect(render('{{ list }}', { list: [1, 2] })).toEqual([1, 2]);
  });

  it('fails for a key that is missing, at any depth, and tells which', () => {
    expect(() => render('{{ a.b }}', { a: {} })).toThrow('undefined variable: a.b');
    expect(() => render('{{ a }}')).toThrow('undefined variable: a');
    expect(render('{{ a | default: "x" }}')).toBe('x');
  });

  it('is refused before it is used if it cannot be read', () => {
    expect(() => render('{{ a')).toThrow('fault');
    expect(() => render('{{ a | nope }}')).toThrow('fault: undefined filter: nope');
    expect(() => render('{% if a %}')).toThrow('fault');
  });

  it('reaches no code, no files, no time and no chance', () => {
    expect(() => render('{{ a.constructor.name }}', { a: {} })).toThrow('undefined variable');
    expect(() => render('{{ a.__proto__ }}', { a: {} })).toThrow('undefined variable');
    for (const text of ['{% include "x" %}', '{% render "/etc/passwd" %}', '{% layout "x" %}', '{% assign a = 1 %}'])
      expect(() => render(text)).toThrow('fault');
    for (const filter of ['date: "%s"', 'sample', 'where_exp: "x", "x"'])
      expect(() => render(`{{ "now" | ${filter} }}`)).toThrow('fault');
    expect(() => render('{% for i in (1..1000000) %}x{% endfor %}')).toThrow('fault');
    expect(() => render('{{ (1..100000000) | join }}')).toThrow(/limit/i);
  });

  it('may stand in any text of a value, and says where it failed', () => {
    const parsed = compileValue({ spec: { ports: [{ port: '{{ port }}', name: 'x' }], on: true } }, 'properties');
    if ('fault' in parsed) throw new Error(parsed.fault);
    expect(parsed.compiled({ port: 1 })).toEqual({ spec: { ports: [{ port: 1, name: 'x' }], on: true } });
    expect(() => parsed.compiled({})).toThrow('properties.spec.ports[0].port: undefined variable: port');
    expect(compileValue({ a: '{{ | }}', b: ['{{ x | nope }}'] }, 'p')).toMatchObject({
      fault: expect.stringContaining('p.b[0]: undefined filter') as string,
    });
  });
});
