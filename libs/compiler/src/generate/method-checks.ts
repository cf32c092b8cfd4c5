import { compileError } from '../errors/compile-error.js';
import { type Span } from '../errors/span.js';
import { type Warning, warning } from '../errors/warnings.js';
import { containsAny } from './code.js';
import { type MethodCode } from './methods.js';
import { type FunctionUsing } from '../parser/syntax-tree.js';
import { calledFunctions, type EntityContext } from '../checks/entity-context.js';

/** Promises of the annotations of a method. */
export interface CheckedMethod {
  readonly method: MethodCode;
  readonly using: FunctionUsing;
  /** Undefined for `main`, whose updates of fields are not looked at. */
  readonly updates: boolean;
  readonly span: Span | undefined;
}

const fieldUpdates = ['StoreMutField', 'StoreMutFieldByIndex', 'MigrateWithFields'];
const fromSelf = ['TransferCoinFromSelf', 'TransferTokenFromSelf', 'DestroySelf'];
const toSelf = ['TransferCoinToSelf', 'TransferTokenToSelf'];

const warnOfUnusedPrivate = (context: EntityContext): void => {
  const { entity, operation, warnings } = context;
  const all = operation.privateFunctions;
  const called = new Set(calledFunctions(context).map(({ node }) => node));
  for (const { name, node } of entity.functions) {
    if (node.isPublic || called.has(node) || all?.called.has(node) || all?.reported.has(node)) continue;
    all?.reported.add(node);
    warnings.push(warning('unusedPrivate', { name: `${all?.owners.get(node) ?? entity.name.text}.${name}` }));
  }
};

const warnOfUpdates = (name: string, { method, using }: CheckedMethod, warnings: Warning[]): void => {
  const updates = containsAny(method.code, fieldUpdates);
  if (updates === using.updateFields) return;
  warnings.push(warning(updates ? 'updatesNotEnabled' : 'nothingUpdated', { name }));
};

/** E1 to E4, the first that is broken (protocol 06 §11.1). */
const brokenRule = ({ method: { code }, using: { assetsInContract, payToContractOnly } }: CheckedMethod) => {
  const takes = containsAny(code, fromSelf);
  const gives = containsAny(code, toSelf);
  const namesSelf = containsAny(code, ['SelfAddress']);
  if (assetsInContract === true && !takes && !gives && !namesSelf) return 'contractAssetsNotUsed';
  if (assetsInContract === false && takes) return 'contractAssetsNotEnabled';
  if (payToContractOnly && !gives && !namesSelf) return 'nothingPaid';
  if (!payToContractOnly && assetsInContract === false && gives) return 'payingNotEnabled';
  return undefined;
};

/** The checks of protocol 06 §6.9 on generated code. @throws CompileError for asset annotations that do not fit */
export const checkMethods = (context: EntityContext, methods: readonly CheckedMethod[], hasAssets: boolean): void => {
  warnOfUnusedPrivate(context);
  const fullName = ({ method }: CheckedMethod): string => `${context.entity.name.text}.${method.name}`;
  for (const each of methods) if (each.updates) warnOfUpdates(fullName(each), each, context.warnings);
  if (!hasAssets) return;
  for (const each of methods) {
    const rule = brokenRule(each);
    if (rule) throw compileError(rule, each.span, { name: fullName(each) });
  }
};
