import { compileError } from '../errors/compile-error.js';
import { listText } from '../errors/list-text.js';
import { refuseDuplicates } from '../hash-orders/refuse-duplicates.js';
import {
  type Argument,
  type ContractNode,
  type ContractParent,
  type Entity,
  type InterfaceNode,
} from '../parser/syntax-tree.js';
import { declaredText, sameTypeNode } from '../types/type.js';

export type Inheriting = ContractNode | InterfaceNode;

/** @throws CompileError for two entities of one name (protocol 06 §5.1) */
export const checkUniqueNames = (entities: readonly Entity[]): void => refuseDuplicates('duplicateEntities', entities);

const argumentText = ({ name, type, isMutable, isUnused }: Argument): string =>
  `Argument(Ident(${name.text}),${declaredText(type)},${isMutable},${isUnused})`;
const argumentsText = (list: readonly Argument[]): string => listText(list, argumentText);

const sameArgument = (a: Argument, b: Argument | undefined): boolean =>
  b !== undefined &&
  a.name.text === b.name.text &&
  sameTypeNode(a.type, b.type) &&
  a.isMutable === b.isMutable &&
  a.isUnused === b.isUnused;

/** The fields that a contract passes to a parent are the parent's fields (protocol 06 §5.2). */
const checkParentFields = (child: ContractNode, { fields }: ContractParent, parent: ContractNode): void => {
  if (!fields) return;
  const passed = fields.map((name) => {
    const field = child.fields.find((each) => each.name.text === name.text);
    if (field) return field;
    throw compileError('unknownInheritedField', name, { field: name.text, contract: child.name.text });
  });
  const isSame =
    passed.length === parent.fields.length && parent.fields.every((each, i) => sameArgument(each, passed[i]));
  if (isSame) return;
  throw compileError('differentInheritedFields', passed[0], {
    expected: argumentsText(parent.fields),
    found: argumentsText(passed),
  });
};

/** The ancestors of an entity in order. Behind an only parent the list goes on with the parent's own, which is shared. */
interface Lineage {
  readonly first: readonly Inheriting[];
  readonly others: Lineage | undefined;
  readonly length: number;
}

const listOf = (lineage: Lineage | undefined): Inheriting[] => {
  const list: Inheriting[] = [];
  for (let rest = lineage; rest; rest = rest.others) for (const each of rest.first) list.push(each);
  return list;
};

/** Adds the entities of a list. Behind an only parent that is there already, its ancestors are, too. */
const addAll = (found: Set<Inheriting>, lineage: Lineage | undefined): void => {
  for (let rest = lineage; rest; rest = rest.others) {
    if (rest.first.length === 1 && found.has(rest.first[0]!)) return;
    for (const each of rest.first) found.add(each);
  }
};

/** The ancestors of each contract and interface by name (protocol 06 §5.2). */
export interface Ancestors {
  /** In order, without repetition. */
  of(name: string): readonly Inheriting[];
  count(name: string): number;
}

/** @throws CompileError for parents that are not there or do not fit, and for circles (protocol 06 §5.2) */
export const ancestorsOf = (entities: readonly Entity[]): Ancestors => {
  const byName = new Map(entities.map((entity) => [entity.name.text, entity]));
  const ancestors = new Map<string, Lineage | undefined>();
  const visiting = new Set<string>();

  const parentOf = (child: Inheriting, parent: ContractParent): Inheriting => {
    const { text: name } = parent.name;
    const entity = byName.get(name);
    if (!entity || entity.kind === 'struct') {
      throw compileError('unknownParent', parent.name, { name }).knowing(byName.keys());
    }
    if (entity.kind === 'script') throw compileError('scriptAsParent', entity, { name });
    if (child.kind === 'contract' && parent.fields) {
      if (entity.kind === 'interface') throw compileError('fieldsForInterface', entity, { name });
      checkParentFields(child, parent, entity);
    }
    return entity;
  };

  const joined = (
    parents: readonly { readonly parent: Inheriting; readonly above: Lineage | undefined }[],
  ): Lineage | undefined => {
    const [only] = parents;
    if (!only) return undefined;
    if (parents.length === 1) {
      return { first: [only.parent], others: only.above, length: 1 + (only.above?.length ?? 0) };
    }
    const found = new Set<Inheriting>();
    for (const { parent, above } of parents) {
      if (found.has(parent)) continue;
      found.add(parent);
      addAll(found, above);
    }
    return { first: [...found], others: undefined, length: found.size };
  };

  const visit = (entity: Inheriting): Lineage | undefined => {
    const name = entity.name.text;
    if (ancestors.has(name)) return ancestors.get(name);
    if (visiting.has(name)) throw compileError('cyclicInheritance', entity, { name });
    visiting.add(name);
    const parents =
      entity.kind === 'contract' ? entity.parents : entity.parents.map((each) => ({ name: each, fields: undefined }));
    const lineage = joined(
      parents.map((each) => {
        const parent = parentOf(entity, each);
        return { parent, above: visit(parent) };
      }),
    );
    visiting.delete(name);
    ancestors.set(name, lineage);
    return lineage;
  };

  for (const entity of entities) if (entity.kind === 'contract' || entity.kind === 'interface') visit(entity);
  return {
    of: (name) => listOf(ancestors.get(name)),
    count: (name) => ancestors.get(name)?.length ?? 0,
  };
};
