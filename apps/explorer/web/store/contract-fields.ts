import { type ContractState, type Val } from './contract-forms.js';

/** A field of a contract as it is now. */
export interface ContractField {
  /** Undefined: nobody knows it. */
  readonly name?: string;
  /** As in the source, or that of the value. */
  readonly type: string;
  readonly val: Val;
  readonly isMutable: boolean;
  /** Among the fields that can change, or among those that cannot. */
  readonly position: number;
  /** Whether it is the mark of the standard interface, which the compiler adds (protocol 08 §4.11). */
  readonly isInterfaceMark: boolean;
}

/** A field in the source. */
export interface NamedField {
  readonly name: string;
  readonly type: string;
  readonly isMutable: boolean;
}

const markStart = '414c5048';

/** Its name in results of the compiler (protocol 06 §5.6). */
const markName = '__stdInterfaceId';

const isMark = (val: Val): boolean => val.type === 'ByteVec' && val.value.startsWith(markStart);

/**
 * The fields of a contract in the order of its source; without names, or with names that do not fit, those that can
 * change after the others.
 * @param source its fields there; undefined: nobody knows it
 */
export const fieldsOf = (
  { immFields, mutFields }: Pick<ContractState, 'immFields' | 'mutFields'>,
  source: readonly NamedField[] | undefined,
): ContractField[] => {
  const named = source?.filter(({ name }) => name !== markName);
  const marks = immFields.at(-1) !== undefined && isMark(immFields.at(-1)!) ? 1 : 0;
  const fixed = immFields.length - marks;
  const known = named?.filter(({ isMutable }) => isMutable).length === mutFields.length;
  const fits = known && named.length === mutFields.length + fixed;
  const [values, places] = [
    { true: mutFields, false: immFields },
    { true: 0, false: 0 },
  ];
  const field = (isMutable: boolean, of?: NamedField): ContractField => {
    const position = places[`${isMutable}`]++;
    const val = values[`${isMutable}`][position]!;
    const isInterfaceMark = !isMutable && position >= fixed;
    return { name: of?.name, type: of?.type ?? val.type, val, isMutable, position, isInterfaceMark };
  };
  const ordered = fits
    ? named.map((each) => field(each.isMutable, each))
    : [...immFields.slice(0, fixed).map(() => field(false)), ...mutFields.map(() => field(true))];
  return [...ordered, ...immFields.slice(fixed).map(() => field(false))];
};
