import { type z } from 'zod';

/**
 * A type without `readonly` and intersections, and with its optional fields marked instead of optional: two such types that
 * are assignable to each other are the same.
 */
type Plain<Type> = Type extends Uint8Array
  ? Uint8Array
  : Type extends readonly (infer Item)[]
    ? Plain<Item>[]
    : Type extends object
      ? {
          -readonly [Name in keyof Type]-?: Pick<Type, Name> extends Required<Pick<Type, Name>>
            ? Plain<Type[Name]>
            : { readonly optional: Plain<Type[Name]> };
        }
      : Type;

/** Schema of a payload in a network with a given number of groups. */
export interface PayloadSchema {
  readonly schemaFor: (groups: number) => z.ZodType;
}

/** A schema for exactly one type, not for one with more or fewer fields. */
interface ExactSchema<Payload> extends PayloadSchema {
  /** Never set: makes the type invariant, so that it is compared both ways. */
  readonly exactly?: (payload: Payload) => Payload;
}

/** The tables of messages require a schema of exactly their type, so that both stay equal. */
export type MessageSchema<Payload> = ExactSchema<Plain<Payload>>;

export const messageSchema = <Schema extends z.ZodType>(
  schemaFor: (groups: number) => Schema,
): MessageSchema<z.output<Schema>> => ({ schemaFor });

/** Returns undefined for a valid payload, otherwise the field and the expected form, never the value. */
export type PayloadCheck = (payload: unknown) => string | undefined;

/** `destinations[0].amount` */
const fieldText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text === '' ? '' : '.'}${String(key)}`),
    '',
  );

/** Creates the schema at the first message: most routes of a process are not used at once. */
export const payloadCheck = ({ schemaFor }: PayloadSchema, groups: number): PayloadCheck => {
  let schema: z.ZodType | undefined;
  return (payload) => {
    schema ??= schemaFor(groups);
    const result = schema.safeParse(payload);
    if (result.success) return undefined;
    const issue = result.error.issues[0]!;
    const field = fieldText(issue.path);
    return field === '' ? issue.message : `${field}: ${issue.message}`;
  };
};
