import { type CompileError } from './compile-error.js';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Finds line and column, from 1, of positions in a text. A line ends at LF, CR, CR LF or LF CR (protocol 06 §10.5). */
export const placesIn = (source: string): ((position: number) => Place) => {
  const starts = [0, ...Array.from(source.matchAll(/\r\n|\n\r|\n|\r/g), ({ 0: end, index }) => index + end.length)];
  return (position) => {
    let [line, end] = [0, starts.length];
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if (starts[middle]! <= position) line = middle;
      else end = middle;
    }
    return { line: line + 1, column: position - starts[line]! + 1 };
  };
};

export const lineAndColumn = (source: string, position: number): Place => placesIn(source)(position);

/** The text of an error as clients see it: place, source line, carets, message, footer (protocol 06 §10.5). */
export const formatError = (source: string, { title, message, span, footer }: CompileError): string => {
  const { line, column } = span ? lineAndColumn(source, span.start) : { line: 1, column: 1 };
  const shown = source.split(/\r\n|\n|\r/)[line - 1] ?? '';
  const room = shown.length - (column - 1);
  const width = span ? span.end - span.start : 0;
  const number = `${line} |`;
  const gutter = `${' '.repeat(number.length - 1)}|`;
  const indent = ' '.repeat(column - 1);
  const lines = [
    `-- error (${line}:${column}): ${title}`,
    `${number}${shown}`,
    `${gutter}${indent}${'^'.repeat(room > 0 ? Math.min(width, room) : width)}`,
    `${gutter}${indent}${message}`,
  ];
  if (footer !== undefined) {
    const dashes = Math.max(footer.length, ...lines.map((text) => text.length - gutter.length));
    lines.push(`${gutter}${'-'.repeat(dashes)}`, `${gutter}${footer}`);
  }
  return `${lines.join('\n')}\n`;
};
