import { z } from 'zod';
import { meanings } from '../schemas/index.js';

export type Json = Readonly<Record<string, unknown>>;

interface Converted {
  readonly schema: Json;
  readonly components: Readonly<Record<string, Json>>;
}

/**
 * A schema and the components that it names, as OpenAPI 3.0, with the meanings of its leaves. `input`: the sent form;
 * `output`: the written form.
 */
export const convertSchema = (schema: z.ZodType, io: 'input' | 'output'): Converted => {
  const { definitions = {}, ...converted } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    metadata: meanings,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => void delete (jsonSchema as Record<string, unknown>).isSecret,
  }) as Json & { readonly definitions?: Record<string, Json> };
  return { schema: converted, components: definitions };
};
