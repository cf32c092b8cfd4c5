/** A piece of JSON that JSON.stringify would not write. */
export interface Literal {
  readonly literal: string;
}
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
