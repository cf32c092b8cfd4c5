import { bytesToHex } from '@shardnode/protocol/encoding';
import { addressOf } from '@shardnode/protocol/address/text';
import { type Val } from '@shardnode/protocol/script';
import {
  type Argument,
  type EventNode,
  type FunctionNode,
  type FunctionUsing,
  type StructNode,
} from '../parser/syntax-tree.js';
import { type TypeTable } from '../types/type-table.js';
import { signatureText } from '../types/type.js';

/** A typed value in a result (protocol 06 §10.3). */
export interface ValueForm {
  readonly type: Val['type'];
  readonly value: string | boolean;
}

export interface FieldsForm {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly isMutable: readonly boolean[];
}

export interface FunctionForm {
  readonly name: string;
  readonly usePreapprovedAssets: boolean;
  readonly useAssetsInContract: boolean;
  readonly isPublic: boolean;
  readonly paramNames: readonly string[];
  readonly paramTypes: readonly string[];
  readonly paramIsMutable: readonly boolean[];
  readonly returnTypes: readonly string[];
}

export interface EventForm {
  readonly name: string;
  readonly fieldNames: readonly string[];
  readonly fieldTypes: readonly string[];
}

export interface StructForm {
  readonly name: string;
  readonly fieldNames: readonly string[];
  readonly fieldTypes: readonly string[];
  readonly isMutable: readonly boolean[];
}

export const valueForm = (val: Val): ValueForm => {
  switch (val.type) {
    case 'Bool':
      return { type: val.type, value: val.value };
    case 'ByteVec':
      return { type: val.type, value: bytesToHex(val.value) };
    case 'Address':
      return { type: val.type, value: addressOf(val.value) };
    default:
      return { type: val.type, value: val.value.toString() };
  }
};

type Field = Pick<Argument, 'name' | 'type'>;

const namesAndTypes = (types: TypeTable, fields: readonly Field[]) => ({
  names: fields.map(({ name }) => name.text),
  types: fields.map(({ type }) => signatureText(types.resolve(type))),
});

export const fieldsForm = (types: TypeTable, fields: readonly (Field & Pick<Argument, 'isMutable'>)[]): FieldsForm => ({
  ...namesAndTypes(types, fields),
  isMutable: fields.map(({ isMutable }) => isMutable),
});

export const functionForm = (
  types: TypeTable,
  {
    name,
    isPublic,
    parameters,
    results,
    using,
  }: Pick<FunctionNode, 'isPublic' | 'parameters' | 'results'> & {
    readonly name: string;
    readonly using: Pick<FunctionUsing, 'preapprovedAssets' | 'assetsInContract'>;
  },
): FunctionForm => {
  const params = fieldsForm(types, parameters);
  return {
    name,
    usePreapprovedAssets: using.preapprovedAssets,
    useAssetsInContract: using.assetsInContract !== false,
    isPublic,
    paramNames: params.names,
    paramTypes: params.types,
    paramIsMutable: params.isMutable,
    returnTypes: results.map((type) => signatureText(types.resolve(type))),
  };
};

export const eventForm = (types: TypeTable, { name, fields }: EventNode): EventForm => {
  const { names: fieldNames, types: fieldTypes } = namesAndTypes(types, fields);
  return { name: name.text, fieldNames, fieldTypes };
};

export const structForm = (types: TypeTable, { name, fields }: StructNode): StructForm => {
  const { names: fieldNames, types: fieldTypes, isMutable } = fieldsForm(types, fields);
  return { name: name.text, fieldNames, fieldTypes, isMutable };
};
