import { z } from 'zod';
import { type DecodeFailure } from './decode-failure.js';

/** Unit of a number or a text of digits. */
export type Unit = 'attoCoin' | 'attoCoin per gas' | 'gas' | 'ms' | 's' | 'bytes' | 'blocks' | 'H/s';

/** Data of a schema for the API's description; `type`, `format` etc. are those of JSON Schema. */
export interface Meaning {
  readonly description: string;
  readonly 'x-unit'?: Unit;
  readonly nullable?: boolean;
  readonly example?: unknown;
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  /**
   * Maximum length of a text in code points. Texts of other values, such as numbers and flags, have at most
   * `longestWord`.
   */
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly default?: unknown;
  readonly oneOf?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  /** Name in the components of the description. */
  readonly id?: string;
  /** Its values are never repeated in an error. */
  readonly isSecret?: boolean;
}

/**
 * Meanings of schemas. Not the library's global registry, because one process may hold several interfaces with their
 * own schemas.
 */
export const meanings = z.registry<Meaning>();

/** A failed read with its own text instead of `expected ...`. */
export class Mistake {
  constructor(readonly message: string) {}
}

export const mistake = (message: string): Mistake => new Mistake(message);

/** A kind of request value: how it is parsed, and the text for a wrong one. */
export interface Leaf<Value> {
  /** Completes "expected ...": `64 hexadecimal digits`. */
  readonly expects: string;
  /** Returns undefined, or a mistake with its own text, for any other value. */
  readonly read: (raw: unknown) => Value | undefined | Mistake;
  readonly meaning: Meaning;
  /** The text for a wrong one that existing clients match; undefined: the protocol has none. */
  readonly failure?: DecodeFailure;
}

/** Maximum length in code points of a text whose meaning has no `maxLength`: digits, flags, words of a list. */
const longestWord = 256;

/** Compares the number of code points, as `maxLength` does. A text with at most `most` UTF-16 units needs no count. */
const isLonger = (text: string, most: number): boolean =>
  text.length > 2 * most || (text.length > most && [...text].length > most);

/**
 * Reads a value by its leaf. A text that is too long is refused before parsing, which may take more than linear time
 * (base58, normal forms).
 */
export const readLeaf = <Value>(leaf: Leaf<Value>, raw: unknown): Value | undefined | Mistake => {
  const most = leaf.meaning.maxLength ?? longestWord;
  if (typeof raw === 'string' && isLonger(raw, most)) {
    return mistake(`has ${raw.length} characters, at most ${most} are allowed`);
  }
  return leaf.read(raw);
};

const readWith =
  <Value>(leaf: Leaf<Value>) =>
  (raw: unknown, context: z.core.$RefinementCtx): Value => {
    const value = raw === undefined ? undefined : readLeaf(leaf, raw);
    if (value !== undefined && !(value instanceof Mistake)) return value;
    context.addIssue({
      code: 'custom',
      message: value instanceof Mistake ? value.message : `expected ${leaf.expects}`,
      params: { isSecret: leaf.meaning.isSecret === true, failure: leaf.failure },
    });
    return z.NEVER;
  };

const described = <Value>(leaf: Leaf<Value>, more: Partial<Meaning>): Leaf<Value> => ({
  ...leaf,
  meaning: { ...leaf.meaning, ...more },
});

/** A required value. */
export const required = <Value>(leaf: Leaf<Value>, more: Partial<Meaning> = {}) => {
  const whole = described(leaf, more);
  return z.unknown().transform(readWith(whole)).register(meanings, whole.meaning);
};

/** A value that may be absent or null, with the same meaning (protocol 07 §1.6, 3). */
export const optional = <Value>(leaf: Leaf<Value>, more: Partial<Meaning> = {}) => {
  const whole = described(leaf, { nullable: true, ...more });
  const read = readWith(whole);
  return z
    .unknown()
    .optional()
    .transform((raw, context): Value | undefined =>
      raw === undefined || raw === null ? undefined : read(raw, context),
    )
    .register(meanings, whole.meaning);
};

