import { type Operation } from '../checks/entity-context.js';
import { productHash, textHash } from '../hash-orders/text-hash.js';
import { tableOrder } from '../hash-orders/table-order.js';
import { type ResolvedContract } from '../project/index.js';
import { signatureText } from '../types/type.js';
import {
  type EventForm,
  fieldsForm,
  type FieldsForm,
  type FunctionForm,
  type StructForm,
  valueForm,
  type ValueForm,
} from './forms.js';

/** protocol 06 §10.2. `version` is added by who answers. */
export interface ScriptResult {
  readonly name: string;
  readonly bytecodeTemplate: string;
  readonly bytecodeDebugPatch: string;
  readonly fields: FieldsForm;
  readonly functions: readonly FunctionForm[];
  readonly warnings: readonly string[];
}

/** protocol 06 §10.3. */
export interface ContractResult {
  readonly name: string;
  readonly bytecode: string;
  readonly bytecodeDebugPatch: string;
  readonly codeHash: string;
  readonly codeHashDebug: string;
  readonly fields: FieldsForm;
  readonly functions: readonly FunctionForm[];
  readonly constants: readonly { readonly name: string; readonly value: ValueForm }[];
  readonly enums: readonly {
    readonly name: string;
    readonly fields: readonly { readonly name: string; readonly value: ValueForm }[];
  }[];
  readonly events: readonly EventForm[];
  readonly warnings: readonly string[];
  readonly maps?: { readonly names: readonly string[]; readonly types: readonly string[] };
  readonly stdInterfaceId?: string;
}

/** protocol 06 §10.4. */
export interface ProjectResult {
  readonly contracts: readonly ContractResult[];
  readonly scripts: readonly ScriptResult[];
  readonly structs?: readonly StructForm[];
}

const stdIdFieldName = '__stdInterfaceId';

/** Fields of a contract, with the one that holds the id of its standard. */
export const contractFields = ({ types }: Operation, { node, stdId }: ResolvedContract): FieldsForm => {
  const { names, types: written, isMutable } = fieldsForm(types, node.fields);
  if (!stdId) return { names, types: written, isMutable };
  return {
    names: [...names, stdIdFieldName],
    types: [...written, 'ByteVec'],
    isMutable: [...isMutable, false],
  };
};

/** Enums of a contract in the order of the reference. */
export const enumForms = ({ enums }: ResolvedContract) =>
  tableOrder(enums, ({ name }) => productHash('TypeId', textHash(name.text))).map(({ name, fields }) => ({
    name: name.text,
    fields: fields.map((field) => ({ name: field.name.text, value: valueForm(field.value) })),
  }));

/** Maps of a contract; without any the result has no such field. */
export const mapsForm = ({ types }: Operation, { maps }: ResolvedContract): Pick<ContractResult, 'maps'> => {
  if (maps.length === 0) return {};
  const textOf = (key: string, value: string): string => `Map[${key},${value}]`;
  return {
    maps: {
      names: maps.map(({ name }) => name.text),
      types: maps.map(({ key, value }) =>
        textOf(signatureText(types.resolve(key)), signatureText(types.resolve(value))),
      ),
    },
  };
};
