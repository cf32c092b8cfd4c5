import { compileError, CompileError } from '../errors/compile-error.js';
import { placesIn } from '../errors/error-text.js';
import { type Span } from '../errors/span.js';
import { skipWhiteSpace } from '../lexer/white-space.js';

/** Result of a rule when the text does not fit. */
export const failed = Symbol('failed');
export type Failed = typeof failed;

/**
 * One rule of a parsing-expression grammar (protocol 06 §3.1): reads from `state.position` on and moves it, or fails. After
 * a failure the position is anywhere: choices, options and repetitions restore it.
 */
export type Rule<T> = (state: ParseState) => T | Failed;

/** Brackets, calls, if expressions and blocks may be nested so deep (protocol 06 §14). */
const deepest = 220;

export class ParseState {
  position = 0;
  /** Whether a commit point was passed since the innermost open choice, option or repetition began. */
  isCommitted = false;
  failedAt = 0;
  failedLabel = '';
  /** The furthest position where a rule did not fit, whatever was tried after it. */
  stoppedAt = 0;
  /** Rules that were open at the last failure, innermost first; filled when `isTracing` only. */
  trace: { readonly rule: string; readonly at: number }[] = [];
  private depth = 0;

  constructor(
    readonly text: string,
    readonly isTracing: boolean,
  ) {}

  /** Moves behind white space and comments; returns the position. */
  skip(): number {
    return (this.position = skipWhiteSpace(this.text, this.position));
  }

  /** @param stoppedAt where the text that does not fit begins, if the failure is reported behind it */
  fail(label: string, at: number, stoppedAt = at): Failed {
    this.failedAt = at;
    if (stoppedAt > this.stoppedAt) this.stoppedAt = stoppedAt;
    this.failedLabel = label;
    if (this.isTracing) this.trace = [];
    return failed;
  }

  /** Runs a rule one level deeper. @throws CompileError when that is too deep */
  nested<T>(rule: Rule<T>): T | Failed {
    if (++this.depth > deepest) {
      const start = skipWhiteSpace(this.text, this.position);
      throw compileError('nestingTooDeep', { start, end: start + 1 });
    }
    const result = rule(this);
    this.depth -= 1;
    return result;
  }
}

type Values<Rules extends readonly Rule<unknown>[]> = {
  [Index in keyof Rules]: Rules[Index] extends Rule<infer Value> ? Exclude<Value, Failed> : never;
};

/** All rules one after the other; `build` gets their values and the span from the first to the last token. */
export const sequence =
  <const Rules extends readonly Rule<unknown>[], Result>(
    rules: Rules,
    build: (values: Values<Rules>, span: Span, state: ParseState) => Result,
  ): Rule<Result> =>
  (state) => {
    const start = skipWhiteSpace(state.text, state.position);
    const values: unknown[] = [];
    for (const rule of rules) {
      const value = rule(state);
      if (value === failed) return failed;
      values.push(value);
    }
    return build(values as Values<Rules>, { start, end: state.position }, state);
  };

/** The first alternative that fits. If none does and none has committed, the choice fails at its own start. */
export const choice =
  <T>(label: string | ((state: ParseState) => string), ...alternatives: readonly Rule<T>[]): Rule<T> =>
  (state) => {
    const start = state.position;
    const wasCommitted = state.isCommitted;
    for (const alternative of alternatives) {
      state.isCommitted = false;
      const value = alternative(state);
      if (value !== failed) {
        state.isCommitted ||= wasCommitted;
        return value;
      }
      if (state.isCommitted) return failed;
      state.position = start;
    }
    state.isCommitted = wasCommitted;
    const at = skipWhiteSpace(state.text, start);
    return state.fail(typeof label === 'string' ? label : label(state), at);
  };

/**
 * A rule that is tried at such a first character only. For alternatives, options and repetitions: where they do not fit, nobody
 * sees what they have failed with.
 */
export const beginning =
  <T>(isFirst: (code: number) => boolean, rule: Rule<T>): Rule<T> =>
  (state) =>
    isFirst(state.text.charCodeAt(skipWhiteSpace(state.text, state.position))) ? rule(state) : failed;

