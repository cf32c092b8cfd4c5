import { type Brand, brandedField, brandedFields, symbolPlaceholder } from './brand.js';

/** Quotes in JSON texts are escaped, so this matches only field names. */
const brandedName = new RegExp(`"(${brandedFields.join('|')})":`, 'g');

/** Compact JSON with the field names of a brand, for responses. */
export const brandedJson = (json: string, brand: Brand): string =>
  json.replace(brandedName, (_all, name: string) => `"${brandedField(name, brand)}":`);

/** Fields in which an amount may be written in coins. */
const amountFields: ReadonlySet<string> = new Set(['amount', 'issueTokenAmount', ...brandedFields]);

/**
 * Makes the function that converts parsed request bodies: field names of the brand become those of the code, and the
 * coin's symbol in amounts becomes `{COIN}`. It changes the value in place.
 */
export const jsonNeutralizer = (brand: Brand): ((json: unknown) => void) => {
  const names = new Map<string, string>(brandedFields.map((name) => [brandedField(name, brand), name]));
  const amountOf = (value: unknown): unknown =>
    typeof value === 'string' && value.endsWith(brand.coinSymbol)
      ? `${value.slice(0, -brand.coinSymbol.length)}${symbolPlaceholder}`
      : value;
  const neutralize = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return value.forEach(neutralize);
    const fields = value as Record<string, unknown>;
    for (const [given, inner] of Object.entries(fields)) {
      const name = names.get(given) ?? given;
      if (name !== given) delete fields[given];
      if (name !== given || amountFields.has(name)) fields[name] = amountFields.has(name) ? amountOf(inner) : inner;
      neutralize(inner);
    }
  };
  return neutralize;
};
