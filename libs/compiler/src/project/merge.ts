import { compileError } from '../errors/compile-error.js';
import { refuseDuplicates } from '../hash-orders/refuse-duplicates.js';
import {
  type ContractNode,
  type EnumField,
  type FunctionNode,
  type InterfaceNode,
  type Name,
} from '../parser/syntax-tree.js';
import { sameTypeNode } from '../types/type.js';
import { type MergedEnum, type MergedFunction, type Members } from './entities.js';
import { type Ancestors, type Inheriting } from './inheritance.js';
import { checkMethodIndexes, inMethodOrder, predefinedIndexes, sortedInterfaces, standardId } from './interfaces.js';

const agree = (a: FunctionNode, b: FunctionNode): boolean =>
  a.isPublic === b.isPublic &&
  a.using.preapprovedAssets === b.using.preapprovedAssets &&
  a.parameters.length === b.parameters.length &&
  a.parameters.every(
    ({ type, isMutable }, i) => sameTypeNode(type, b.parameters[i]!.type) && isMutable === b.parameters[i]!.isMutable,
  ) &&
  a.results.length === b.results.length &&
  a.results.every((type, i) => sameTypeNode(type, b.results[i]!));

/** Abstract functions with their implementations, then the others (protocol 06 §5.4 step 2). */
const mergedFunctions = (all: readonly FunctionNode[]): readonly FunctionNode[] => {
  const isAbstract = ({ body }: FunctionNode): boolean => body === undefined;
  const [declared, implemented] = [all.filter(isAbstract), all.filter((each) => !isAbstract(each))];
  refuseDuplicates('duplicateImplementations', implemented);
  refuseDuplicates('duplicateAbstractFunctions', declared);
  const byName = new Map(implemented.map((each) => [each.name.text, each]));
  const first = declared.map((abstract) => {
    const implementation = byName.get(abstract.name.text);
    if (!implementation) return abstract;
    if (!agree(abstract, implementation)) {
      throw compileError('differentSignature', implementation, { name: abstract.name.text });
    }
    byName.delete(abstract.name.text);
    return implementation;
  });
  return [...first, ...implemented.filter(({ name }) => byName.has(name.text))];
};

interface GrowingEnum extends MergedEnum {
  readonly fields: EnumField[];
  readonly fieldNames: Set<string>;
}

const refuseConflicts = ({ fields, fieldNames }: GrowingEnum, name: string, later: readonly EnumField[]): void => {
  const [was, is] = [fields[0]!, later[0]!];
  if (was.value.type !== is.value.type) {
    throw compileError('differentEnumTypes', was, { name, type: is.value.type, inheritedType: was.value.type });
  }
  const equal = later.filter((field) => fieldNames.has(field.name.text));
  if (equal.length === 0) return;
  throw compileError('enumFieldsTaken', equal[0], { name, fields: equal.map((field) => field.name.text).join(',') });
};

/** Enums of one name are one, with the fields of all (protocol 06 §5.4 step 4). */
const mergedEnums = (all: readonly { readonly name: Name; readonly fields: readonly EnumField[] }[]): MergedEnum[] => {
  const merged = new Map<string, GrowingEnum>();
  for (const { name, fields } of all) {
    let known = merged.get(name.text);
    if (known) refuseConflicts(known, name.text, fields);
    else merged.set(name.text, (known = { name, fields: [], fieldNames: new Set() }));
    for (const field of fields) {
      known.fields.push(field);
      known.fieldNames.add(field.name.text);
    }
  }
  return [...merged.values()].map(({ name, fields }) => ({ name, fields }));
};

const isInterface = (node: Inheriting): node is InterfaceNode => node.kind === 'interface';
const isContract = (node: Inheriting): node is ContractNode => node.kind === 'contract';

const sorted = (interfaces: readonly InterfaceNode[], ancestors: Ancestors): readonly InterfaceNode[] =>
  sortedInterfaces(interfaces, ({ name }) => ancestors.count(name.text));

/** Whether the declaring interface of each function uses selectors; the first that names a function declares it. */
const declarations = (interfaces: readonly InterfaceNode[]) => {
  const declared = new Map<string, { readonly node: FunctionNode; readonly usesSelector: boolean }>();
  for (const { functions, usesMethodSelector } of interfaces) {
    for (const node of functions) {
      if (!declared.has(node.name.text)) declared.set(node.name.text, { node, usesSelector: usesMethodSelector });
    }
  }
  return declared;
};

