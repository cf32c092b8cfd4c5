import { applyDecorators, Header, HttpCode } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension, ApiIncludeEndpoint, ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { type z } from 'zod';
import { defaultOpenness, type RouteOpenness } from '@shardnode/core/http-server';

export interface OperationDescription {
  /** One line. */
  readonly summary: string;
  readonly description?: string;
  readonly answer: z.ZodType;
  /** Whether the thing may be missing: 404. */
  readonly mayBeMissing?: boolean;
  /** Whether the header `X-Next-Cursor` leads to the next part. */
  readonly hasCursor?: boolean;
  /** Default: JSON. */
  readonly mediaType?: string;
  /** Whether pages of other origins are refused; default: its data is public. */
  readonly isForOwnPage?: boolean;
}

/** Members of the OpenAPI document that `openapi/` turns into responses. */
export const extensions = {
  mayBeMissing: 'x-may-be-missing',
  hasCursor: 'x-has-cursor',
} as const;

/** Which requests of pages of other origins a route answers, by its configuration. */
export const opennessOf = (config: unknown): RouteOpenness => ({
  ...defaultOpenness,
  toAnyOrigin: (config as { readonly isForOwnPage?: boolean } | undefined)?.isForOwnPage !== true,
});

/** Whether a request is one of the API: not for a page, health, metrics or an unknown route. */
export const isOperation = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as { readonly isForOwnPage?: boolean } | undefined)?.isForOwnPage !== undefined;

/** Declares a method of a controller as an operation of the API. A returned text is sent as it is. */
export const Operation = ({
  summary,
  description,
  answer,
  mayBeMissing = false,
  hasCursor = false,
  mediaType = 'application/json',
  isForOwnPage = false,
}: OperationDescription) =>
  applyDecorators(
    HttpCode(200),
    RouteConfig({ isForOwnPage }),
    ApiIncludeEndpoint(),
    ApiOperation({ summary, ...(description === undefined ? {} : { description }) }),
    ApiExtension(extensions.mayBeMissing, mayBeMissing),
    ApiExtension(extensions.hasCursor, hasCursor),
    Header('content-type', mediaType),
    ApiProduces(mediaType),
    ApiOkResponse({ description: 'Done', standardSchema: answer }),
  );
