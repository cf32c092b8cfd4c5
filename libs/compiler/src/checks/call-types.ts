import { type BuiltIn, builtInFunctions, builtInNamed, type Overload, type ParameterType } from '../built-ins/table.js';
import { compileError, type CompileError } from '../errors/compile-error.js';
import { listText } from '../errors/list-text.js';
import { leftSpine } from '../parser/left-spine.js';
import { type Approval, type Call, type ExpressionOf, type FunctionName, type Name } from '../parser/syntax-tree.js';
import { amountsText, treeText } from '../parser/tree-text.js';
import { type MergedFunction, type ResolvedEntity } from '../project/index.js';
import {
  byteVec,
  declaredText,
  isOnly,
  isPrimitive,
  never,
  primitive,
  sameTypes,
  type Type,
  type TypeOf,
  typesText,
} from '../types/type.js';
import {
  type EntityContext,
  functionNamed,
  nameWithSign,
  parameterTypes,
  resultTypes,
  unknownContract,
} from './entity-context.js';

/** protocol 06 §6.6: approvals are checked first in every call, one after the other. */
const checkApprovals = (context: EntityContext, approvals: readonly Approval[]): void => {
  for (const { address, amounts } of approvals) {
    const of = context.typesOf(address);
    if (!isOnly(of, 'Address')) {
      throw compileError('approvalOfOther', address, { address: treeText(address) });
    }
    for (const { token, amount } of amounts) {
      const types = [...context.typesOf(token), ...context.typesOf(amount)];
      const isRight = types.length === 2 && isPrimitive(types[0], 'ByteVec') && isPrimitive(types[1], 'U256');
      if (isRight) continue;
      throw compileError('invalidApproval', token, { amounts: amountsText(amounts) });
    }
  }
};

const fits = (parameter: ParameterType, type: Type | undefined): boolean =>
  parameter === 'Contract' ? type?.kind === 'contract' : isPrimitive(type, parameter);

/** The overload of a built-in that takes these types. */
export const overloadFor = (builtIn: BuiltIn, types: readonly Type[]): Overload | undefined =>
  builtIn.overloads.find(
    ({ parameters }) =>
      parameters.length === types.length && parameters.every((parameter, i) => fits(parameter, types[i])),
  );

const invalidArguments = (
  { name, overloads, special }: BuiltIn,
  types: readonly Type[],
  node: ExpressionOf<'call'>,
): CompileError => {
  if (special === 'panic') return compileError('panicArguments', node);
  const found = typesText(types);
  // The two conversions of integers count as one function with alternatives.
  const hasAlternatives = overloads.length > 1 || name === 'toI256' || name === 'toU256';
  if (hasAlternatives) return compileError('overloadArguments', node, { found, name });
  return compileError('builtInArguments', node, { found, name, expected: listText(overloads[0]!.parameters, String) });
};

/** Functions that are called by their names: own ones, and the built-in ones of this kind of code with their `!`. */
const callableNames = ({ entity }: EntityContext): string[] => [
  ...entity.functions.map(({ name }) => name),
  ...builtInFunctions
    .filter(({ everywhere }) => everywhere || entity.kind !== 'asset script')
    .map(({ name }) => `${name}!`),
];

const builtInOf = (context: EntityContext, { text, ...span }: FunctionName): BuiltIn => {
  const found = builtInNamed(text);
  if (found && (found.everywhere || context.entity.kind !== 'asset script')) return found;
  throw compileError('unknownBuiltIn', span, { name: text }).knowing(callableNames(context));
};

/** The type of the own contract; for an inherited function that of the child compiled first (protocol 06 §1.3). */
const selfType = (context: EntityContext, node: ExpressionOf<'call'>): Type => {
  const { selfTypes } = context.operation;
  const known = selfTypes.get(node);
  if (known) return known;
  const { text, start, end } = context.entity.name;
  const type: Type = { kind: 'contract', name: text, span: { start, end } };
  selfTypes.set(node, type);
  return type;
};

const builtInTypes = (context: EntityContext, node: ExpressionOf<'call'>): readonly Type[] => {
  const builtIn = builtInOf(context, node.function);
  const types = context.typesOfAll(node.arguments);
  if (builtIn.special === 'encodeToByteVec') return [byteVec];
  if (builtIn.special === 'selfContract') return [selfType(context, node)];
  const overload = overloadFor(builtIn, types);
  if (!overload) throw invalidArguments(builtIn, types, node);
  return builtIn.special === 'panic' ? [never] : overload.results.map(primitive);
};

const checkArguments = (
  context: EntityContext,
  node: Call & { start: number; end: number },
  callee: MergedFunction,
) => {
  const types = context.typesOfAll(node.arguments);
  if (sameTypes(types, parameterTypes(context.types, callee.node))) return;
  const expected = listText(callee.node.parameters, ({ type }) => declaredText(type));
  throw compileError('functionArguments', node, { found: typesText(types), name: callee.name, expected });
};

