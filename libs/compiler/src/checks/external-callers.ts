import { type Warning, warning } from '../errors/warnings.js';
import { productHash, textHash } from '../hash-orders/text-hash.js';
import { tableOrder } from '../hash-orders/table-order.js';
import { type Call, type Statement } from '../parser/syntax-tree.js';
import { type MergedFunction, type ResolvedContract, type ResolvedEntity } from '../project/index.js';
import { type RecordedCalls } from './entity-context.js';

/** A compiled contract with the calls that were recorded; abstract ones have none (protocol 06 §6.10). */
export interface AnalysedContract {
  readonly contract: ResolvedContract;
  readonly calls: ReadonlyMap<string, RecordedCalls>;
  readonly warnings: Warning[];
}

const noCalls: RecordedCalls = { local: new Set(), external: [] };
const callsOf = ({ calls }: AnalysedContract, name: string): RecordedCalls => calls.get(name) ?? noCalls;

const builtInCalled = (statement: Statement): Call | undefined =>
  statement.kind === 'call statement' && statement.call.kind === 'call' && statement.call.function.isBuiltIn
    ? statement.call
    : undefined;

const isCheckCaller = (statement: Statement): boolean => builtInCalled(statement)?.function.text === 'checkCaller';

const addCaller = (callers: Map<string, string[]>, callee: string, caller: string): void => {
  const known = callers.get(callee);
  if (known) known.push(caller);
  else callers.set(callee, [caller]);
};

/** Names of checked functions; W7 for private ones that name the annotation (protocol 06 §6.10 step 1). */
const checkedFunctions = (analysed: AnalysedContract): ReadonlySet<string> => {
  const { contract, warnings } = analysed;
  const { functions } = contract;
  const isPrivate = new Map(functions.map(({ name, node }) => [name, !node.isPublic]));
  const callers = new Map<string, string[]>();
  for (const { name } of functions) {
    for (const callee of callsOf(analysed, name).local) addCaller(callers, callee, name);
  }
  const checked = new Set<string>();
  const add = (first: string): void => {
    const waiting = [first];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (checked.has(name)) continue;
      checked.add(name);
      if (isPrivate.get(name)) waiting.push(...(callers.get(name) ?? []));
    }
  };
  for (const { name, node } of functions) {
    if (!node.isPublic && node.using.namesCheckExternalCaller) {
      warnings.push(warning('callerOfPrivate', { name: `${contract.node.name.text}.${name}` }));
    }
    if (!node.using.checkExternalCaller || (node.body ?? []).some(isCheckCaller)) add(name);
  }
  return checked;
};

/** Whether a statement alone makes its function not simple. */
const changesState =
  (mapNames: ReadonlySet<string>) =>
  (statement: Statement): boolean =>
    builtInCalled(statement)?.function.text === 'migrate' ||
    statement.kind === 'map statement' ||
    (statement.kind === 'assignment' &&
      statement.targets.some(({ name, selectors }) => selectors.length > 0 && mapNames.has(name.text)));

const isNotSimpleAlone = (
  analysed: AnalysedContract,
  { node, name }: MergedFunction,
  entities: ReadonlyMap<string, ResolvedEntity>,
  mapNames: ReadonlySet<string>,
): boolean => {
  const { updateFields, preapprovedAssets, assetsInContract } = node.using;
  if (updateFields || preapprovedAssets || assetsInContract !== false) return true;
  if (callsOf(analysed, name).external.some(({ type }) => entities.get(type)?.kind === 'interface')) return true;
  return (node.body ?? []).some(changesState(mapNames));
};

const keyOf = (contract: string, name: string): string => `${contract}.${name}`;

/** Functions that are not simple, of all contracts (protocol 06 §6.10 step 2). */
const notSimple = (
  all: readonly AnalysedContract[],
  entities: ReadonlyMap<string, ResolvedEntity>,
): ReadonlySet<string> => {
  const found = new Set<string>();
  const callers = new Map<string, string[]>();
  const waiting: string[] = [];
  for (const analysed of all) {
    const { node, functions, maps } = analysed.contract;
    const contract = node.name.text;
    const mapNames = new Set(node.isAbstract ? [] : maps.map(({ name }) => name.text));
    for (const each of functions) {
      const key = keyOf(contract, each.name);
      const { local, external } = callsOf(analysed, each.name);
      const callees = [
        ...[...local].map((name) => keyOf(contract, name)),
        ...external.map((call) => keyOf(call.type, call.function)),
      ];
      for (const callee of new Set(callees)) addCaller(callers, callee, key);
      if (isNotSimpleAlone(analysed, each, entities, mapNames)) waiting.push(key);
    }
  }
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (found.has(key)) continue;
    found.add(key);
    waiting.push(...(callers.get(key) ?? []));
  }
  return found;
};

/** Warns of public functions that change state and check no caller (protocol 06 §6.10). */
export const warnOfExternalCallers = (
  all: readonly AnalysedContract[],
  entities: ReadonlyMap<string, ResolvedEntity>,
): void => {
  const concrete = all.filter(({ contract }) => !contract.node.isAbstract);
  const checked = new Map(concrete.map((each) => [each, checkedFunctions(each)]));
  const changing = notSimple(all, entities);
  for (const analysed of concrete) {
    const { contract, warnings } = analysed;
    const type = contract.node.name.text;
    const unchecked = contract.functions.filter(
      ({ name, node }) => node.isPublic && changing.has(keyOf(type, name)) && !checked.get(analysed)!.has(name),
    );
    const hash = ({ name }: MergedFunction): number =>
      productHash('Tuple2', productHash('TypeId', textHash(type)), productHash('FuncId', textHash(name), 1237));
    for (const { name } of tableOrder(unchecked, hash)) {
      warnings.push(warning('callerNotChecked', { name: `${type}.${name}` }));
    }
  }
};
