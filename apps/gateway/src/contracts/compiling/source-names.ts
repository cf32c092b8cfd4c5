import { type ContractResult, type ProjectResult } from '@shardnode/compiler';
import { type FieldNames } from '@shardnode/messages';
import { type SourceNames } from './compile-job.js';

type Structs = NonNullable<ProjectResult['structs']>;

/** Characters of the names of one contract as JSON, so that what has no name counts, too: some 50 kB of memory. */
const mostCharacters = 16 * 1024;
/** Elements and fields of a list of types, those inside others counted: a struct without slots may double with every level. */
const mostParts = 1_024;

const primitives = new Set(['Bool', 'U256', 'I256', 'ByteVec', 'Address']);

/** The layout of a type is unknown, or longer than what is shown. */
class UnknownLayout extends Error {}

/** Layouts of types by their texts (protocol 06 §4.2). @param structs of the source; undefined: not known */
class Layouts {
  private parts = 0;

  constructor(private readonly structs: Structs | undefined) {}

  /** The slots of fields, parameters or results in order; undefined when one of them has a layout that is unknown. */
  slots(
    names: readonly string[],
    types: readonly string[],
    isMutable: readonly boolean[] = [],
  ): FieldNames[] | undefined {
    this.parts = 0;
    try {
      const slots: FieldNames[] = [];
      names.forEach((name, i) => this.add(slots, { name, type: types[i]!, isMutable: isMutable[i] ?? false }));
      return slots;
    } catch (error) {
      if (error instanceof UnknownLayout) return undefined;
      throw error;
    }
  }

  private add(slots: FieldNames[], field: FieldNames): void {
    const { name, type, isMutable } = field;
    this.parts += 1;
    if (this.parts > mostParts) throw new UnknownLayout(type);
    const array = /^\[(.*);(\d+)\]$/.exec(type);
    if (array) {
      for (let i = 0; i < Number(array[2]); i++) this.add(slots, { name: `${name}[${i}]`, type: array[1]!, isMutable });
      return;
    }
    const struct = this.structs?.find((each) => each.name === type);
    if (struct) {
      struct.fieldNames.forEach((inner, i) =>
        this.add(slots, {
          name: `${name}.${inner}`,
          type: struct.fieldTypes[i]!,
          isMutable: isMutable && struct.isMutable[i]!,
        }),
      );
      return;
    }
    const isContract = this.structs !== undefined;
    if (!primitives.has(type) && !isContract) throw new UnknownLayout(type);
    slots.push(field);
  }
}

/** Whether the names are few enough to be retained. */
export const isSmall = (names: SourceNames): boolean => JSON.stringify(names).length <= mostCharacters;

/**
 * The names in the source of a contract.
 * @param structs of the source; undefined where the compiler does not tell them: types with other names are unknown then
 */
export const namesOf = (contract: ContractResult, structs: Structs | undefined): SourceNames => {
  const { name, codeHash, codeHashDebug, fields, functions, events, enums } = contract;
  const layouts = new Layouts(structs);
  const slots = (names: readonly string[], types: readonly string[]) =>
    layouts.slots(names, types)?.map(({ isMutable: _, ...slot }) => slot);
  return {
    codeHashes: [...new Set([codeHash, codeHashDebug])],
    contract: name,
    fields: layouts.slots(fields.names, fields.types, fields.isMutable),
    functions: functions.map(({ name: own, isPublic, usePreapprovedAssets, paramNames, paramTypes, returnTypes }) => ({
      name: own,
      isPublic,
      usePreapprovedAssets,
      params: slots(paramNames, paramTypes),
      returns: slots(returnTypes, returnTypes)?.map(({ type }) => type),
    })),
    events: events.map((event) => ({ name: event.name, fields: slots(event.fieldNames, event.fieldTypes) })),
    errorCodes: enums.flatMap((each) =>
      each.fields
        .filter(({ value }) => value.type === 'U256')
        .map((field) => [`${each.name}.${field.name}`, String(field.value.value)] as const),
    ),
  };
};
