import { compileError } from '../errors/compile-error.js';
import { warning } from '../errors/warnings.js';
import { refuseDuplicates } from '../hash-orders/refuse-duplicates.js';
import { type ResolvedContract } from '../project/index.js';
import { declareConstants } from './constants.js';
import { type EntityContext } from './entity-context.js';
import { checkFunction, declaredType } from './functions.js';

/** W1 (protocol 06 §11.3). */
const warnOfImmutableStructs = (context: EntityContext, { node }: ResolvedContract): void => {
  for (const { name, type, isMutable } of node.fields) {
    const resolved = context.types.resolve(type);
    if (!isMutable || resolved.kind !== 'struct' || context.types.counts(resolved).mutable > 0) continue;
    context.warnings.push(
      warning('immutableStruct', { struct: resolved.name, name: `${node.name.text}.${name.text}` }),
    );
  }
};

const declareMaps = (context: EntityContext, { node, maps }: ResolvedContract): void => {
  refuseDuplicates('duplicateMaps', maps);
  for (const { name } of maps) {
    if (node.fields.every((field) => field.name.text !== name.text)) continue;
    throw compileError('mapNamedLikeField', name, { name: name.text });
  }
  for (const [index, { name, key, value }] of maps.entries()) {
    const [keyType, valueType] = [context.types.resolve(key), context.types.resolve(value)];
    const type = { kind: 'map', key: keyType, value: valueType } as const;
    context.names.declareGlobal(
      name.text,
      { kind: 'map', type, index, value: valueType, isMutable: true, isUnused: false },
      name,
    );
  }
};

const checkParents = (context: EntityContext, { node }: ResolvedContract): void => {
  for (const { name } of node.parents) {
    const parent = context.operation.entities.get(name.text);
    if (parent?.kind === 'contract' && !parent.node.isAbstract) {
      throw compileError('parentNotAbstract', name, { name: name.text });
    }
  }
};

const declareFields = (context: EntityContext, { node }: ResolvedContract): void => {
  let [immutable, mutable] = [0, 0];
  const types = node.fields.map(({ type }) => declaredType(context, type));
  for (const [i, { name, isMutable, isUnused }] of node.fields.entries()) {
    const type = types[i]!;
    context.names.declareGlobal(name.text, { kind: 'field', type, immutable, mutable, isMutable, isUnused }, name);
    const counts = context.types.split(type, isMutable);
    immutable += counts.immutable;
    mutable += counts.mutable;
  }
};

/** W3, W4, W5: names that no function reads (protocol 06 §6.2). */
export const warnOfUnread = (context: EntityContext): void => {
  const { names, warnings, entity } = context;
  const report = (
    name: 'unusedMaps' | 'unusedConstants' | 'unusedFields',
    kinds: readonly string[],
    isExempt = false,
  ): void => {
    const unread = names.unreadGlobals(({ kind, isUnused }) => kinds.includes(kind) && !(isExempt && isUnused));
    if (unread.length > 0) warnings.push(warning(name, { entity: entity.name.text, names: unread.join(', ') }));
  };
  report('unusedMaps', ['map']);
  report('unusedConstants', ['constant']);
  report('unusedFields', ['field', 'template'], true);
};

export const checkFieldsAssigned = ({ names, entity, types }: EntityContext): void => {
  const unassigned = names.unassigned(undefined, ({ kind, type }) => kind === 'field' && types.isFullyMutable(type));
  if (unassigned.length === 0) return;
  throw compileError('unassignedFields', entity.name, { contract: entity.name.text, names: unassigned.join(',') });
};

/** One contract in the order of protocol 06 §6.2. @throws CompileError */
export const checkContract = (context: EntityContext, contract: ResolvedContract): void => {
  warnOfImmutableStructs(context, contract);
  declareMaps(context, contract);
  const { name } = contract.node;
  if (contract.functions.length === 0) throw compileError('noFunction', name, { name: name.text });
  checkParents(context, contract);
  declareFields(context, contract);
  declareConstants(context, contract.constants, contract.enums);
  for (const each of contract.functions) checkFunction(context, each, () => undefined);
  warnOfUnread(context);
  checkFieldsAssigned(context);
};
