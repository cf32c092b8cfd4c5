import { z } from 'zod';

/** What a number or a text of digits counts. */
export type Unit = 'attoCoin' | 'attoCoin per gas' | 'gas' | 'ms' | 's' | 'bytes' | 'blocks' | 'H/s';

/** What a schema says of itself in the API's description; `type`, `format` and the like are those of JSON schema. */
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
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly default?: unknown;
  readonly oneOf?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  /** Name among the components of the description. */
  readonly id?: string;
  /** Values in it are never repeated in an error. */
  readonly hasSecrets?: boolean;
}

/** What schemas mean; our own, because several interfaces with schemas of their own live in one process. */
export const meanings = z.registry<Meaning>();

/** Reading a value failed for a reason of its own, instead of `expected ...`. */
export class Mistake {
  constructor(readonly message: string) {}
}

export const mistake = (message: string): Mistake => new Mistake(message);

/** A kind of value that clients send: how it is read, and what is said when it is not that. */
export interface Leaf<Value> {
  /** Completes "expected ...": `64 hexadecimal digits`. */
  readonly expects: string;
  /** Undefined, or a mistake with its own text, for anything that is not such a value. */
  readonly read: (raw: unknown) => Value | undefined | Mistake;
  readonly meaning: Meaning;
}

const readWith =
  <Value>(leaf: Leaf<Value>) =>
  (raw: unknown, context: z.core.$RefinementCtx): Value => {
    const value = raw === undefined ? undefined : leaf.read(raw);
    if (value !== undefined && !(value instanceof Mistake)) return value;
    // The text of what was received is added by the reader of the request, which knows what is secret.
    context.addIssue({
      code: 'custom',
      message: value instanceof Mistake ? value.message : `expected ${leaf.expects}`,
    });
    return z.NEVER;
  };

const described = (leaf: Leaf<unknown>, more: Partial<Meaning>): Meaning => ({ ...leaf.meaning, ...more });

/** A required value. */
export const required = <Value>(leaf: Leaf<Value>, more: Partial<Meaning> = {}) =>
  z.unknown().transform(readWith(leaf)).register(meanings, described(leaf, more));

/** A value that may be absent or null, with the same meaning (protocol 07 §1.6, 3). */
export const optional = <Value>(leaf: Leaf<Value>, more: Partial<Meaning> = {}) =>
  z
    .unknown()
    .optional()
    .transform((raw, context): Value | undefined =>
      raw === undefined || raw === null ? undefined : readWith(leaf)(raw, context),
    )
    .register(meanings, described(leaf, { nullable: true, ...more }));

/** An object; fields it does not know are ignored (protocol 07 §1.1). */
export const fields = <Shape extends z.ZodRawShape>(shape: Shape, meaning: Meaning) =>
  z.object(shape, { error: 'expected an object' }).register(meanings, meaning);

export interface ListMeaning extends Partial<Meaning> {
  /** How many items a client may send: counted before any of them is read. */
  readonly most?: number;
}

const listMeaning = (what: string, { most, ...meaning }: ListMeaning) => ({
  description: `List of ${what}`,
  ...(most === undefined ? {} : { maxItems: most }),
  ...meaning,
});

const tooMany = (raw: unknown, most: number, context: z.core.$RefinementCtx): unknown => {
  if (!Array.isArray(raw) || raw.length <= most) return raw;
  context.addIssue({ code: 'custom', message: `has ${raw.length} items, at most ${most} are allowed` });
  return z.NEVER;
};

/** The schema itself, or one that looks at the length first: reading a million items takes seconds. */
const atMost = <Output, Input>(
  schema: z.ZodType<Output, Input>,
  most: number | undefined,
): z.ZodType<Output, unknown> =>
  most === undefined ? schema : z.preprocess((raw, context) => tooMany(raw, most, context), schema);

const arrayOf = <Item extends z.ZodType>(item: Item, what: string) =>
  z.array(item, { error: `expected a list of ${what}` });

/** A list of such values. */
export const list = <Item extends z.ZodType>(item: Item, what: string, meaning: ListMeaning = {}) =>
  atMost(arrayOf(item, what), meaning.most).register(meanings, listMeaning(what, meaning));

/** A list that may be absent or null. */
export const optionalList = <Item extends z.ZodType>(item: Item, what: string, meaning: ListMeaning = {}) =>
  atMost(arrayOf(item, what).nullish(), meaning.most)
    .optional()
    .transform((items) => items ?? undefined)
    .register(meanings, listMeaning(what, meaning));