export const entityOfType = (
  context: EntityContext,
  name: string,
  span: { start: number; end: number },
): ResolvedEntity => {
  const entity = context.operation.entities.get(name);
  if (!entity) throw unknownContract(context, name, span);
  return entity;
};

/** `encodeFields!`: the static member of every contract type (protocol 06 §7.2). */
const isStaticMember = (entity: ResolvedEntity, { text, isBuiltIn }: FunctionName): boolean =>
  isBuiltIn && text === 'encodeFields' && entity.kind === 'contract';

const noSuchMember = (type: string, { functions }: ResolvedEntity, name: FunctionName): CompileError =>
  compileError('unknownMember', name, { type, name: name.text }).knowing(functions.map(nameWithSign));

/** `T.f!(args)` */
const staticTypes = (context: EntityContext, type: Name, node: ExpressionOf<'call'>): readonly Type[] => {
  const entity = entityOfType(context, type.text, type);
  if (isStaticMember(entity, node.function) && entity.kind === 'contract') {
    const types = context.typesOfAll(node.arguments);
    const fields = entity.node.fields.map((field) => context.types.resolve(field.type));
    if (sameTypes(types, fields)) return [byteVec, byteVec];
    throw compileError('overloadArguments', node, { found: typesText(types), name: 'encodeFields' });
  }
  const member = functionNamed(entity.functions, node.function.text, node.function.isBuiltIn);
  if (!member) throw noSuchMember(type.text, entity, node.function);
  throw compileError('notStatic', node.function, { name: `${type.text}.${node.function.text}` });
};

/** protocol 06 §6.6: calls of own functions, built-ins and static members. */
export const callTypes = (context: EntityContext, node: ExpressionOf<'call'>): readonly Type[] => {
  checkApprovals(context, node.approvals);
  if (node.type) return staticTypes(context, node.type, node);
  if (node.function.isBuiltIn) return builtInTypes(context, node);
  const callee = context.ownFunction(node.function.text);
  if (!callee) {
    throw compileError('unknownFunction', node.function, { name: node.function.text }).knowing(callableNames(context));
  }
  checkArguments(context, node, callee);
  if (context.owner !== undefined) context.callsOf(context.owner).local.add(callee.name);
  return resultTypes(context.types, callee.node);
};

const mapFunctions = ['insert!', 'remove!', 'contains!'];

/** The contract type of the object of a member call. @throws CompileError */
export const objectType = (context: EntityContext, node: ExpressionOf<'member call'>): TypeOf<'contract'> => {
  const types = context.typesOf(node.object);
  if (types.length !== 1) {
    throw compileError('noSingleObject', node.object, { object: treeText(node.object) });
  }
  const [type] = types;
  if (type?.kind === 'contract') return type;
  const { text: name, isBuiltIn } = node.function;
  const error = compileError('notContract', node.object, { name, isBuiltIn, object: treeText(node.object) });
  throw type?.kind === 'map' ? error.knowing(mapFunctions) : error;
};

/** The function that a member call calls. @throws CompileError */
export const calledMember = (
  context: EntityContext,
  node: ExpressionOf<'member call'>,
): { readonly type: TypeOf<'contract'>; readonly entity: ResolvedEntity; readonly callee: MergedFunction } => {
  const type = objectType(context, node);
  const entity = entityOfType(context, type.name, type.span);
  if (isStaticMember(entity, node.function)) {
    throw compileError('staticFunction', node.function, { name: `${type.name}.${node.function.text}` });
  }
  const callee = functionNamed(entity.functions, node.function.text, node.function.isBuiltIn);
  if (!callee) throw noSuchMember(type.name, entity, node.function);
  return { type, entity, callee };
};

/** The call itself, after its approvals and its object. */
const ownCallTypes = (
  context: EntityContext,
  node: ExpressionOf<'member call'>,
  isStatement: boolean,
): readonly Type[] => {
  const { type, callee } = calledMember(context, node);
  checkArguments(context, node, callee);
  const { recordedCalls } = context.operation;
  if (context.owner !== undefined && (isStatement || !recordedCalls.has(node))) {
    context.callsOf(context.owner).external.push({ type: type.name, function: callee.name });
  }
  if (!isStatement) recordedCalls.add(node);
  return resultTypes(context.types, callee.node);
};

/**
 * `o.f(args)` (protocol 06 §6.6). The approvals of a chain are checked from its last call to its first, then its calls from the
 * first to the last: as if each call descended into its object, which a long chain could not.
 */
export const memberCallTypes = (
  context: EntityContext,
  outermost: ExpressionOf<'member call'>,
  isStatement: boolean,
): readonly Type[] => {
  const { steps } = leftSpine(outermost, 'member call', ({ object }) => object);
  const known = steps.findIndex((node) => node !== outermost && context.isTyped(node));
  const open = known < 0 ? steps : steps.slice(0, known);
  for (const { approvals } of open) checkApprovals(context, approvals);
  for (const node of open.slice(1).reverse()) context.setTypes(node, ownCallTypes(context, node, false));
  return ownCallTypes(context, outermost, isStatement);
};
