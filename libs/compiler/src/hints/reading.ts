import { isReserved } from '../lexer/names.js';
import { skipWhiteSpace } from '../lexer/white-space.js';

/** The innermost brackets around a position, by what they belong to. */
export type Surroundings =
  /** Outside of all definitions. */
  | 'source'
  /** `( )` behind the name of a contract or script. */
  | 'fields'
  /** `( )` of a function, of an event. */
  | 'parameters'
  | 'event fields'
  /** `{ }` of a contract or interface. */
  | 'members'
  | 'struct'
  | 'enum'
  /** `{ }` of a function, a script or a block. */
  | 'statements'
  /** `( )` of `if` and `while`, of `for`. */
  | 'condition'
  | 'loop'
  /** `( )` behind a name, behind `return`, behind anything else. */
  | 'arguments'
  | 'returned'
  | 'parentheses'
  /** `{ }` behind the name of a struct, behind that of a function. */
  | 'struct value'
  | 'approvals'
  | 'square brackets';

/** How far a source was read, and the text there. */
export interface Reading {
  readonly position: number;
  readonly surroundings: Surroundings;
  /** Position of the bracket that opens the surroundings; -1: there is none. */
  readonly openedAt: number;
  /** The construct that the bracket before the position closes; undefined: there is none. */
  readonly closed: Surroundings | undefined;
  /** The end of the text before it and the beginning of that from there on, without comments and what strings hold. */
  readonly before: string;
  readonly at: string;
}

/** Characters that a row of the table looks at. */
const [charactersBefore, charactersAt] = [200, 100];

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** The same text, of the same length, without comments and the contents of strings. */
const bare = (source: string): string =>
  source.replace(/`[^`]*`|\/\/[^\n]*/g, (found) =>
    found[0] === '`' ? `\`${blank(found.slice(1, -1))}\`` : blank(found),
  );

const ofKeyword: Readonly<Record<string, { readonly round?: Surroundings; readonly curly: Surroundings }>> = {
  Contract: { round: 'fields', curly: 'members' },
  Interface: { curly: 'members' },
  TxScript: { round: 'fields', curly: 'statements' },
  AssetScript: { round: 'fields', curly: 'members' },
  struct: { curly: 'struct' },
  enum: { curly: 'enum' },
  event: { round: 'event fields', curly: 'event fields' },
  fn: { round: 'parameters', curly: 'statements' },
};

const ofStatement: Readonly<Record<string, Surroundings>> = {
  if: 'condition',
  while: 'condition',
  for: 'loop',
  return: 'returned',
};

const roundBrackets = (last: string, lastButOne: string): Surroundings =>
  ofKeyword[lastButOne]?.round ??
  ofStatement[last] ??
  (/^\w+!?$/.test(last) && !isReserved(last) ? 'arguments' : 'parentheses');

const curlyBrackets = (last: string, definition: string | undefined): Surroundings => {
  if (definition !== undefined) return ofKeyword[definition]!.curly;
  if (/^[A-Z]/.test(last)) return 'struct value';
  return /^[a-z]\w*!?$/.test(last) && !isReserved(last) ? 'approvals' : 'statements';
};

const token = /\w+!?|\S/g;
const closing = ')]}';

/** Characters around the end of a text. */
const surroundingsOf = (text: string): Pick<Reading, 'surroundings' | 'openedAt' | 'closed'> => {
  const open: { readonly kind: Surroundings; readonly at: number }[] = [];
  let [last, lastButOne] = ['', ''];
  /** A definition whose `{` is to come. */
  let definition: string | undefined;
  let closed: Surroundings | undefined;
  for (const { 0: word, index } of text.matchAll(token)) {
    closed = undefined;
    if (Object.hasOwn(ofKeyword, word)) definition = word;
    if (word === '(') open.push({ kind: roundBrackets(last, lastButOne), at: index });
    else if (word === '[') open.push({ kind: 'square brackets', at: index });
    else if (word === '{') {
      open.push({ kind: curlyBrackets(last, definition), at: index });
      definition = undefined;
    } else if (closing.includes(word)) {
      closed = open.pop()?.kind;
      // An event has no `{`.
      if (closed === 'event fields') definition = undefined;
    }
    [lastButOne, last] = [last, word];
  }
  const innermost = open.at(-1);
  return { surroundings: innermost?.kind ?? 'source', openedAt: innermost?.at ?? -1, closed };
};

/** The text around the place where the grammar stops to fit. */
export const readingUntil = (source: string, stoppedAt: number): Reading => {
  const text = bare(source);
  const position = skipWhiteSpace(text, stoppedAt);
  const before = text.slice(0, position).trimEnd();
  return {
    position,
    ...surroundingsOf(before),
    before: before.slice(-charactersBefore),
    at: text.slice(position, position + charactersAt),
  };
};
