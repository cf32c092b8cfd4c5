import { compileError } from './compile-error.js';

/**
 * Runs a step of the compiler. Syntax is bounded in depth; structs, parents and inheritance may be as deep as the source is
 * long, and a stack that they fill is an error of the source.
 */
export const withinStack = <Result>(run: () => Result): Result => {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError && /call stack/.test(error.message))
      throw compileError('nestingTooDeep', undefined);
    throw error;
  }
};
