import { z } from 'zod';
import { meanings } from '../schemas/index.js';
import { type EndpointDescription } from './endpoint-description.js';

type Json = Readonly<Record<string, unknown>>;

export interface DocumentSettings {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Port of the interface, for the template of its address. */
  readonly port: number;
  /** Whether a key is wanted in `X-API-KEY`. */
  readonly hasApiKey: boolean;
  /** Whether clients may send only so many requests a minute. Default false. */
  readonly hasRateLimit?: boolean;
  /** Schemas of error bodies: all errors, and 404. */
  readonly errors: { readonly error: z.ZodType; readonly notFound: z.ZodType };
}

const statusMeanings: Readonly<Record<number, string>> = {
  400: 'The request cannot be read, or what it asks for is refused',
  401: 'A key, a password or an unlocked wallet is needed',
  404: 'There is no such thing',
  409: 'There is such a thing already',
  429: 'Too many requests, or wrong passwords: wait as long as Retry-After says',
  500: 'A fault of the node',
  503: 'A group-node that is needed does not answer, or has not caught up',
};

/** Components with their `#/components/schemas/...` references, filled while schemas are converted. */
class Components {
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

const parametersOf = (schema: z.ZodObject | undefined, place: 'path' | 'query', components: Components): Json[] => {
  if (!schema) return [];
  const { properties, required } = components.convert(schema, 'input') as {
    readonly properties: Record<string, Json>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, example, ...converted }]) => ({
    name,
    in: place,
    description,
    required: place === 'path' || (required ?? []).includes(name),
    ...(example === undefined ? {} : { example }),
    schema: converted,
  }));
};

const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } });

const responsesOf = (endpoint: EndpointDescription, components: Components, settings: DocumentSettings): Json => {
  const error = jsonContent(components.convert(settings.errors.error, 'output'));
  const notFound = jsonContent(components.convert(settings.errors.notFound, 'output'));
  const limited = settings.hasRateLimit ? [429] : [];
  const statuses = [...new Set([400, 401, 500, 503, ...limited, ...(endpoint.errors ?? [])])].sort((a, b) => a - b);
  return {
    200: endpoint.answer
      ? { description: 'Done', content: jsonContent(components.convert(endpoint.answer, 'output')) }
      : { description: 'Done; the answer is empty' },
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        { description: statusMeanings[status] ?? 'Error', content: status === 404 ? notFound : error },
      ]),
    ),
  };
};

const operationOf = (endpoint: EndpointDescription, components: Components, settings: DocumentSettings): Json => {
  const name = `${endpoint.method.toLowerCase()}${endpoint.path.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_all, next?: string) => next?.toUpperCase() ?? '')}`;
  const parameters = [
    ...parametersOf(endpoint.params, 'path', components),
    ...parametersOf(endpoint.query, 'query', components),
  ];
  return {
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    operationId: name,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body
      ? { requestBody: { required: true, content: jsonContent(components.convert(endpoint.body, 'input')) } }
      : {}),
    responses: responsesOf(endpoint, components, settings),
  };
};

/** The OpenAPI 3.0 description of these endpoints (protocol 07 §1.15; 00-decisions, 30). */
export const openApiDocument = (endpoints: readonly EndpointDescription[], settings: DocumentSettings): Json => {
  const components = new Components();
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operationOf(endpoint, components, settings);
  }
  const keyed = settings.hasApiKey
    ? {
        components: {
          schemas: components.schemas,
          securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } },
        },
        security: [{ apiKey: [] }],
      }
    : { components: { schemas: components.schemas } };
  return {
    openapi: '3.0.3',
    info: { title: settings.title, version: settings.version, description: settings.description },
    servers: [
      { url: '../' },
      {
        url: '{protocol}://{host}:{port}',
        variables: {
          protocol: { enum: ['http', 'https'], default: 'http' },
          host: { default: '127.0.0.1' },
          port: { default: String(settings.port) },
        },
      },
    ],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    ...keyed,
  };
};
