import { refuseDuplicateNames, refuseDuplicates } from '../hash-orders/refuse-duplicates.js';
import { type ResolvedEntity } from '../project/index.js';
import { type TypeTable } from '../types/type-table.js';
import { type Type } from '../types/type.js';
import { mainName } from './script.js';

/** A field that is declared `mut` goes through its struct's fields; one that is met again is checked (protocol 06 §4.2). */
const layOut = (types: TypeTable, type: Type, isMutable: boolean, met: Set<string>): void => {
  if (type.kind === 'array') return layOut(types, type.element, isMutable, met);
  if (type.kind !== 'struct') return;
  if (!isMutable || met.has(type.name)) return types.checkStruct(type.name);
  met.add(type.name);
  for (const field of types.fieldsOf(type.name)) layOut(types, field.type, field.isMutable, met);
};

/** The structs of the fields of all contracts (protocol 06 §4.2). @throws CompileError for one that contains itself */
export const layOutFields = (types: TypeTable, entities: ReadonlyMap<string, ResolvedEntity>): void => {
  const contracts = [...entities.values()].flatMap((each) => (each.kind === 'contract' ? [each.node] : []));
  for (const { fields } of contracts) for (const { type } of fields) types.resolve(type);
  for (const { fields } of contracts) {
    for (const { type, isMutable } of fields) layOut(types, types.resolve(type), isMutable, new Set());
  }
};

/** Functions of scripts and events, entity by entity (protocol 06 §6.2). @throws CompileError for duplicates */
export const refuseDuplicateMembers = (entities: ReadonlyMap<string, ResolvedEntity>, withEvents: boolean): void => {
  for (const entity of entities.values()) {
    if (entity.kind === 'script') {
      const names = [mainName, ...entity.functions.map(({ name }) => name)];
      refuseDuplicateNames('duplicateFunctions', names, () => undefined);
    }
    if (withEvents) refuseDuplicates('duplicateEvents', entity.events);
  }
};
