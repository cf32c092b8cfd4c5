import { builtInNamed, type BuiltIn } from '../built-ins/table.js';
import { calledMember, overloadFor } from '../checks/call-types.js';
import { parameterTypes, resultTypes } from '../checks/entity-context.js';
import { compileError } from '../errors/compile-error.js';
import { type Approval, type Expression, type ExpressionOf } from '../parser/syntax-tree.js';
import { methodSelector } from '../project/index.js';
import { type Type } from '../types/type.js';
import {
  type Code,
  CodeWriter,
  expressionCode,
  type Generation,
  joinCode,
  longNumber,
  number,
  op,
  ops,
  slotByte,
} from './code.js';
import { encodedFieldsCode } from './encoded-fields.js';

const isCoin = ({ kind }: Expression): boolean => kind === 'coin token id';

const codesOf = (generation: Generation, nodes: readonly Expression[]): Code => {
  const out = new CodeWriter(generation);
  for (const node of nodes) out.add(expressionCode(generation, node));
  return out;
};

/** protocol 06 §8.8; for each approval its pairs are generated before its address (§8.6). */
const approvalsCode = (generation: Generation, approvals: readonly Approval[]): Code => {
  const out = new CodeWriter(generation);
  for (const { address, amounts } of approvals) {
    const pairs = amounts.map(({ token, amount }) =>
      isCoin(token)
        ? joinCode(generation, expressionCode(generation, amount), ops('ApproveCoin'))
        : joinCode(generation, codesOf(generation, [token, amount]), ops('ApproveToken')),
    );
    out.add(
      expressionCode(generation, address),
      amounts.slice(1).map(() => op('Dup')),
      ...pairs,
    );
  }
  return out;
};

/** @throws CompileError for braces that are missing or not wanted (protocol 06 §6.6) */
const checkBraces = (node: ExpressionOf<'call' | 'member call'>, needsBraces: boolean): void => {
  const name = node.function.text;
  if (node.approvals.length > 0 && !needsBraces) {
    throw compileError('approvalsNotUsed', node, { name });
  }
  if (node.approvals.length === 0 && needsBraces) {
    throw compileError('approvalsMissing', node, { name });
  }
};

/** Calls whose token argument is written `ALPH`: its position, and the instruction (protocol 06 §8.9). */
const coinForms: Readonly<Record<string, { readonly token: number; readonly instruction: string }>> = {
  approveToken: { token: 1, instruction: 'ApproveCoin' },
  tokenRemaining: { token: 1, instruction: 'CoinRemaining' },
  transferToken: { token: 2, instruction: 'TransferCoin' },
  transferTokenFromSelf: { token: 1, instruction: 'TransferCoinFromSelf' },
  transferTokenToSelf: { token: 1, instruction: 'TransferCoinToSelf' },
};

const instructionsOf = (builtIn: BuiltIn, types: readonly Type[]): Code =>
  (overloadFor(builtIn, types) ?? builtIn.overloads[0]!).instructions.map((each) =>
    typeof each === 'number' ? number(each) : op(each),
  );

const builtInCode = (generation: Generation, node: ExpressionOf<'call'>): Code => {
  const { text } = node.function;
  const args = node.arguments;
  const coin = coinForms[text];
  if (coin && args[coin.token] && isCoin(args[coin.token]!)) {
    const others = args.filter((_, i) => i !== coin.token);
    return joinCode(generation, codesOf(generation, others), ops(coin.instruction));
  }
  const builtIn = builtInNamed(text)!;
  checkBraces(node, builtIn.needsBraces);
  const instructions = instructionsOf(builtIn, generation.context.typesOfAll(args));
  const approvals = approvalsCode(generation, node.approvals);
  if (builtIn.special === 'subContractIdInParentGroup' && args.length === 2) {
    const [contract, path] = args.map((each) => expressionCode(generation, each));
    return joinCode(generation, contract!, ops('Dup'), path!, instructions);
  }
  const count = builtIn.special === 'encodeToByteVec' ? [longNumber(args.length)] : [];
  return joinCode(generation, approvals, codesOf(generation, args), count, instructions);
};

/** Code of `f(args)`, `f!(args)` and `T.f!(args)` (protocol 06 §8.7). */
export const callCode = (generation: Generation, node: ExpressionOf<'call'>): Code => {
  if (node.type) return encodedFieldsCode(generation, node.type.text, node.arguments);
  if (node.function.isBuiltIn) return builtInCode(generation, node);
  const callee = generation.context.ownFunction(node.function.text)!;
  checkBraces(node, callee.node.using.preapprovedAssets);
  const approvals = approvalsCode(generation, node.approvals);
  return joinCode(generation, approvals, codesOf(generation, node.arguments), [
    op('CallLocal', slotByte(callee.index)),
  ]);
};

/** Code of `o.f(args)`, before and behind that of the object. */
export const memberCallCode = (
  generation: Generation,
  node: ExpressionOf<'member call'>,
): { readonly before: Code; readonly after: Code } => {
  const { context } = generation;
  const { type, entity, callee } = calledMember(context, node);
  if (!callee.node.isPublic) throw compileError('externalPrivate', type.span, { type: type.name });
  checkBraces(node, callee.node.using.preapprovedAssets);
  const approvals = approvalsCode(generation, node.approvals);
  const before = joinCode(generation, approvals, codesOf(generation, node.arguments), [
    number(context.types.slotsOfAll(parameterTypes(context.types, callee.node))),
    number(context.types.slotsOfAll(resultTypes(context.types, callee.node))),
  ]);
  const bySelector = entity.kind === 'interface' && callee.usesSelector;
  const call = bySelector
    ? op('CallExternalBySelector', methodSelector(context.types, callee.node))
    : op('CallExternal', slotByte(callee.index));
  return { before, after: [call] };
};
