import { describe, expect, it } from 'vitest';
import { bar } from './bar.ts';
import { line, paintLine, span, unpainted, type Paint } from './lines.ts';
import { nextFrame } from './screen.ts';

const tagged: Paint = (style, text) => `<${style}>${text}</>`;

describe('a line', () => {
  it('is painted span by span', () => {
    expect(paintLine([span('a '), span('b', 'good')], tagged)).toBe('a <good>b</>');
  });

  it('is cut to the width, counting letters and not escape sequences', () => {
    expect(paintLine([span('abc', 'bad'), span('defg', 'good')], tagged, 5)).toBe('<bad>abc</><good>d</>…');
    expect(paintLine(line('abcde'), unpainted, 5)).toBe('abcde');
    expect(paintLine(line('abcde'), unpainted, 0)).toBe('');
  });
});

describe('a bar', () => {
  it.each([
    [0, '[----]'],
    [0.5, '[##--]'],
    [1, '[####]'],
    [7, '[####]'],
    [-1, '[----]'],
  ])('shows %d as %s', (share, shown) => {
    expect(bar(share, 4)).toBe(shown);
  });
});

describe('a frame', () => {
  it('begins with nothing to erase', () => {
    expect(nextFrame(0, ['one'], ['panel'])).toEqual({ bytes: 'one\npanel\n', height: 1 });
  });

  it('puts new lines where the old panel stood', () => {
    expect(nextFrame(2, ['two'], ['panel'])).toEqual({ bytes: '\u001b[2A\r\u001b[Jtwo\npanel\n', height: 1 });
  });
});
