import { type Val } from '@shardnode/protocol/script';
import { type Span } from '../errors/span.js';
import { byteVecOf, lockupScriptOf, utf8Bytes } from '../lexer/bytes.js';
import { continuesName, endOfName, isLower, isReserved, isUpper } from '../lexer/names.js';
import { low32, readNumber, valueInRange } from '../lexer/numbers.js';
import { choice, failed, mapped, named, type Rule, sequence } from './rules.js';
import { type FunctionName, type Name } from './syntax-tree.js';

/** The text itself, whatever follows it. */
export const plain = (text: string): Rule<Span> => {
  const label = `"${text}"`;
  return (state) => {
    const start = state.skip();
    if (!state.text.startsWith(text, start)) return state.fail(label, start);
    return { start, end: (state.position = start + text.length) };
  };
};

/** The text as a whole word (protocol 06 §2.2). */
export const keyword = (text: string): Rule<Span> => {
  const label = `"${text}"`;
  return (state) => {
    const start = state.skip();
    const end = start + text.length;
    if (!state.text.startsWith(text, start) || continuesName(state.text.charCodeAt(end))) {
      return state.fail(label, start);
    }
    return { start, end: (state.position = end) };
  };
};

const firstLetter = (names: string, label: string, isFirst: (code: number) => boolean): Rule<undefined> =>
  named(names, (state) => {
    const start = state.skip();
    return isFirst(state.text.charCodeAt(start)) ? undefined : state.fail(label, start);
  });

/** A name that begins with such a letter and is no reserved word. */
const nameRule = (first: Rule<undefined>): Rule<Name> =>
  named('id', (state) => {
    if (first(state) === failed) return failed;
    const start = state.position;
    const end = (state.position = endOfName(state.text, start));
    const text = state.text.slice(start, end);
    return isReserved(text) ? state.fail('()', end, start) : { text, start, end };
  });

/** Variables, functions, fields. */
export const ident: Rule<Name> = nameRule(firstLetter('lowercase', '[a-z]', isLower));
/** Entities, events, enums, structs; constants and enum fields where they are used. */
export const typeId: Rule<Name> = nameRule(firstLetter('uppercase', '[A-Z]', isUpper));
/** The name behind `const`. */
export const constantName: Rule<Name> = nameRule((state) => {
  const start = state.skip();
  if (isUpper(state.text.charCodeAt(start))) return undefined;
  return state.fail('constant variables must start with an uppercase letter', start);
});

/** A function's name, with an `!` for a built-in one. */
export const functionName: Rule<FunctionName> = named(
  'funcId',
  mapped(ident, (name, state) => {
    const isBuiltIn = state.text[state.position] === '!';
    if (isBuiltIn) state.position += 1;
    return { ...name, end: state.position, isBuiltIn };
  }),
);

export interface Literal extends Span {
  readonly value: Val;
}

const digitOrMinus = /[-0-9_]/;

/** An integer with its suffix (protocol 06 §2.3). */
const integer: Rule<Literal> = (state) => {
  const start = state.skip();
  const token = digitOrMinus.test(state.text[start] ?? '') ? readNumber(state.text, start) : undefined;
  if (!token) return state.fail('number', start);
  const suffix = state.text[token.consumedEnd];
  const hasSuffix = suffix === 'i' || suffix === 'u';
  const isZero = 'exact' in token.value && token.value.exact === 0n;
  const type = suffix === 'i' || (token.isNegative && !isZero) ? 'I256' : 'U256';
  state.position = token.consumedEnd + (hasSuffix ? 1 : 0);
  const value = valueInRange(token, type, start);
  return { value: { type, value }, start, end: token.end + (hasSuffix ? 1 : 0) };
};

/** The size of an array, reduced to 32 bits; its span has what the number has consumed. */
export const count: Rule<Span & { readonly size: number }> = (state) => {
  const start = state.skip();
  const token = digitOrMinus.test(state.text[start] ?? '') ? readNumber(state.text, start) : undefined;
  if (!token) return state.fail('number', start);
  return { size: low32(token), start, end: (state.position = token.consumedEnd) };
};

const boolean: Rule<Literal> = choice(
  'boolean',
  ...[true, false].map((value) =>
    mapped(keyword(String(value)), (span): Literal => ({ value: { type: 'Bool', value }, ...span })),
  ),
);

const alphanumeric = /[0-9a-zA-Z]*/y;

/** Text immediately behind a sign. */
const behind = (sign: string, least: number, read: (text: string, start: number) => Val): Rule<Literal> => {
  const label = `"${sign}"`;
  return (state) => {
    const start = state.skip();
    if (state.text[start] !== sign) return state.fail(label, start);
    alphanumeric.lastIndex = start + 1;
    const text = alphanumeric.exec(state.text)![0];
    if (text.length < least) return state.fail('[0-9a-zA-Z]', start + 1);
    const value = read(text, start + 1);
    return { value, start, end: (state.position = start + 1 + text.length) };
  };
};

const byteVec = behind('#', 0, (text, start) => ({ type: 'ByteVec', value: byteVecOf(text, start) }));
const address = behind('@', 1, (text, start) => ({ type: 'Address', value: lockupScriptOf(text, start) }));

export const literalValue: Rule<Literal> = choice('literal', integer, boolean, byteVec, address);

/** `b` and a back-quoted text: its UTF-8 bytes (protocol 06 §2.4). */
export const byteString: Rule<Literal> = sequence(
  [
    plain('b'),
    plain('`'),
    (state) => {
      const start = state.position;
      const end = state.text.indexOf('`', start);
      if (end < 0) return state.fail('"`"', state.text.length);
      state.position = end + 1;
      return state.text.slice(start, end);
    },
  ],
  ([, , text], span): Literal => ({ value: { type: 'ByteVec', value: utf8Bytes(text as string) }, ...span }),
);

export const endOfInput: Rule<undefined> = (state) => {
  const at = state.skip();
  return at === state.text.length ? undefined : state.fail('end-of-input', at);
};