/** The rule, or undefined where it does not fit. */
export const optional =
  <T>(rule: Rule<T>): Rule<T | undefined> =>
  (state) => {
    const start = state.position;
    const wasCommitted = state.isCommitted;
    state.isCommitted = false;
    const value = rule(state);
    if (value === failed) {
      if (state.isCommitted) return failed;
      state.position = start;
      state.isCommitted = wasCommitted;
      return undefined;
    }
    state.isCommitted ||= wasCommitted;
    return value;
  };

/** `X*` and, with a separator, `X %? s`: as often as it fits. */
export const repeated = <T>(rule: Rule<T>, separator?: Rule<unknown>): Rule<T[]> => {
  const next: Rule<T> = separator ? sequence([separator, rule], ([, value]) => value as T) : rule;
  const [first, others] = [optional(rule), optional(next)];
  return (state) => {
    const values: T[] = [];
    for (;;) {
      const value = (values.length === 0 ? first : others)(state);
      if (value === failed) return failed;
      if (value === undefined) return values;
      values.push(value);
    }
  };
};

/** `X+` and, with a separator, `X % s`: at least once. */
export const repeatedOnce = <T>(rule: Rule<T>, separator?: Rule<unknown>): Rule<T[]> => {
  const next: Rule<T> = separator ? sequence([separator, rule], ([, value]) => value as T) : rule;
  const others = repeated(next);
  return (state) => {
    const first = rule(state);
    if (first === failed) return failed;
    const more = others(state);
    if (more === failed) return failed;
    return [first, ...more];
  };
};

/** Gives a rule the names that a trace shows (protocol 06 §10.5). */
export const named =
  <T>(names: string, rule: Rule<T>): Rule<T> =>
  (state) => {
    if (!state.isTracing) return rule(state);
    const at = skipWhiteSpace(state.text, state.position);
    const value = rule(state);
    if (value === failed) for (const name of names.split(' ').reverse()) state.trace.push({ rule: name, at });
    return value;
  };

/** Gives the name of a rule to a failure that comes from it. */
export const traced = (state: ParseState, rule: string, at: number): Failed => {
  if (state.isTracing) state.trace.push({ rule, at });
  return failed;
};

/** From here on no other alternative is tried (protocol 06 §3.1). */
export const commit: Rule<undefined> = (state) => {
  state.isCommitted = true;
  return undefined;
};

/** A rule that is defined later. */
export const later =
  <T>(rule: () => Rule<T>): Rule<T> =>
  (state) =>
    rule()(state);

export const mapped =
  <T, Result>(rule: Rule<T>, build: (value: T, state: ParseState) => Result): Rule<Result> =>
  (state) => {
    const value = rule(state);
    return value === failed ? failed : build(value, state);
  };

const longestFound = 10;
const escapes: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};
// eslint-disable-next-line no-control-regex
const escaped = /[\u0000-\u001f"\\]/g;
const escape = (unit: string): string => escapes[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The error of a text that does not fit the grammar (protocol 06 §10.5, plain syntax errors). */
const syntaxError = ({ text, failedAt, failedLabel, stoppedAt, trace }: ParseState): CompileError => {
  const found = text.slice(failedAt, failedAt + longestFound).replace(escaped, escape);
  const placeOf = placesIn(text);
  const steps = [...trace.toReversed(), { rule: failedLabel, at: failedAt }].map(({ rule, at }) => {
    const { line, column } = placeOf(at);
    return `${rule}:${line}:${column}`;
  });
  return new CompileError({
    title: 'Syntax error',
    message: `Expected ${failedLabel}`,
    span: { start: failedAt, end: failedAt + (found.length || 2) },
    footer: `Trace log: Expected ${steps.join(' / ')}, found "${found}"`,
    stoppedAt,
  });
};

/** Parses the whole text. @throws CompileError; where it does not fit, by a second pass that keeps the trace */
export const parseWith = <T>(rule: Rule<T>, text: string): T => {
  const value = rule(new ParseState(text, false));
  if (value !== failed) return value;
  const traced = new ParseState(text, true);
  rule(traced);
  throw syntaxError(traced);
};
