import { builtInFunctions, builtInNamed } from '../built-ins/table.js';
import { type CompileError } from '../errors/compile-error.js';
import { lineAndColumn, type Place } from '../errors/error-text.js';
import { filled, type TextValues } from '../errors/text-values.js';
import { type GrammarHint } from './grammar-hint.js';
import { grammarHints } from './grammar-hints.js';
import { nearestName } from './nearest.js';
import { type Reading, readingUntil } from './reading.js';
import { ruleHints, type RuleHint } from './rule-hints.js';

/** The step to take after an error. */
export interface Hint {
  /** Its name in the table. */
  readonly name: string;
  readonly text: string;
  /** Where the source has to change, if that is not where the error is shown. */
  readonly place?: Place;
}

const firstWord = /^\w+|^./;
const lastWord = /\w+$/;

/** Words that begin a statement or a definition. */
const keywords: Readonly<Partial<Record<Reading['surroundings'], readonly string[]>>> = {
  source: ['Contract', 'Abstract', 'TxScript', 'Interface', 'struct'],
  members: ['mapping', 'event', 'const', 'enum', 'pub', 'fn'],
  statements: ['let', 'return', 'emit', 'while', 'for', 'if', 'else'],
};

/** `retrun x`: a word before another one, or where a definition begins, that is nearly a keyword. */
const misspelled = ({ surroundings, before, at }: Reading): string | undefined => {
  const known = keywords[surroundings];
  const word = surroundings === 'statements' ? lastWord.exec(before)?.[0] : firstWord.exec(at)?.[0];
  if (!known || word === undefined || word.length < 4) return undefined;
  return nearestName(word, known);
};

const fitsReading = (hint: GrammarHint, reading: Reading, error: CompileError): boolean =>
  (!hint.within || hint.within.includes(reading.surroundings)) &&
  (hint.closed === undefined || hint.closed === reading.closed) &&
  (!hint.before || hint.before.test(reading.before)) &&
  (!hint.at || hint.at.test(reading.at)) &&
  (hint.expected === undefined || error.message === `Expected ${hint.expected}`) &&
  (!hint.isNearKeyword || misspelled(reading) !== undefined) &&
  (!hint.isElsewhere || reading.position !== error.span?.start);

const grammarHint = (source: string, error: CompileError, stoppedAt: number): Hint | undefined => {
  const reading = readingUntil(source, stoppedAt);
  const found = Object.entries(grammarHints).find(([, each]) => fitsReading(each, reading, error));
  if (!found) return undefined;
  const [name, { text }] = found;
  const values: TextValues = {
    word: firstWord.exec(reading.at)?.[0] ?? '',
    open: source[reading.openedAt] ?? '',
    line: lineAndColumn(source, Math.max(reading.openedAt, 0)).line,
    keyword: misspelled(reading) ?? '',
  };
  return {
    name,
    text: filled(text, values),
    ...(reading.position !== error.span?.start ? { place: lineAndColumn(source, reading.position) } : {}),
  };
};

const builtInNames = builtInFunctions.map(({ name }) => `${name}!`);

/** The name that was probably meant, by what a hint asks of it. */
const meantName = (kind: RuleHint['known'], name: string, { rule, known }: CompileError): string | undefined => {
  const isOf = (names: readonly string[], wanted: string): string | undefined =>
    names.includes(wanted) ? wanted : undefined;
  switch (kind) {
    case 'built-in':
      return isOf(rule === 'unknownVariable' ? builtInNames : known, `${name}!`);
    case 'own':
      return isOf(known, name);
    default:
      return nearestName(name, known);
  }
};

const fitsError = (hint: RuleHint, error: CompileError, name: string, at: string): boolean =>
  (hint.rules as readonly string[]).includes(error.rule!) &&
  (!hint.name || hint.name.test(name)) &&
  (!hint.at || hint.at.test(at)) &&
  (!hint.known || meantName(hint.known, name, error) !== undefined) &&
  Object.entries(hint.value ?? {}).every(([value, pattern]) => pattern.test(String(error.values[value])));

/** The name that an error is about, as the source has it: `f.amount` is the variable `amount` of function `f`. */
const nameOf = ({ rule, values: { name, field, keys, id } }: CompileError): string => {
  const text = String(field ?? name ?? keys ?? id ?? '');
  if (rule === 'unknownAnnotationKeys') return text.split(',', 1)[0]!;
  return rule === 'unknownVariable' ? text.slice(text.indexOf('.') + 1) : text;
};

const signatureOf = ({ rule, values }: CompileError): string =>
  builtInNamed(rule === 'panicArguments' ? 'panic' : String(values['name']))?.signature ?? '';

const charactersAt = 100;

const ruleHint = (source: string, error: CompileError): Hint | undefined => {
  const name = nameOf(error);
  const at = error.span ? source.slice(error.span.start, error.span.start + charactersAt) : '';
  const found = Object.entries(ruleHints).find(([, each]) => fitsError(each, error, name, at));
  if (!found) return undefined;
  const [hintName, hint] = found;
  const values: TextValues = { name, near: meantName(hint.known, name, error) ?? '', signature: signatureOf(error) };
  return { name: hintName, text: filled(hint.text, values) };
};

/** The step to take after an error of a source; undefined: no hint is known for it. */
export const hintOf = (source: string, error: CompileError): Hint | undefined => {
  if (error.rule !== undefined) return ruleHint(source, error);
  return error.stoppedAt === undefined ? undefined : grammarHint(source, error, error.stoppedAt);
};

/** A hint as the line below the text of its error; empty without one. */
export const hintText = (source: string, error: CompileError): string => {
  const hint = hintOf(source, error);
  if (!hint) return '';
  const place = hint.place ? ` (${hint.place.line}:${hint.place.column})` : '';
  return `  = hint${place}: ${hint.text}\n`;
};
