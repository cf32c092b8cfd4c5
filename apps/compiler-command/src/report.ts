import { relative } from 'node:path';
import { formatError, hintText, lineAndColumn, type ProjectResult } from '@shardnode/compiler';
import { tableLines } from '@shardnode/core/terminal';
import { type Paint } from './colour.js';
import { type Problem } from './read-sources.js';

/** A path as a person in this folder writes it: relative, unless it leads out of the folder. */
export const shownPath = (path: string, from: string): string => {
  const short = relative(from, path);
  return short.startsWith('..') ? path : short || '.';
};

/** A source may contain control characters that a terminal would obey; and a tab is one column. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

/** An error as `FILE:line:column: title: message`, its source line and carets (protocol 06 §10.5). */
export const problemText = ({ source, error }: Problem, from: string, paint: Paint): string => {
  const said = `${paint('red', error.title)}: ${printable(error.message)}`;
  if (!source || !error.span) return `${said}\n`;
  const { line, column } = lineAndColumn(source.text, error.span.start);
  const place = paint('bold', `${printable(shownPath(source.path, from))}:${line}:${column}`);
  // Without its first line, and the message, which the heading shows.
  const text = formatError(source.text, error) + hintText(source.text, error);
  const [sourceLine, carets, , ...footer] = text.split('\n').slice(1).map(printable);
  return [`${place}: ${said}`, sourceLine!, paint('red', carets!), ...footer].join('\n');
};

interface Compiled {
  readonly name: string;
  readonly warnings: readonly string[];
}

/** Warnings under the name of their contract or script. */
export const warningsText = ({ contracts, scripts }: ProjectResult, paint: Paint): string =>
  [...contracts, ...scripts]
    .filter(({ warnings }: Compiled) => warnings.length > 0)
    .map(({ name, warnings }) =>
      [`${paint('yellow', 'warning')}: ${paint('bold', name)}`, ...warnings.map((text) => `  ${text}`), ''].join('\n'),
    )
    .join('');

const columns = [
  { title: 'name' },
  { title: 'kind' },
  { title: 'methods', right: true },
  { title: 'bytes', right: true },
  { title: 'code hash' },
  { title: 'warnings', right: true },
];

const templateHole = /\{\d+\}/g;

/** Bytes of code in hexadecimal digits; of a template without the values of its parameters. */
const byteCount = (code: string): number => code.replace(templateHole, '').length / 2;

/** One row for each contract and script, by name within its kind. */
export const resultTable = ({ contracts, scripts }: ProjectResult, paint: Paint): string => {
  const row = (
    kind: string,
    code: string,
    hash: string,
    { name, warnings, functions }: Compiled & { readonly functions: readonly unknown[] },
  ) => [name, kind, String(functions.length), String(byteCount(code)), hash, String(warnings.length)];
  const byName = (a: Compiled, b: Compiled): number => (a.name < b.name ? -1 : 1);
  const rows = [
    ...[...contracts].sort(byName).map((each) => row('contract', each.bytecode, each.codeHash, each)),
    ...[...scripts].sort(byName).map((each) => row('script', each.bytecodeTemplate, '-', each)),
  ];
  const [titles, rule, ...lines] = tableLines(columns, rows);
  return [paint('bold', titles!), paint('dim', rule!), ...lines, ''].join('\n');
};
