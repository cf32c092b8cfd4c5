import { type Val } from '@shardnode/protocol/script';
import { compileError } from '../errors/compile-error.js';
import { choice, type Failed, failed, mapped, optional, ParseState, type Rule, sequence } from './rules.js';
import { literalValue, plain } from './tokens.js';
import { arraySize } from './types.js';

/** Most values of one list, as of an array type. */
const mostValues = 65_535;

const checkCount = (count: number): void => {
  if (count > mostValues) throw compileError('invalidArraySize', undefined, { size: count });
};

interface OpenList {
  readonly values: readonly Val[];
  readonly items: number;
}

const separator = optional(plain(','));

/** `'[' item %? ','`, without what ends it. */
const openList: Rule<OpenList> = (state) => {
  if (plain('[')(state) === failed) return failed;
  const values: Val[] = [];
  for (let items = 0; ; items++) {
    const before = state.position;
    const item = items > 0 && separator(state) === undefined ? failed : anyItem(state);
    if (item === failed) {
      state.position = before;
      return { values, items };
    }
    checkCount(values.length + item.length);
    values.push(...item);
  }
};

const repetition = optional(sequence([plain(';'), arraySize], ([, { size }]) => ({ size })));

/** A list in a list, or `'[' item ';' count ']'`: they begin alike, and their beginning is parsed once. */
const innerList: Rule<readonly Val[]> = (state) => {
  const list = openList(state);
  if (list === failed) return failed;
  const repeated = list.items === 1 ? repetition(state) : undefined;
  if (repeated === failed || plain(']')(state) === failed) return failed;
  if (!repeated) return list.values;
  checkCount(list.values.length * repeated.size);
  return Array.from({ length: repeated.size }, () => list.values).flat();
};

const anyItem: Rule<readonly Val[]> = choice<readonly Val[]>(
  'item',
  mapped(literalValue, ({ value }) => [value]),
  (state) => state.nested(innerList),
);

const wholeList = (state: ParseState): readonly Val[] | Failed => {
  const list = openList(state);
  return list === failed || plain(']')(state) === failed ? failed : list.values;
};

/**
 * The values of a field list as text, nested lists flattened; what stands behind the closing bracket is ignored (protocol
 * 06 §10.8). @throws CompileError
 */
export const parseFieldLiterals = (text: string): readonly Val[] => {
  if (!text.startsWith('[')) throw compileError('noFieldList', undefined);
  const values = wholeList(new ParseState(text, false));
  if (values === failed) throw compileError('openFieldList', undefined);
  return values;
};
