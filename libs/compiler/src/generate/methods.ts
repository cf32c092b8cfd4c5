import { type EntityContext, parameterTypes, resultTypes } from '../checks/entity-context.js';
import { type ComposedTemplate, mainName } from '../checks/script.js';
import { compileError } from '../errors/compile-error.js';
import { type FunctionUsing, type Statement } from '../parser/syntax-tree.js';
import { type MergedFunction, methodSelector } from '../project/index.js';
import { type Code, type CodeUnit, CodeWriter, countCode, type Generation, op, unitsOf } from './code.js';
import { generateExpression } from './expressions.js';
import { statementsCode } from './statements.js';

/** A method with its header, before its bytes (protocol 06 §8.14). */
export interface MethodCode {
  readonly name: string;
  readonly isPublic: boolean;
  readonly assetModifier: number;
  readonly argsLength: number;
  readonly localsLength: number;
  readonly returnLength: number;
  readonly code: readonly CodeUnit[];
}

/** 0 none, 1 approved and contract assets, 2 contract assets only, 3 approved only; 4 more: pay to contract only (§9.1). */
const assetModifier = ({ preapprovedAssets, assetsInContract, payToContractOnly }: FunctionUsing): number => {
  const usesContract = assetsInContract !== false;
  const assets = preapprovedAssets ? (usesContract ? 1 : 3) : usesContract ? 2 : 0;
  return assets + (payToContractOnly ? 4 : 0);
};

/** @throws CompileError for two public functions of one selector (protocol 06 §5.5) */
const selectorsOf = ({ types, entity }: EntityContext): ReadonlyMap<string, number> => {
  const selectors = new Map<string, number>();
  const owners = new Map<number, string>();
  for (const { node, name, usesSelector } of entity.functions) {
    if (!node.isPublic || !usesSelector) continue;
    const selector = methodSelector(types, node);
    const other = owners.get(selector);
    if (other !== undefined) {
      throw compileError('selectorConflict', node.name, { name, other });
    }
    owners.set(selector, name);
    selectors.set(name, selector);
  }
  return selectors;
};

/** The generated `let p = <hidden p>` of a script's functions (protocol 06 §8.11). */
const copiesCode = (generation: Generation, composed: readonly ComposedTemplate[]): Code => {
  const { types, names, owner } = generation.context;
  return composed.flatMap(({ name, type, slot }) => {
    const local = names.find(owner, name.text)!;
    if (local.kind !== 'local') throw new Error(`${name.text} is no local`);
    const slots = Array.from({ length: types.slots(type) }, (_, i) => i);
    return [
      ...slots.map((i) => ({ placeholder: slot + i })),
      ...slots.reverse().map((i) => op('StoreLocal', local.slot + i)),
    ];
  });
};

interface Body {
  readonly name: string;
  readonly before: (generation: Generation) => Code;
  readonly statements: readonly Statement[];
}

const generated = (generation: Generation, { name, before, statements }: Body) => {
  const { context } = generation;
  context.owner = name;
  const out = new CodeWriter(generation);
  out.add(before(generation), statementsCode(generation, statements));
  const code = unitsOf(out);
  countCode(generation, code);
  context.owner = undefined;
  return { name, localsLength: context.names.slotsOfNamesLike(name), code };
};

const methodOf = (generation: Generation, { node, name }: MergedFunction, before: Body['before']): MethodCode => {
  const { context } = generation;
  return {
    isPublic: node.isPublic,
    assetModifier: assetModifier(node.using),
    argsLength: context.types.slotsOfAll(parameterTypes(context.types, node)),
    returnLength: context.types.slotsOfAll(resultTypes(context.types, node)),
    ...generated(generation, { name, before, statements: node.body ?? [] }),
  };
};

const newGeneration = (context: EntityContext, isDebug: boolean): Generation => ({
  context,
  isDebug,
  temporaries: new Map(),
  codeOf: generateExpression,
});

/** The methods of a contract in method order (protocol 06 §8). @throws CompileError */
export const contractMethods = (context: EntityContext, isDebug: boolean): MethodCode[] => {
  const generation = newGeneration(context, isDebug);
  const selectors = selectorsOf(context);
  return context.entity.functions.map((each) => {
    const selector = selectors.get(each.name);
    return methodOf(generation, each, () => (selector === undefined ? [] : [op('MethodSelector', selector)]));
  });
};

export interface ScriptParts {
  readonly using: FunctionUsing;
  readonly statements: readonly Statement[];
  readonly composed: readonly ComposedTemplate[];
}

/** `main`, then the functions of a transaction script. @throws CompileError */
export const scriptMethods = (
  context: EntityContext,
  { using, statements, composed }: ScriptParts,
  isDebug: boolean,
): MethodCode[] => {
  const generation = newGeneration(context, isDebug);
  const before = (): Code => copiesCode(generation, composed);
  // Of `payToContractOnly` on a script only the three other keys have an effect.
  const main: MethodCode = {
    isPublic: true,
    assetModifier: assetModifier({ ...using, payToContractOnly: false }),
    argsLength: 0,
    returnLength: 0,
    ...generated(generation, { name: mainName, before, statements }),
  };
  return [main, ...context.entity.functions.map((each) => methodOf(generation, each, before))];
};

/** The methods of an asset script. @throws CompileError */
export const assetScriptMethods = (context: EntityContext): MethodCode[] => {
  const generation = newGeneration(context, false);
  return context.entity.functions.map((each) => methodOf(generation, each, () => []));
};
