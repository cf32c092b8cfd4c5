import { z } from 'zod';
import { attoUnit, type Brand } from '../brand/brand.js';
import { meanings } from '../schemas/index.js';

export type Json = Readonly<Record<string, unknown>>;

/** Names of references as OpenAPI wants them, and units under the coin's name. */
const renamed = (value: unknown, brand: Brand): unknown => {
  if (Array.isArray(value)) return value.map((item) => renamed(item, brand));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, renamedMember(key, inner, brand)]));
};

const renamedMember = (key: string, value: unknown, brand: Brand): unknown => {
  if (key === '$ref') return String(value).replace('#/definitions/', '#/components/schemas/');
  if (key === 'x-unit' && typeof value === 'string') return value.replace('attoCoin', attoUnit(brand));
  return renamed(value, brand);
};

/** Components with their `#/components/schemas/...` references, filled while schemas are converted. */
export class Components {
  readonly schemas: Record<string, unknown> = {};

  constructor(private readonly brand: Brand) {}

  /** `io`: a body is described as it is sent, an answer as it is written. */
  convert(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { definitions, ...converted } = z.toJSONSchema(schema, {
      target: 'openapi-3.0',
      io,
      metadata: meanings,
      unrepresentable: 'any',
    }) as Json & { readonly definitions?: Json };
    for (const [name, definition] of Object.entries(definitions ?? {}))
      this.schemas[name] = renamed(definition, this.brand);
    return renamed(converted, this.brand) as Json;
  }
}

export const jsonContent = (schema: Json, example?: unknown): Json => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});
