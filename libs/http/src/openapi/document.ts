import { type z } from 'zod';
import { type Brand } from '../brand/brand.js';
import { Components, jsonContent, type Json } from './components.js';
import { type EndpointDescription } from './endpoint-description.js';
import { headerComponents, responsesOf, type ErrorSettings } from './responses.js';

export interface DocumentSettings extends ErrorSettings {
  readonly brand: Brand;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Port of the interface, for the template of its address. */
  readonly port: number;
}

const parametersOf = (
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  components: Components,
  examples: Readonly<Record<string, unknown>> = {},
): Json[] => {
  if (!schema) return [];
  const { properties, required } = components.convert(schema, 'input') as {
    readonly properties: Record<string, Json>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, example, nullable: _nullable, ...schema }]) => {
    const isRequired = place === 'path' || (required ?? []).includes(name);
    const filledIn = Object.hasOwn(examples, name) ? examples[name] : example;
    return {
      name,
      in: place,
      description,
      required: isRequired,
      ...(isRequired && filledIn !== undefined ? { example: filledIn } : {}),
      schema,
    };
  });
};

const operationOf = (endpoint: EndpointDescription, components: Components, settings: DocumentSettings): Json => {
  const name = `${endpoint.method.toLowerCase()}${endpoint.path.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_all, next?: string) => next?.toUpperCase() ?? '')}`;
  const parameters = [
    ...parametersOf(endpoint.params, 'path', components, endpoint.example?.params),
    ...parametersOf(endpoint.query, 'query', components, endpoint.example?.query),
  ];
  return {
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    operationId: name,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: jsonContent(components.convert(endpoint.body, 'input'), endpoint.example?.body),
          },
        }
      : {}),
    responses: responsesOf(endpoint, components, settings),
  };
};

/** The OpenAPI 3.0 description of these endpoints (protocol 07 §1.15; 00-decisions, 30). */
export const openApiDocument = (endpoints: readonly EndpointDescription[], settings: DocumentSettings): Json => {
  const components = new Components(settings.brand);
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operationOf(endpoint, components, settings);
  }
  const schemas = { schemas: components.schemas, headers: headerComponents() };
  const keyed = settings.hasApiKey
    ? {
        components: { ...schemas, securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } } },
        security: [{ apiKey: [] }],
      }
    : { components: schemas };
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