/** An object; unknown fields are ignored (protocol 07 §1.1). */
export const fields = <Shape extends z.ZodRawShape>(shape: Shape, meaning: Meaning) =>
  z.object(shape, { error: 'expected an object' }).register(meanings, meaning);

export interface ListMeaning extends Partial<Meaning> {
  /** Maximum number of items, checked before any item is read. */
  readonly most?: number;
  /** Why the items are refused before any is read; undefined: they are not. */
  readonly refuse?: (items: readonly unknown[]) => string | undefined;
}

const listMeaning = (what: string, { most, refuse: _refuse, ...meaning }: ListMeaning) => ({
  description: `List of ${what}`,
  ...(most === undefined ? {} : { maxItems: most }),
  ...meaning,
});

const refusalOf = (items: readonly unknown[], { most, refuse }: ListMeaning): string | undefined =>
  most !== undefined && items.length > most
    ? `has ${items.length} items, at most ${most} are allowed`
    : refuse?.(items);

const lengthOf = (item: unknown, name: string): number => {
  const inner: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, name) : undefined;
  return Array.isArray(inner) ? inner.length : 0;
};

/** A list that is too long by itself is not counted: it is refused unread, with its own place. */
const totalOf = (items: readonly unknown[], name: string, most: number): number =>
  items.map((item) => lengthOf(item, name)).reduce((sum, length) => (length > most ? sum : sum + length), 0);

/**
 * Refuses items whose lists are too long together (`ListMeaning.refuse`). @param most by name of a list in the items, the
 * maximum length of that list and of those of all items together
 */
export const mostOfAll =
  (most: Readonly<Record<string, number>>) =>
  (items: readonly unknown[]): string | undefined =>
    Object.entries(most)
      .map(([name, inAll]) => ({ name, inAll, total: totalOf(items, name, inAll) }))
      .filter(({ inAll, total }) => total > inAll)
      .map(({ name, inAll, total }) => `has ${total} ${name} in all its items, at most ${inAll} in all are allowed`)
      .at(0);

/** The schema, with its bounds first if there are any: reading a million items takes seconds. */
const withinBounds = <Output, Input>(
  schema: z.ZodType<Output, Input>,
  meaning: ListMeaning,
): z.ZodType<Output, unknown> => {
  if (meaning.most === undefined && !meaning.refuse) return schema;
  return z.preprocess((raw, context) => {
    const message = Array.isArray(raw) ? refusalOf(raw, meaning) : undefined;
    if (message === undefined) return raw;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }, schema);
};

/** Validation stops after this many errors. */
export const mostMistakes = 20;

/** An array that reads no further item after one mistake more than are written: a body has room for 100,000. */
const BoundedArray = z.core.$constructor<z.ZodArray>('BoundedArray', (schema, definition) => {
  z.ZodArray.init(schema, definition);
  const { parse } = schema._zod;
  schema._zod.parse = (payload, context) => {
    const items = payload.value as unknown;
    if (!Array.isArray(items)) return parse(payload, context);
    const read: unknown[] = [];
    for (const [index, value] of items.entries()) {
      const result = definition.element._zod.run({ value: value as unknown, issues: [] }, context);
      if (result instanceof Promise) throw new z.core.$ZodAsyncError();
      payload.issues.push(...z.core.util.prefixIssues(index, result.issues));
      if (payload.issues.length > mostMistakes) break;
      read.push(result.value);
    }
    payload.value = read;
    return payload;
  };
});

const arrayOf = <Item extends z.ZodType>(item: Item, what: string) =>
  new BoundedArray({
    type: 'array',
    element: item,
    error: () => `expected a list of ${what}`,
  }) as unknown as z.ZodArray<Item>;

/** A list of such values. */
export const list = <Item extends z.ZodType>(item: Item, what: string, meaning: ListMeaning = {}) =>
  withinBounds(arrayOf(item, what), meaning).register(meanings, listMeaning(what, meaning));

/** A list that may be absent or null. */
export const optionalList = <Item extends z.ZodType>(item: Item, what: string, meaning: ListMeaning = {}) =>
  withinBounds(arrayOf(item, what).nullish(), meaning)
    .optional()
    .transform((items) => items ?? undefined)
    .register(meanings, listMeaning(what, meaning));
