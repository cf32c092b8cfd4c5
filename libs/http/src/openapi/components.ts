import { z } from 'zod';
import { meanings } from '../schemas/index.js';

export type Json = Readonly<Record<string, unknown>>;

/** Names of references as OpenAPI wants them. */
const renamed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' ? String(inner).replace('#/definitions/', '#/components/schemas/') : renamed(inner),
    ]),
  );
};

/** Components with their `#/components/schemas/...` references, filled while schemas are converted. */
export class Components {
  readonly schemas: Record<string, unknown> = {};

  /** `io`: a body is described as it is sent, an answer as it is written. */
  convert(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { definitions, ...converted } = z.toJSONSchema(schema, {
      target: 'openapi-3.0',
      io,
      metadata: meanings,
      unrepresentable: 'any',
    }) as Json & { readonly definitions?: Json };
    for (const [name, definition] of Object.entries(definitions ?? {})) this.schemas[name] = renamed(definition);
    return renamed(converted) as Json;
  }
}

export const jsonContent = (schema: Json, example?: unknown): Json => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});
