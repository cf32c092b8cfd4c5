import { i256Max, i256Min } from '@shardnode/protocol/primitives';
import { type Val } from '@shardnode/protocol/script';
import { parseHex } from '@shardnode/protocol/encoding';
import { hexText } from './bytes.js';
import { Mistake, mistake, readLeaf, type Leaf } from './leaf.js';
import { uint256 } from './numbers.js';
import { address, flag } from './texts.js';

/** A JSON integer or a text of digits with a sign; larger integers are refused because their digits may be lost (00-decisions, 25). */
const int256Of = (raw: unknown): bigint | undefined => {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? BigInt(raw) : undefined;
  if (typeof raw !== 'string' || !/^[+-]?[0-9]{1,78}$/.test(raw)) return undefined;
  const value = BigInt(raw.replace('+', ''));
  return value >= i256Min && value <= i256Max ? value : undefined;
};

const int256: Leaf<bigint> = {
  expects: 'a text of decimal digits with an optional sign, from -2^255 to 2^255 - 1',
  read: int256Of,
  meaning: {
    description: 'Whole number from -2^255 to 2^255 - 1 as a text of digits',
    example: '-5',
    type: 'string',
    format: 'decimal-integer',
    pattern: '^[+-]?[0-9]+$',
    maxLength: 79,
  },
};

interface Kind {
  readonly leaf: Leaf<unknown>;
  readonly val: (read: never) => Val;
}

const kind = <Value>(leaf: Leaf<Value>, val: (read: Value) => Val): Kind => ({ leaf, val });

/** Leaves of the value types (protocol 07 §2.8). */
const kinds: Readonly<Record<Val['type'], Kind>> = {
  Bool: kind(flag('The value', true), (value) => ({ type: 'Bool', value })),
  U256: kind({ ...uint256, meaning: { ...uint256.meaning, example: '1' } }, (value) => ({ type: 'U256', value })),
  I256: kind(int256, (value) => ({ type: 'I256', value })),
  ByteVec: kind(hexText, (value) => ({ type: 'ByteVec', value: parseHex(value)! })),
  Address: kind(address, ({ lockupScript }) => ({ type: 'Address', value: lockupScript })),
};

const types = [...Object.keys(kinds), 'Array'].join(', ');
const longestEcho = 40;
const echo = (raw: unknown): string => (typeof raw === 'string' ? JSON.stringify(raw.slice(0, longestEcho)) : 'none');

const readVals = (raw: unknown): readonly Val[] | Mistake => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return mistake('expected a value like {"type":"U256","value":"1"}');
  }
  const { type, value } = raw as { readonly type?: unknown; readonly value?: unknown };
  if (type === 'Array') return readArray(value);
  if (typeof type !== 'string' || !Object.hasOwn(kinds, type)) {
    return mistake(`expected a type of value, one of ${types}; received ${echo(type)}`);
  }
  const { leaf, val } = kinds[type as Val['type']];
  const read = value === undefined ? undefined : readLeaf(leaf, value);
  if (read === undefined) return mistake(`the value of type ${type} must be ${leaf.expects}`);
  return read instanceof Mistake ? read : [val(read as never)];
};

const readArray = (items: unknown): readonly Val[] | Mistake => {
  if (!Array.isArray(items)) return mistake('the value of type Array must be a list of values');
  const vals: Val[] = [];
  for (const item of items) {
    const read = readVals(item);
    if (read instanceof Mistake) return read;
    vals.push(...read);
  }
  return vals;
};

const form = (type: string, value: unknown) => ({
  type: 'object',
  description: `Value of type ${type}`,
  properties: { type: { type: 'string', enum: [type], description: 'Which form this is', example: type }, value },
  required: ['type', 'value'],
});

/** A value from a request; an array stands for its elements in order (protocol 07 §2.8). */
export const sentValues: Leaf<readonly Val[]> = {
  expects: 'a value',
  read: readVals,
  meaning: {
    description: 'Value of the machine; an array stands for the values in it, one after the other',
    example: { type: 'U256', value: '1' },
    id: 'ValToSend',
    anyOf: [
      ...Object.entries(kinds).map(([type, { leaf }]) => form(type, leaf.meaning)),
      form('Array', {
        type: 'array',
        description: 'The values in it',
        items: { $ref: '#/components/schemas/ValToSend' },
        maxItems: 1_024,
      }),
    ],
  },
};
