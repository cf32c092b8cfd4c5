import { skipWhiteSpace } from '../lexer/white-space.js';
import { failed, named, type ParseState, type Rule } from './rules.js';
import { type Expression } from './syntax-tree.js';
import { plain } from './tokens.js';

export interface InterpolatedString {
  /** One more than holes. */
  readonly pieces: readonly string[];
  readonly holes: readonly Expression[];
}

const label = '"`"';

/** `${ expr }`; undefined: it does not fit and has not committed, so that the string fails at its `$`. */
const hole = (expression: Rule<Expression>): Rule<Expression> =>
  named('PP', (state) => {
    state.position += 2;
    const value = expression(state);
    if (value === failed) return failed;
    return plain('}')(state) === failed ? failed : value;
  });

/** The text up to the next `$` or back quote, with `$$` and `` $` `` as what they stand for. */
const readText = (state: ParseState): string => {
  let piece = '';
  for (;;) {
    const from = state.position;
    while (state.position < state.text.length && !'`$'.includes(state.text[state.position]!)) state.position += 1;
    piece += state.text.slice(from, state.position);
    const next = state.text[state.position + 1];
    if (state.text[state.position] !== '$' || (next !== '$' && next !== '`')) return piece;
    piece += next;
    state.position += 2;
  }
};

/** A back-quoted text with holes, only in `emit Debug` (protocol 06 §2.4). */
export const interpolatedString = (expression: Rule<Expression>): Rule<InterpolatedString> => {
  const inHole = hole(expression);
  return named('string', (state) => {
    const start = skipWhiteSpace(state.text, state.position);
    if (state.text[start] !== '`') return state.fail(label, start);
    const chainStart = (state.position = start + 1);
    const pieces = [readText(state)];
    const holes: Expression[] = [];
    while (state.text.startsWith('${', state.position)) {
      const at = state.position;
      const wasCommitted = state.isCommitted;
      state.isCommitted = false;
      const value = inHole(state);
      if (value === failed) {
        if (!state.isCommitted) {
          state.isCommitted = wasCommitted;
          return state.fail(label, at);
        }
        if (state.isTracing) state.trace.push({ rule: 'stringChained', at: chainStart });
        return failed;
      }
      state.isCommitted ||= wasCommitted;
      holes.push(value);
      pieces.push(readText(state));
    }
    if (state.text[state.position] !== '`') return state.fail(label, state.position);
    state.position += 1;
    return { pieces, holes };
  });
};
