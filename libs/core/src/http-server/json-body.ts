import { invalidBody } from './json-bounds.js';

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Index after the string that starts at `start`. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
};

const isOfExactNumber = (code: number): boolean => isDigit(code) || code === minus || code === 0x2b;

/** A point, or the letter before an exponent. */
const isInexact = (code: number): boolean => code === 0x2e || code === 0x65 || code === 0x45;

/** Index after the number that starts at `start`; negative when it has a fraction or an exponent. */
const endOfNumber = (text: string, start: number): number => {
  let end = start + 1;
  let sign = 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (isInexact(code)) sign = -1;
    else if (!isOfExactNumber(code)) break;
  }
  return sign * end;
};

/** [start, end) of each number with a fraction or an exponent. */
type InexactNumbers = readonly (readonly [number, number])[];

/** Scans a text once, before it is parsed. */
const findInexact = (text: string): InexactNumbers => {
  const inexact: [number, number][] = [];
  for (let index = 0; index < text.length;) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else if (isDigit(code) || code === minus) {
      const found = endOfNumber(text, index);
      const end = Math.abs(found);
      if (found < 0) inexact.push([index, end]);
      index = end;
    } else {
      index++;
    }
  }
  return inexact;
};

/** V8 quotes the text around the mistake, which may be a secret. Returns only the position, if V8 has one. */
const mistakeOf = (error: unknown): string => {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return position === undefined ? 'is not valid JSON' : `is not valid JSON at index ${position}`;
};

/**
 * Parses JSON text that is within its bounds (`JsonBounds`). Returns undefined for an empty body; a schema refuses that
 * where a body is required. Numbers with a fraction or an exponent become NaN, so that a schema refuses them by the
 * name of their field (decision 25): after JSON.parse `2e4` would equal `20000`.
 * @throws ServiceError `InvalidBody`
 */
export const parseJsonBody = (text: string): unknown => {
  if (text.trim() === '') return undefined;
  const inexact = findInexact(text);
  try {
    const value: unknown = JSON.parse(text);
    return inexact.length === 0 ? value : parseWithoutInexact(text, inexact);
  } catch (error) {
    throw invalidBody(mistakeOf(error));
  }
};

/** A text that no client sends by accident and that JSON does not change. */
const mark = '\u{f0000}inexact number';

const parseWithoutInexact = (text: string, inexact: InexactNumbers): unknown => {
  let marked = '';
  let copied = 0;
  for (const [start, end] of inexact) {
    marked += `${text.slice(copied, start)}"${mark}"`;
    copied = end;
  }
  return JSON.parse(marked + text.slice(copied), (_key, value: unknown) => (value === mark ? NaN : value));
};
