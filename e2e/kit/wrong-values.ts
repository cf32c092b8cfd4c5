/** A piece of JSON that JSON.stringify would not write. */
export interface Literal {
  readonly literal: string;
}
const literal = (text: string): Literal => ({ literal: text });

const isLiteral = (value: unknown): value is Literal =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === 'literal';

/** JSON text of a value with literals in it. */
export const jsonText = (value: unknown): string => {
  if (isLiteral(value)) return value.literal;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
    return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${jsonText(inner)}`).join(',')}}`;
  }
  return JSON.stringify(value);
};

const notText = [literal('12'), true, {}, []];
const tooLarge = (2n ** 256n).toString();
const contractAddress = 'tgx7VNFoP9DJiFMFgXXtafQZkUvyEdDHT9ryamHJZC9M';
const notHexOf = (digits: number): readonly unknown[] => [
  'x'.repeat(digits),
  '0'.repeat(digits - 1),
  '0'.repeat(digits - 2),
  '0'.repeat(digits + 2),
  `0x${'0'.repeat(digits)}`,
  '',
  ...notText,
];

/** Values that no field of a kind takes (protocol 07 §1.5, §1.7; 00-decisions 25). */
export const wrongValues = {
  hexadecimal: ['xyz', 'abc', '0x00', ...notText],
  hash: notHexOf(64),
  publicKey: notHexOf(66),
  signature: notHexOf(128),
  address: ['', '000', 'not!base58', '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMr', contractAddress, ...notText],
  amount: [
    ...[
      '',
      '-1',
      '-1 COIN',
      '1.5',
      '1. COIN',
      ' 1 COIN',
      '1 COIN ',
      '1 Coin',
      '1e3 COIN',
      '0.0000000000000000010 COIN',
    ],
    ...['1e18', '0x10', tooLarge],
    ...['1.5', '-1', '1e18', '9007199254740993', '123456789012345678901234567890'].map(literal),
    ...[true, {}, []],
  ],
  count: [
    '1.5',
    'x',
    '',
    '-1',
    ...['-1', '1.5', '2e4', '20000.0', '4294987296', '123456789012345678901'].map(literal),
    true,
    {},
    [],
  ],
  hint: ['1.5', 'x', '', ...['1.5', '2e4', '4294967297', '-2147483649'].map(literal), true, {}, []],
  uint256: ['', 'x', '-1', '1.5', '1e3', tooLarge, ...['-1', '1.5', '1e3'].map(literal), true, {}, []],
  timestamp: ['', 'x', '-1', '1.5', ...['-1', '1.5', '9223372036854775808'].map(literal), true, {}, []],
  flag: ['yes', '', ...['1', '0'].map(literal), {}, []],
  text: [literal('12'), true, {}, []],
  list: ['', 'x', literal('5'), true, {}],
} as const satisfies Record<string, readonly unknown[]>;

export type Kind = keyof typeof wrongValues;

/** Texts that no parameter of a kind takes, in a path or a query. */
export const wrongParameters = {
  hash: ['xyz', '0'.repeat(63), '0'.repeat(62), '0'.repeat(66), 'g'.repeat(64)],
  address: ['000', 'not!base58', '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMr', 'x'.repeat(2_000)],
  group: ['-1', '4', '1.5', 'x', '', '99999999999'],
  height: ['1.5', 'x', '', '4294967297', '1e3'],
  timestamp: ['-1', '1.5', 'x', '', '9223372036854775808'],
  flag: ['1', 'yes', ''],
} as const;

export type ParameterKind = keyof typeof wrongParameters;