/** The members of an interface (protocol 06 §5.4). @throws CompileError */
export const interfaceMembers = (node: InterfaceNode, ancestors: Ancestors): Members => {
  const above = ancestors.of(node.name.text);
  const contract = above.find(isContract);
  if (contract) throw compileError('notInterface', contract.name, { name: contract.name.text });
  const parents = above.filter(isInterface);
  const selecting = parents.find(({ usesMethodSelector }) => usesMethodSelector);
  if (!node.usesMethodSelector && selecting) {
    throw compileError('selectorNotInherited', node.name, { name: node.name.text, parent: selecting.name.text });
  }
  const all = sorted([...parents, node], ancestors);
  const stdId = standardId(all);
  const nodes = all.flatMap(({ functions }) => functions);
  refuseDuplicates('duplicateAbstractFunctions', nodes);
  checkMethodIndexes(all);
  const declared = declarations(all);
  const indexes = predefinedIndexes(nodes);
  const functions = nodes.map((each, i): MergedFunction => {
    const name = each.name.text;
    return { node: each, name, index: indexes[i]!, usesSelector: declared.get(name)!.usesSelector };
  });
  const events = all.flatMap((each) => each.events);
  return { functions, events, constants: [], enums: [], maps: [], stdId };
};

/** Whether the field of the standard id is wanted: by all that say so (protocol 06 §5.6). */
const isStdIdEnabled = (node: ContractNode, contracts: readonly ContractNode[]): boolean => {
  const given = new Set(contracts.map(({ stdIdEnabled }) => stdIdEnabled).filter((each) => each !== undefined));
  if (given.size > 1) {
    throw compileError('differentStdOptions', node.name, { contract: node.name.text });
  }
  return !given.has(false);
};

/** Members of all entities in order. A chain of parents may be long and most have none: the list of an only one is shared. */
const collected = <Entity, Member>(
  entities: readonly Entity[],
  membersOf: (entity: Entity) => readonly Member[],
): readonly Member[] => {
  const lists: (readonly Member[])[] = [];
  for (const entity of entities) {
    const list = membersOf(entity);
    if (list.length > 0) lists.push(list);
  }
  return lists.length === 1 ? lists[0]! : lists.flat();
};

/** Whether a contract has anything that its children get. A chain of parents may be as long as the source, with nothing in it. */
const contributes = ({ functions, constants, enums, events, maps, stdIdEnabled }: ContractNode): boolean =>
  functions.length + constants.length + enums.length + events.length + maps.length > 0 || stdIdEnabled !== undefined;

/** The members of a contract (protocol 06 §5.4). @throws CompileError */
export const contractMembers = (node: ContractNode, ancestors: Ancestors): Members => {
  const above = ancestors.of(node.name.text);
  const contracts = [...above.filter(isContract).filter(contributes), node];
  const interfaces = sorted(above.filter(isInterface), ancestors);
  const id = standardId(interfaces);
  const stdId = isStdIdEnabled(node, contracts) ? id : undefined;
  const declared = declarations(interfaces);
  const own = collected<ContractNode, FunctionNode>(contracts, ({ functions }) => functions);
  const merged = mergedFunctions([...interfaces.flatMap(({ functions }) => functions), ...own]);
  const constants = collected(contracts, (each) => each.constants);
  const enums = mergedEnums(collected(contracts, (each) => each.enums));
  checkMethodIndexes(interfaces);
  const missing = merged.filter(({ body }) => body === undefined).map(({ name }) => name.text);
  if (!node.isAbstract && missing.length > 0) {
    throw compileError('unimplementedMethods', node, { contract: node.name.text, names: missing.join(',') });
  }
  const nodes = node.isAbstract
    ? merged
    : inMethodOrder(merged, new Map([...declared].map(([name, each]) => [name, each.node])));
  const functions = nodes.map((each, index): MergedFunction => {
    const name = each.name.text;
    return { node: each, name, index, usesSelector: declared.get(name)?.usesSelector ?? true };
  });
  return {
    functions,
    events: collected([...interfaces, ...contracts], ({ events }) => events),
    constants,
    enums,
    maps: collected(contracts, ({ maps }) => maps),
    stdId,
  };
};
