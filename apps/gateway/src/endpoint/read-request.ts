import { type z } from 'zod';
import { noSuchPath } from '@shardnode/core/http-server';
import { errorOf, invalidRequest, issuesOf, type RequestIssue, type RequestPart } from '@shardnode/http';
import { type Endpoint, type RequestInput } from './endpoint.js';

/** A request as the server hands it over. */
export interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly raw: { readonly url?: string | undefined };
}

/**
 * Reads path, query and body by the endpoint's schemas; all mistakes are reported together.
 * @throws InvalidRequestError
 */
export const readRequest = (endpoint: Endpoint, raw: RawRequest): RequestInput<never, never, never> => {
  // A path with nothing between two slashes is another path.
  if (Object.values(raw.params as object).includes(''))
    throw errorOf('RouteNotFound', noSuchPath(raw.raw.url!.split('?', 1)[0]!));
  const issues: RequestIssue[] = [];
  const read = (schema: z.ZodType | undefined, part: RequestPart, value: unknown): unknown => {
    if (!schema) return undefined;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    if (part === 'body' && value === undefined) issues.push({ part, field: '', message: 'is missing' });
    else issues.push(...issuesOf(part, result.error.issues, value, part === 'body' && endpoint.hasSecrets));
    return undefined;
  };
  const input = {
    params: read(endpoint.params, 'path parameter', raw.params),
    query: read(endpoint.query, 'query parameter', raw.query),
    body: read(endpoint.body, 'body', raw.body),
  };
  if (issues.length > 0) throw invalidRequest(issues);
  return input as RequestInput<never, never, never>;
};
