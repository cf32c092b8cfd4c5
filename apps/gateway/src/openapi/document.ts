import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type z } from 'zod';
import { type ErrorHeaderKey } from '@shardnode/core/http-server';
import { brandedDocument, convertSchema, type ErrorCode, type Json, operationId } from '@shardnode/http';
import { type Role } from '../access/roles.js';
import { extensions } from '../operations/operation.js';
import { type ApiSettings } from '../settings/api-settings.js';
import { schemaInProfile } from '../wallets/profile-schemas.js';
import { developmentExamples, type OperationExample } from './development-examples.js';
import { answerHeaders, ErrorBody, errorResponses, headerComponents, NotFoundBody } from './error-responses.js';
import { guideOf } from './guide.js';
import { operationGroups } from './operation-groups.js';

type Mutable = Record<string, unknown>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Json;
}

/** A parameter with its example beside its schema; an optional one has no example, because the page would send it. */
const parameterOf = (parameter: Parameter, values: OperationExample['query'] = {}): Json => {
  const { name, in: place, required = false } = parameter;
  const { description, example, nullable: _nullable, ...schema } = parameter.schema;
  const value = Object.hasOwn(values, name) ? values[name] : example;
  return {
    name,
    in: place,
    description: parameter.description ?? description,
    required,
    ...(required && value !== undefined ? { example: value } : {}),
    schema,
  };
};

interface Operation extends Mutable {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, Mutable> };
  readonly responses: Record<string, Mutable>;
}

/** An operation from the framework, with its errors, headers and a working example. */
const completed = (
  operation: Operation,
  name: string,
  service: DocumentedService,
  example: OperationExample = {},
): Json => {
  const [method, path] = name.split(' ') as [string, string];
  const {
    [extensions.answerHeaders]: ownHeaders,
    [extensions.codes]: codes,
    [extensions.synced]: synced,
    [extensions.role]: role,
    description,
    parameters = [],
    requestBody,
    responses,
    ...rest
  } = operation;
  if (requestBody && example.body !== undefined) requestBody.content['application/json']!.example = example.body;
  const errors = errorResponses({
    method: method.toLowerCase(),
    takesInput: parameters.length > 0 || requestBody !== undefined,
    synced: synced === true,
    role: role as Role,
    codes: codes as readonly ErrorCode[],
    hasApiKey: service.hasApiKey,
    texts: service.settings.profile.errorTexts,
  });
  const described = parameters.map((parameter) =>
    parameterOf(parameter, parameter.in === 'path' ? example.params : example.query),
  );
  // Without keys, roles have no meaning.
  const about = [description, ...(service.hasApiKey ? [`Needs a key of the role \`${String(role)}\`.`] : [])];
  const text = about.filter((part) => part !== undefined).join('\n\n');
  return {
    ...rest,
    ...(text === '' ? {} : { description: text }),
    [extensions.role]: role,
    operationId: operationId(method.toLowerCase(), path),
    ...(described.length === 0 ? {} : { parameters: described }),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      ...responses,
      200: { ...responses['200'], headers: answerHeaders(ownHeaders as readonly ErrorHeaderKey[]) },
      ...errors,
    },
  };
};

/** The document of this gateway: names of the brand, and the number of groups of the network. */
const shownBy = (document: Json, { brand, network }: Pick<ApiSettings, 'brand' | 'network'>): Json => {
  const lastGroup = network.groups - 1;
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace('{lastGroup}', String(lastGroup));
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== 'object' || value === null) return value;
    const made = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)])) as Mutable;
    return made.format === 'group' ? { ...made, format: 'int32', minimum: 0, maximum: lastGroup } : made;
  };
  return shown(brandedDocument(document, brand)) as Json;
};

export interface DocumentedService {
  readonly application: INestApplication;
  readonly settings: ApiSettings;
  readonly hasApiKey: boolean;
}

const title = 'Shardnode API';

const configurationOf = ({ settings, hasApiKey }: DocumentedService): Omit<OpenAPIObject, 'paths'> => {
  const { port } = settings.listening();
  const guide = guideOf({ groups: settings.network.groups, base: `http://127.0.0.1:${port}`, hasApiKey });
  const builder = new DocumentBuilder()
    .setTitle(title)
    .setVersion(settings.reportedVersion.slice(1))
    .setDescription(guide)
    .addServer('../')
    .addServer('{protocol}://{host}:{port}', undefined, {
      protocol: { enum: ['http', 'https'], default: 'http' },
      host: { default: '127.0.0.1' },
      port: { default: String(port) },
    });
  if (hasApiKey)
    builder.addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-KEY' }, 'apiKey').addSecurityRequirements('apiKey');
  return builder.build();
};

/** Generated by the framework from controllers and schemas, once. */
const frameworkDocument = (service: DocumentedService): OpenAPIObject =>
  SwaggerModule.createDocument(service.application, configurationOf(service), {
    onlyIncludeDecoratedEndpoints: true,
    standardSchemaConverter: (schema, { schemaType }) =>
      convertSchema(schemaInProfile(schema as z.ZodType, service.settings.profile), schemaType),
  });

/**
 * The OpenAPI 3.0 description of the API (protocol 07 §1.15; 00-decisions, 30). The returned function builds it with
 * examples that work at `now`, milliseconds since 1970.
 */
export const apiDocument = (service: DocumentedService): ((now: number) => Json) => {
  const made = frameworkDocument(service);
  const { settings } = service;
  return (now) => {
    const examples = developmentExamples(now);
    const document = structuredClone(made);
    const paths = Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods as Readonly<Record<string, Operation>>).map(([method, operation]) => {
          const name = `${method.toUpperCase()} ${path}`;
          return [method, completed(operation, name, service, examples[name])];
        }),
      ),
    ]);
    const used = new Set(
      Object.values(document.paths).flatMap((methods) =>
        Object.values(methods as Record<string, Operation>).flatMap(({ tags }) => tags as string[]),
      ),
    );
    const tags = [...used].map((name) => ({ name, description: operationGroups[name] }));
    const errors = {
      ...convertSchema(ErrorBody, 'output').components,
      ...convertSchema(NotFoundBody, 'output').components,
    };
    const components = {
      ...document.components,
      schemas: { ...document.components?.schemas, ...errors },
      headers: headerComponents(),
    };
    return shownBy({ ...document, tags, paths: Object.fromEntries(paths) as unknown, components }, settings);
  };
};
