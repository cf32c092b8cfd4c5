import { applyDecorators, Header, HttpCode } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension, ApiIncludeEndpoint, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { type z } from 'zod';
import { type ErrorHeaderKey } from '@shardnode/core/http-server';
import { type ErrorCode } from '@shardnode/http';
import { type Role } from '../access/roles.js';

export interface OperationDescription {
  /**
   * The least role of its callers: `read` changes nothing and reveals nothing of wallets, `wallets` uses wallets or submits
   * transactions, `operate` changes the node.
   */
  readonly role: Role;
  /** One line. */
  readonly summary: string;
  readonly description?: string;
  /** Absent: the response is empty. */
  readonly answer?: z.ZodType;
  /** Headers that a 200 of this operation may have, besides those of every response. */
  readonly answerHeaders?: readonly ErrorHeaderKey[];
  /** Errors of this operation besides those of every operation; their statuses follow from the table of errors. */
  readonly codes?: readonly ErrorCode[];
  /** Returns 503 while group-nodes are catching up (protocol 07 §1.13). */
  readonly synced?: boolean;
}

/** Facts about the operation of a route, for the server. */
export interface OperationRoute {
  readonly role: Role;
  /** Names of its parameters and of the fields of its body, and the header of the key. */
  readonly fields: ReadonlySet<string>;
}

/** Members of the OpenAPI document: `openapi/` turns all but the role into responses, and publishes the role. */
export const extensions = {
  answerHeaders: 'x-answer-headers',
  codes: 'x-error-codes',
  synced: 'x-synced',
  role: 'x-role',
} as const;

const namesOf = (schema: object | undefined): readonly string[] => {
  if (schema === undefined) return [];
  if ('shape' in schema) return Object.keys(schema.shape as object);
  return 'options' in schema ? (schema.options as readonly object[]).flatMap(namesOf) : [];
};

/** Names in the schemas of the parameters, whose decorators have run before. */
const fieldsOf = (target: object, method: string | symbol): ReadonlySet<string> => {
  const taken = (Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, method) ?? {}) as Readonly<
    Record<string, { readonly schema?: object }>
  >;
  return new Set(['X-API-KEY', ...Object.values(taken).flatMap(({ schema }) => namesOf(schema))]);
};

const knownToServer =
  (role: Role): MethodDecorator =>
  (target, method, descriptor) => {
    const operation: OperationRoute = { role, fields: fieldsOf(target, method) };
    return RouteConfig({ operation })(target, method, descriptor);
  };

/** The operation in the configuration of a route; undefined for a page, health, metrics or an unknown route. */
export const operationOfRoute = (config: unknown): OperationRoute | undefined =>
  (config as { readonly operation?: OperationRoute } | undefined)?.operation;

/** The operation of a request; undefined for a page, health, metrics or an unknown route. */
export const operationOf = ({ routeOptions }: FastifyRequest): OperationRoute | undefined =>
  operationOfRoute(routeOptions.config);

/**
 * Declares a method of a controller as an operation of the API: its description in the OpenAPI document, status 200,
 * JSON. A returned text is JSON already. Requires an API key of its role, where there are keys.
 */
export const Operation = ({
  role,
  summary,
  description,
  answer,
  answerHeaders = [],
  codes = [],
  synced = false,
}: OperationDescription) =>
  applyDecorators(
    HttpCode(200),
    ApiIncludeEndpoint(),
    ApiOperation({ summary, ...(description === undefined ? {} : { description }) }),
    ApiExtension(extensions.answerHeaders, answerHeaders),
    ApiExtension(extensions.codes, codes),
    ApiExtension(extensions.synced, synced),
    ApiExtension(extensions.role, role),
    knownToServer(role),
    ...(answer
      ? [Header('content-type', 'application/json'), ApiOkResponse({ description: 'Done', standardSchema: answer })]
      : [ApiOkResponse({ description: 'Done; the answer is empty' })]),
  );
