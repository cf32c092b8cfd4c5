import { compileError } from '../errors/compile-error.js';
import { warning } from '../errors/warnings.js';
import { type Statement, type TypeNode } from '../parser/syntax-tree.js';
import { type MergedFunction } from '../project/index.js';
import { type Type } from '../types/type.js';
import { type EntityContext, unknownContract } from './entity-context.js';
import { checkStatements } from './statements.js';

/** Resolves a type; one that is directly a contract's name must exist (protocol 06 §4.1). @throws CompileError */
export const declaredType = (context: EntityContext, node: TypeNode): Type => {
  const type = context.types.resolve(node);
  if (type.kind === 'contract' && !context.operation.entities.has(type.name)) {
    throw unknownContract(context, type.name, type.span);
  }
  return type;
};

/** Whether the statements end in a return, a panic or an `if` whose every branch does (protocol 06 §6.3). */
const endsFunction = (statements: readonly Statement[]): boolean => {
  const last = statements.at(-1);
  if (last?.kind === 'return') return true;
  if (last?.kind === 'call statement') {
    return last.call.kind === 'call' && last.call.function.isBuiltIn && last.call.function.text === 'panic';
  }
  if (last?.kind !== 'if statement' || !last.otherwise) return false;
  return last.branches.every(({ body }) => endsFunction(body)) && endsFunction(last.otherwise);
};

/** Warns of names that are never read, and refuses mutable ones that are never assigned (protocol 06 §6.3). */
export const checkLocalsUsed = (context: EntityContext, owner: string, isMain: boolean): void => {
  const { names, warnings, entity } = context;
  const unread = names.unreadLocals(owner);
  if (unread.length > 0)
    warnings.push(warning('unusedVariables', { entity: entity.name.text, names: unread.join(', ') }));
  const unassigned = names.unassigned(owner, () => true);
  if (unassigned.length === 0) return;
  const span = isMain ? undefined : entity.functions.find(({ name }) => name === owner)!.node.name;
  throw compileError('unassignedLocals', span, {
    name: `${entity.name.text}.${owner}`,
    names: unassigned.join(','),
  });
};

/** protocol 06 §6.3. @throws CompileError */
export const checkFunction = (
  context: EntityContext,
  { node, name }: MergedFunction,
  generated: (context: EntityContext) => void,
): void => {
  context.owner = name;
  const types = node.parameters.map(({ type }) => declaredType(context, type));
  for (const [i, parameter] of node.parameters.entries()) {
    const { isMutable, isUnused } = parameter;
    context.names.declareLocal(name, parameter.name, { type: types[i]!, isMutable, isUnused });
  }
  generated(context);
  checkStatements(context, node.body ?? []);
  checkLocalsUsed(context, name, false);
  if (node.results.length > 0 && !endsFunction(node.body ?? [])) {
    throw compileError('noReturn', node.name, { name });
  }
  context.owner = undefined;
};
