import { type FuzzRandom } from '../machine-fuzz/fuzz-random.js';

export const primitiveTypes = ['U256', 'I256', 'Bool', 'ByteVec', 'Address'] as const;
export type PrimitiveType = (typeof primitiveTypes)[number];

/** A type of the contract language. */
export type RandomType =
  | { readonly kind: 'primitive'; readonly name: PrimitiveType }
  | { readonly kind: 'array'; readonly element: RandomType; readonly size: number }
  | { readonly kind: 'struct'; readonly struct: RandomStruct }
  | { readonly kind: 'contract'; readonly name: string };

export interface RandomStruct {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: RandomType; readonly isMutable: boolean }[];
}

export const primitive = (name: PrimitiveType): RandomType => ({ kind: 'primitive', name });

/** As a source writes it; equal types, and only they, have equal texts. */
export const typeText = (type: RandomType): string => {
  switch (type.kind) {
    case 'primitive':
    case 'contract':
      return type.name;
    case 'array':
      return `[${typeText(type.element)}; ${type.size}]`;
    case 'struct':
      return type.struct.name;
  }
};

/** Whether a variable of the type that is `mut` may be assigned as a whole. */
export const isFullyMutable = (type: RandomType): boolean => {
  if (type.kind === 'array') return isFullyMutable(type.element);
  return type.kind !== 'struct' || type.struct.fields.every((field) => field.isMutable && isFullyMutable(field.type));
};

const deepest = 2;

/** A type over the structs and contracts that there are. */
export const randomType = (
  random: FuzzRandom,
  structs: readonly RandomStruct[],
  contracts: readonly string[],
  depth = 0,
): RandomType => {
  const kind = depth >= deepest ? 0 : random.below(10);
  if (kind === 9)
    return { kind: 'array', element: randomType(random, structs, contracts, depth + 1), size: 1 + random.below(3) };
  if (kind === 8 && structs.length > 0) return { kind: 'struct', struct: random.pick(structs) };
  if (kind === 7 && contracts.length > 0) return { kind: 'contract', name: random.pick(contracts) };
  return primitive(random.pick(primitiveTypes));
};

/** Structs, each over those before it. */
export const randomStructs = (random: FuzzRandom): RandomStruct[] => {
  const structs: RandomStruct[] = [];
  for (let i = random.below(3); i > 0; i--) {
    const fields = Array.from({ length: 1 + random.below(3) }, (_, field) => ({
      name: `p${field}`,
      type: randomType(random, structs, [], 1),
      isMutable: random.chance(0.6),
    }));
    structs.push({ name: `S${structs.length}`, fields });
  }
  return structs;
};

export const structText = ({ name, fields }: RandomStruct): string =>
  `struct ${name} { ${fields.map((field) => `${field.isMutable ? 'mut ' : ''}${field.name}: ${typeText(field.type)}`).join(', ')} }`;
