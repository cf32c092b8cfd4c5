import { z } from 'zod';
import { canonicalHost, hostAdvice } from '../hosts/index.js';

export interface SettingMeaning {
  /** One line for the table of settings. */
  readonly description: string;
  /** Completes "PORT must be ...": `a whole number from 1 to 65535`. */
  readonly expects: string;
  /** Follows the refusal of a text: `write 127.0.0.1`. Undefined: no advice. */
  readonly advice?: (text: string) => string | undefined;
  /** Never printed, not even when invalid. */
  readonly secret?: boolean;
}

const meanings = z.registry<SettingMeaning>();

/** An environment variable: the schema of its text, and its meaning. */
const setting = <Schema extends z.ZodType>(schema: Schema, meaning: SettingMeaning): Schema => {
  meanings.add(schema, meaning);
  return schema;
};

export const meaningOf = (schema: z.ZodType): SettingMeaning | undefined => meanings.get(schema);

interface Described<Value> {
  readonly description: string;
  readonly default?: Value;
}

/** Without `default` the variable is required; `optional: true` makes it undefined instead. */
type Presence<Value> = Described<Value> & { readonly optional?: boolean };

const withPresence = <Value>(
  schema: z.ZodType<Value, string>,
  presence: Presence<Value>,
  meaning: Omit<SettingMeaning, 'description'>,
): z.ZodType<Value, string | undefined> => {
  const full = { ...meaning, description: presence.description };
  if (presence.default !== undefined) {
    // A parsed value, not a text: it skips the parsing.
    const read = schema.default(presence.default as never);
    return setting(read as unknown as z.ZodType<Value, string | undefined>, full);
  }
  const maybe = presence.optional ? schema.optional() : schema;
  return setting(maybe as unknown as z.ZodType<Value, string | undefined>, full);
};

type OptionalOf<Value, P> = P extends { readonly optional: true } ? Value | undefined : Value;
type Setting<Value, P> = z.ZodType<OptionalOf<Value, P>, string | undefined>;

/** Any non-empty text. */
export const textSetting = <P extends Presence<string> & { readonly expects?: string; readonly pattern?: RegExp }>(
  presence: P,
): Setting<string, P> => {
  const text = presence.pattern ? z.string().regex(presence.pattern) : z.string().min(1);
  return withPresence(text, presence, { expects: presence.expects ?? 'a text' }) as Setting<string, P>;
};

/** A non-empty text that is never printed. */
export const secretSetting = <P extends Presence<string> & { readonly minLength?: number }>(
  presence: P,
): Setting<string, P> => {
  const minLength = presence.minLength ?? 1;
  const expects = minLength > 1 ? `a secret text of at least ${minLength} characters` : 'a secret text';
  return withPresence(z.string().min(minLength), presence, { expects, secret: true }) as Setting<string, P>;
};

export const wholeNumberSetting = <P extends Presence<number> & { readonly min: number; readonly max: number }>(
  presence: P,
): Setting<number, P> => {
  const { min, max } = presence;
  const digits = z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);
  const expects = `a whole number from ${min} to ${max}`;
  return withPresence(digits as z.ZodType<number, string>, presence, { expects }) as Setting<number, P>;
};

/** A port to listen on; 0 takes a free one. */
export const portSetting = <P extends Presence<number>>(presence: P): Setting<number, P> =>
  wholeNumberSetting({ ...presence, min: 0, max: 65_535 }) as unknown as Setting<number, P>;

/** An interface to listen on, in its canonical form. `portSetting` is the variable of its port. */
export const hostSetting = <P extends Presence<string> & { readonly portSetting: string }>(
  presence: P,
): Setting<string, P> => {
  const host = z
    .string()
    .refine((text) => canonicalHost(text) !== undefined)
    .transform((text) => canonicalHost(text)!);
  return withPresence(host as z.ZodType<string, string>, presence, {
    expects: 'an IP address like 127.0.0.1 or ::1, or the name of a host',
    advice: (text) => hostAdvice(text, presence.portSetting),
  }) as Setting<string, P>;
};

export const flagSetting = <P extends Presence<boolean>>(presence: P): Setting<boolean, P> => {
  const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
  return withPresence(flag as z.ZodType<boolean, string>, presence, { expects: 'true or false' }) as Setting<
    boolean,
    P
  >;
};

export const choiceSetting = <const Choice extends string, P extends Presence<Choice>>(
  choices: readonly Choice[],
  presence: P,
): Setting<Choice, P> => {
  const choice = z.enum(choices as readonly [Choice, ...Choice[]]) as unknown as z.ZodType<Choice, string>;
  return withPresence(choice, presence, { expects: `one of ${choices.join(', ')}` }) as Setting<Choice, P>;
};

/** Texts separated by commas. */
export const listSetting = <
  P extends Presence<readonly string[]> & {
    readonly expects?: string;
    readonly pattern?: RegExp;
    readonly count?: number;
  },
>(
  presence: P,
): Setting<readonly string[], P> => {
  const items = z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item.length > 0),
    )
    .refine((list) => presence.count === undefined || list.length === presence.count)
    .refine((list) => presence.pattern === undefined || list.every((item) => presence.pattern?.test(item)));
  const expects = presence.expects ?? 'a list separated by commas';
  return withPresence(items as unknown as z.ZodType<readonly string[], string>, presence, { expects }) as Setting<
    readonly string[],
    P
  >;
};
