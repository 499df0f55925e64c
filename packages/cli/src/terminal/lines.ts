// Lines of text with meaning instead of colours, and the one place that turns them into what a terminal shows.

/** What a piece of text means. Colours follow from it, never the other way round. */
export type Style = 'plain' | 'strong' | 'faint' | 'good' | 'busy' | 'bad';

/** A piece of a line. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One line of output, without a line break. */
export type Line = readonly Span[];

/** Turns a text into one of that style, such as by escape sequences. */
export type Paint = (style: Style, text: string) => string;

/** For everything that is not a terminal. */
export const unpainted: Paint = (_style, text) => text;

/** A piece of text of a style. */
export function span(text: string, style: Style = 'plain'): Span {
  return { text, style };
}

/** A line of one style. */
export function line(text: string, style: Style = 'plain'): Line {
  return [span(text, style)];
}

/** The text of a line, without styles. */
export function textOf(spans: Line): string {
  return spans.map(({ text }) => text).join('');
}

/**
 * A line as it is written: painted, and cut to `width` characters, so that it never wraps.
 * @param width in columns; absent: as long as it is
 */
export function paintLine(spans: Line, paint: Paint, width = Number.POSITIVE_INFINITY): string {
  let left = textOf(spans).length <= width ? width : Math.max(0, width - 1);
  const isCut = left !== width;
  let written = '';
  for (const { text, style } of spans) {
    if (left <= 0) break;
    const part = text.slice(0, left);
    left -= part.length;
    written += style === 'plain' ? part : paint(style, part);
  }
  return isCut && width > 0 ? `${written}…` : written;
}
