import { fc } from '../properties/index.js';
import { type z } from 'zod';

/** `zod`'s data of a schema with parts. */
interface Parts {
  readonly def: { readonly type: string };
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  /** Of an enumeration: texts. Of a union: schemas. */
  readonly options?: readonly unknown[];
  readonly unwrap?: () => z.ZodType;
}

/**
 * Payloads that the schema accepts, with leaves drawn from a pool: well-formed, and mostly meaningless. Derived from
 * the schema, so that new messages of the tables are included automatically.
 */
export const payloadArbitrary = (schema: z.ZodType, pool: readonly unknown[]): fc.Arbitrary<unknown> => {
  const { def, shape, element, options, unwrap } = schema as unknown as Parts;
  if (def.type === 'object' && shape) {
    return fc.record(
      Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, payloadArbitrary(field, pool)])),
    );
  }
  if (def.type === 'array' && element) {
    const items = fc.array(payloadArbitrary(element, pool), { maxLength: 9 });
    return items.filter((list) => schema.safeParse(list).success);
  }
  if (def.type === 'enum' && options) return fc.constantFrom(...options);
  if (def.type === 'union' && options)
    return fc.oneof(...options.map((option) => payloadArbitrary(option as z.ZodType, pool)));
  if (def.type === 'optional' && unwrap)
    return fc.option(payloadArbitrary(unwrap.call(schema), pool), { nil: undefined });
  const fitting = pool.filter((value) => schema.safeParse(value).success);
  if (fitting.length === 0) throw new Error(`the pool has nothing for a ${def.type}`);
  return fc.constantFrom(...fitting);
};

/** Anything at all, and payloads with one field replaced by anything. */
export const junkArbitrary = (schema: z.ZodType, pool: readonly unknown[]): fc.Arbitrary<unknown> => {
  const anything = fc.oneof(
    fc.anything({ maxDepth: 2, withBigInt: true, withDate: true, withTypedArray: true, withNullPrototype: true }),
    fc.uint8Array({ maxLength: 64 }),
  );
  const spoilt = fc.tuple(payloadArbitrary(schema, pool), fc.nat(), anything).map(([payload, place, junk]): unknown => {
    const names = Object.keys(payload as object);
    const name = names[place % Math.max(1, names.length)];
    return name === undefined ? junk : { ...(payload as object), [name]: junk };
  });
  return fc.oneof(anything, spoilt);
};
