import { type Operation } from '../checks/entity-context.js';
import { compileError } from '../errors/compile-error.js';

/** Characters of all texts of a result: children of a contract repeat what they inherit, and warnings repeat long names. */
const longestResult = 2 ** 25;

const lengthOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const each of Object.values(value)) length += lengthOf(each);
  return length;
};

/** Counts a part of the result. @throws CompileError when the whole is longer than a client could be sent */
export const withinLength = <Result extends object>({ made }: Operation, result: Result): Result => {
  made.resultCharacters += lengthOf(result);
  if (made.resultCharacters <= longestResult) return result;
  throw compileError('resultTooLong', undefined, { characters: longestResult });
};
