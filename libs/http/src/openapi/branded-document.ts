import { type Json } from './schema-converter.js';
import { type Brand, brandedField, brandedFields, brandedText } from '../brand/brand.js';

/** An OpenAPI document with the names of a brand, in its fields and texts. */
export const brandedDocument = (document: Json, brand: Brand): Json => {
  const names = new Map<string, string>(brandedFields.map((name) => [name, brandedField(name, brand)]));
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return brandedText(value, brand).replace(/\battoCoin\b/g, `atto${brand.coinName}`);
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]: [string, unknown]) => [names.get(name) ?? name, shown(inner)]),
    );
  };
  return shown(document) as Json;
};
