import { compileError } from '../errors/compile-error.js';
import { type Argument, type AssetScriptNode, type Name, type ScriptNode } from '../parser/syntax-tree.js';
import { type Type } from '../types/type.js';
import { checkFieldsAssigned, warnOfUnread } from './contract.js';
import { countInstructions } from './code-size.js';
import { type EntityContext } from './entity-context.js';
import { checkFunction, checkLocalsUsed } from './functions.js';
import { checkStatements } from './statements.js';

const mostTemplateSlots = 255;

/** A template parameter of array or struct type, which each function copies to a local (protocol 06 §8.11). */
export interface ComposedTemplate {
  readonly name: Name;
  readonly type: Type;
  readonly slot: number;
}

const hiddenName = (name: string, { kind }: Type): string => `_${name}-template-${kind}`;

/** Declares template parameters; returns those of array or struct type. @throws CompileError */
const declareTemplates = (context: EntityContext, parameters: readonly Argument[]): readonly ComposedTemplate[] => {
  const composed: ComposedTemplate[] = [];
  let slot = 0;
  for (const { name, type: written } of parameters) {
    const type = context.types.resolve(written);
    const isComposed = type.kind === 'array' || type.kind === 'struct';
    const own = { kind: 'template', type, slot, isMutable: false, isUnused: false } as const;
    if (isComposed) composed.push({ name, type, slot });
    context.names.declareGlobal(
      isComposed ? hiddenName(name.text, type) : name.text,
      own,
      isComposed ? undefined : name,
    );
    slot += context.types.slots(type);
  }
  if (slot >= mostTemplateSlots) {
    throw compileError('tooManyTemplateVariables', context.entity.name);
  }
  return composed;
};

/** A load and a store of a slot, in debug code and in release code. */
const instructionsOfCopy = 4;

/**
 * The generated `let p = <hidden p>` of one function. Its code is counted here already: a script may have thousands of functions
 * that copy hundreds of slots.
 */
const declareCopies = (context: EntityContext, composed: readonly ComposedTemplate[]): void => {
  for (const { name, type } of composed) {
    countInstructions(context, instructionsOfCopy * context.types.slots(type));
    context.names.lookup(context.owner, hiddenName(name.text, type), name);
    context.names.declareLocal(context.owner!, name, { type, isMutable: false, isUnused: false });
  }
};

export const mainName = 'main';

/** A transaction script (protocol 06 §6.2); returns the parameters that every function copies. @throws CompileError */
export const checkScript = (
  context: EntityContext,
  { parameters, statements }: ScriptNode,
): readonly ComposedTemplate[] => {
  const composed = declareTemplates(context, parameters);
  context.owner = mainName;
  declareCopies(context, composed);
  checkStatements(context, statements);
  checkLocalsUsed(context, mainName, true);
  for (const each of context.entity.functions) checkFunction(context, each, () => declareCopies(context, composed));
  context.owner = undefined;
  warnOfUnread(context);
  checkFieldsAssigned(context);
  return composed;
};

/** An asset script: its template parameters of array or struct type cannot be used. @throws CompileError */
export const checkAssetScript = (context: EntityContext, { parameters, functions, name }: AssetScriptNode): void => {
  declareTemplates(context, parameters);
  for (const each of context.entity.functions) checkFunction(context, each, () => undefined);
  warnOfUnread(context);
  checkFieldsAssigned(context);
  const isWellFormed = functions[0]?.isPublic === true && functions.every(({ using }) => !using.preapprovedAssets);
  if (!isWellFormed) throw compileError('noMethod', name, { name: name.text });
};
