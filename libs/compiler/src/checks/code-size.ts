import { compileError, type CompileError } from '../errors/compile-error.js';
import { type EntityContext } from './entity-context.js';

/** Most instructions of one function (protocol 06 §14). */
export const mostInstructions = 1_000_000;
/** Of all functions of an operation, in debug code and release code. */
const mostInstructionsOfAll = 2 * mostInstructions;

/** The error of the function that is checked or generated. */
export const tooManyInstructions = ({ entity, owner }: EntityContext): CompileError => {
  const own = entity.functions.find(({ name }) => name === owner);
  return compileError('tooManyInstructions', own?.node.name ?? entity.name, { name: `${entity.name.text}.${owner}` });
};

/** Counts instructions of the operation. @throws CompileError when there are too many */
export const countInstructions = (context: EntityContext, count: number): void => {
  const { made } = context.operation;
  made.instructions += count;
  if (made.instructions > mostInstructionsOfAll) throw tooManyInstructions(context);
};
