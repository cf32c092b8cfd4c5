import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type z } from 'zod';
import { softwareVersion } from '@shardnode/core/observability';
import { type Brand, brandedDocument, convertSchema, type Json, operationId } from '@shardnode/http';
import { brandedPath } from '../api/branded-paths.js';
import { extensions } from '../api/operation.js';
import { ErrorBody, errorResponses, NotFoundBody } from './error-responses.js';

/** Purposes of the groups of operations, by their tags. */
const groups: Readonly<Record<string, string>> = {
  Blocks: 'Blocks of the main chains, and those beside them.',
  Transactions: 'Transactions of the main chains and of the mempools.',
  Addresses: 'Balances, transactions and tokens of any address.',
  Events: 'What contracts have announced, by transaction or contract.',
  Contracts: 'Creation, destruction and state of contracts.',
  Charts: 'Hash rates and numbers of transactions over time.',
  Infos: 'State of the explorer and of the chains.',
  Tokens: 'Tokens, their transactions and holders.',
  Mempool: 'Pending transactions.',
  Search: 'Search by hash, address, height or name.',
  Stream: 'Live stream of events (server-sent events).',
  Development: 'Tools of a development network: names from sources, calls, a test payment.',
};

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: Json;
}

interface Operation extends Record<string, unknown> {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
}

/** A parameter with its example beside its schema; an optional one has no example, because the page would send it. */
const parameterOf = ({ name, in: place, required = false, schema }: Parameter): Json => {
  const { description, example, nullable: _nullable, ...type } = schema;
  return { name, in: place, description, required, ...(required ? { example } : {}), schema: type };
};

const cursorHeader = {
  'X-Next-Cursor': {
    description: 'Value of `cursor` for the next part; absent at the end of the list',
    schema: { type: 'string', example: 'MTIzNDU2' },
  },
};

/** An operation from the framework, with its errors and headers. */
const completed = (operation: Operation, method: string, path: string): Json => {
  const {
    [extensions.mayBeMissing]: mayBeMissing,
    [extensions.hasCursor]: hasCursor,
    parameters = [],
    responses,
    ...rest
  } = operation;
  const hasBody = operation.requestBody !== undefined;
  const errors = errorResponses({
    takesInput: parameters.length > 0 || hasBody,
    hasBody,
    mayBeMissing: mayBeMissing === true,
  });
  return {
    ...rest,
    operationId: operationId(method, path),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterOf) }),
    responses: {
      ...responses,
      200: { ...responses['200'], ...(hasCursor === true ? { headers: cursorHeader } : {}) },
      ...errors,
    },
  };
};

const about = `Blocks, transactions, addresses, tokens, contracts and events of all chains, read only.

- Amounts are texts of digits in the smallest unit; 10¹⁸ are one coin.
- Times are milliseconds since 1970.
- Lists come in pages: \`page\` and \`limit\`. Where an answer has the header \`X-Next-Cursor\`, its value as \`cursor\`
  leads to the next part, at any depth and without shifting when new blocks arrive.
- While the newest block of the index is older than two minutes, answers have its age in milliseconds in the header
  \`X-Explorer-Lag-Ms\`.`;

const configuration = (): Omit<OpenAPIObject, 'paths'> =>
  new DocumentBuilder()
    .setTitle('Shardnode Explorer API')
    .setVersion(softwareVersion)
    .setDescription(about)
    .addServer('../')
    .build();

const completedPaths = (paths: OpenAPIObject['paths'], brand: Brand): Json =>
  Object.fromEntries(
    Object.entries(paths)
      .map(([path, methods]) => [brandedPath(path, brand), methods] as const)
      .map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods as Readonly<Record<string, Operation>>).map(([method, operation]) => [
            method,
            completed(operation, method, path),
          ]),
        ),
      ]),
  );

/** The groups that have operations, in their order. */
const tagsOf = (paths: OpenAPIObject['paths']) => {
  const used = new Set(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods as Readonly<Record<string, { readonly tags?: readonly string[] }>>).flatMap(
        ({ tags = [] }) => tags,
      ),
    ),
  );
  return Object.entries(groups).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : []));
};

/** The OpenAPI 3.0 description of the API (protocol 08 §5.13), made of its controllers and schemas, with the names of a brand. */
export const apiDocument = (application: INestApplication, brand: Brand): Json => {
  const { components, paths, ...document } = SwaggerModule.createDocument(application, configuration(), {
    onlyIncludeDecoratedEndpoints: true,
    standardSchemaConverter: (schema, { schemaType }) => convertSchema(schema as z.ZodType, schemaType),
  });
  const errors = {
    ...convertSchema(ErrorBody, 'output').components,
    ...convertSchema(NotFoundBody, 'output').components,
  };
  const described = {
    ...document,
    tags: tagsOf(paths),
    paths: completedPaths(paths, brand),
    components: { ...components, schemas: { ...components?.schemas, ...errors } },
  };
  return brandedDocument(described, brand);
};
