type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

/** Values by the names that a text has in braces. */
export type TextValues = Readonly<Record<string, string | number | bigint | boolean>>;

/** The values of a text of a table, as the arguments behind the others: none for a text without `{placeholders}`. */
export type ValuesOf<Text> = [Placeholders<Text>] extends [never]
  ? []
  : [values: { readonly [Name in Placeholders<Text>]: string | number | bigint | boolean }];

/**
 * The text with its values in place of its placeholders. Concatenated piece by piece, so that many texts share one long value:
 * `replace` and `join` copy it.
 */
export const filled = (text: string, values: TextValues = {}): string =>
  text.split(/\{(\w+)\}/).reduce((whole, piece, index) => whole + (index % 2 === 0 ? piece : `${values[piece]}`), '');
