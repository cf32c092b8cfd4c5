import { type Literal } from './json-text.js';
import { type GoodValues } from './good-values.js';
import { resolved, type Schema } from './described-api.js';

const literal = (text: string): Literal => ({ literal: text });

const texts = [
  '',
  ' ',
  '\u0000',
  '\u0000'.repeat(64),
  '\u202eכן',
  '😀'.repeat(40),
  'e\u0301\u0301',
  '\ufeff1',
  '１２',
  'ß'.repeat(33),
  '../../etc/passwd',
  '%00',
  "'; DROP TABLE blocks; --",
  '<script>alert(1)</script>',
  '${7*7}',
  '__proto__',
  'constructor',
  'null',
  'true',
  '0x10',
  '-1',
  '1e400',
  '9'.repeat(400),
  '0'.repeat(64),
  'f'.repeat(66),
  'f'.repeat(63),
  '1'.repeat(200),
  'z'.repeat(10_000),
  '00'.repeat(60_000),
  '9'.repeat(20_000),
];

const numbers = [
  '-1',
  '-0',
  '0',
  '0.5',
  '1e3',
  '1e400',
  '-1e400',
  '2147483647',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '1'.repeat(80),
  '9'.repeat(5_000),
].map(literal);

const others = [null, true, false, [], {}, [null], [[]], { a: 1 }, { length: 1 }, [1, 'a', null, {}]];

/** Bounds of a schema, and one beyond. */
const bounds = ({ minimum, maximum }: Schema): readonly Literal[] =>
  [minimum, maximum].flatMap((bound) =>
    bound === undefined ? [] : [-1, 0, 1].map((step) => literal(String(BigInt(bound) + BigInt(step)))),
  );

const changedText = (values: GoodValues, text: string): string => {
  const at = values.whole(0, text.length);
  return values.pick([
    text.slice(0, at),
    text.slice(0, at) + values.pick(['0', 'z', ' ', '\u00e9', '.']) + text.slice(at),
    text.slice(0, at) + text.slice(at + 1),
    ` ${text}`,
    text + text,
    text.toUpperCase(),
    `0x${text}`,
    `-${text}`,
  ]);
};

const wrongList = (values: GoodValues, list: readonly unknown[], schema: Schema): unknown => {
  const first = list[0] ?? null;
  const most = schema.maxItems ?? 4;
  return values.pick([
    [],
    [...list, first],
    [...list, null],
    [...list, [first]],
    [...list, 'x'],
    [first, first],
    list.toReversed(),
    first,
    // Whole lists only now and then, they are long.
    ...(values.chance(0.1) ? [Array<unknown>(most).fill(first), Array<unknown>(most + 1).fill(first)] : []),
  ]) as unknown;
};

/** A value of which most do not fit the schema, near a good one or far from it. */
const badValue = (values: GoodValues, good: unknown, given: Schema): unknown => {
  const schema = resolved(values.document, given);
  const limits = bounds(schema);
  if (limits.length > 0 && values.chance(0.4)) return values.pick(limits);
  if (Array.isArray(good) && values.chance(0.6)) return wrongList(values, good, schema);
  if (typeof good === 'string' && values.chance(0.4)) return changedText(values, good);
  // A copy, because more may be put into it.
  return structuredClone(values.pick<unknown>(values.pick<readonly unknown[]>([texts, numbers, others])));
};

/** The same in a path or a query. */
export const badText = (values: GoodValues, good: unknown, schema: Schema): string => {
  const bad = badValue(values, String(good as string), schema);
  if (typeof bad === 'string') return bad.slice(0, 3_000);
  if (typeof bad === 'object' && bad !== null && 'literal' in bad) return String(bad.literal).slice(0, 3_000);
  return JSON.stringify(bad);
};

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly schema: Schema;
}

const isHolder = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !('literal' in value);

/** All places of a body, with the schemas of what is there. */
const placesOf = (values: GoodValues, holder: Record<string, unknown>, key: string, given: Schema): Place[] => {
  const schema = resolved(values.document, given);
  const value = holder[key];
  const inner = isHolder(value) ? value : {};
  const schemaOf = (name: string): Schema => (Array.isArray(value) ? schema.items : schema.properties?.[name]) ?? {};
  return [
    { holder, key, schema },
    ...Object.keys(inner).flatMap((name) => placesOf(values, inner, name, schemaOf(name))),
  ];
};

const extraFields = ['extra', '__proto__', 'constructor', 'toString', 'détail', '', 'a'.repeat(500)];

/** A copy of a good body with one to three things wrong. */
export const badBody = (values: GoodValues, good: unknown, schema: Schema): unknown => {
  const root: Record<string, unknown> = { body: structuredClone(good) };
  for (let left = values.pick([1, 1, 1, 2, 3]); left > 0; left--) {
    const places = placesOf(values, root, 'body', schema);
    const {
      holder,
      key,
      schema: inner,
    } = values.pick(places.length > 1 && values.chance(0.95) ? places.slice(1) : places);
    const value = holder[key];
    if (values.chance(0.12) && holder !== root && !Array.isArray(holder)) delete holder[key];
    else if (values.chance(0.1) && isHolder(value) && !Array.isArray(value))
      Object.defineProperty(value, values.pick(extraFields), {
        value: 1,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else holder[key] = badValue(values, value, inner);
  }
  return root['body'];
};

/** Bodies that are no JSON, or not the JSON of an object. */
export const brokenBodies = [
  '',
  ' ',
  '{',
  '[]',
  'null',
  '1',
  '"a"',
  '{"a":}',
  '{a:1}',
  "{'a':1}",
  '\ufeff{}',
  '{}{}',
  '{"a":1,}',
  '{"a":NaN}',
  '{"a":"\\ud800"}',
  '{"a":"\\x"}',
  '{"a":"\u0001"}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  '{"a":1,"a":2}',
];
