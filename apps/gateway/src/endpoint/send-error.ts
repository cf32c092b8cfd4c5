import { PayloadTooLargeException } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ServiceError } from '@shardnode/core/errors';
import { answerOfError, errorHeaders, headersOf, type ErrorBody } from '@shardnode/core/http-server';
import { type Logger } from '@shardnode/core/observability';
import { errorOf, lessonOf, type Brand, type FailedRequest } from '@shardnode/http';
import { type Endpoint } from './endpoint.js';

export interface ErrorPorts {
  readonly logger: Logger;
  readonly errorBody: ErrorBody;
  readonly bodyLimit: number;
  readonly brand: Brand;
}

const fieldHeader = errorHeaders.field.name.toLowerCase();

/** Errors of the server itself say their status; below 500 they are the client's. */
const asHttpError = (error: unknown): unknown => {
  const { statusCode } = error as { statusCode?: unknown };
  if (error instanceof ServiceError || typeof statusCode !== 'number' || statusCode >= 500) return error;
  if (statusCode === 413) return new PayloadTooLargeException();
  return errorOf('MalformedRequest', (error as Error).message);
};

const namesOf = (schema: object | undefined): readonly string[] => {
  if (schema === undefined) return [];
  if ('shape' in schema) return Object.keys(schema.shape as object);
  return 'options' in schema ? (schema.options as readonly object[]).flatMap(namesOf) : [];
};

/** Names of what a request may hold, the header of the key with it. */
const fieldsOf = ({ params, query, body }: Endpoint): ReadonlySet<string> =>
  new Set(['X-API-KEY', ...[params, query, body].flatMap(namesOf)]);

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Answers errors of one endpoint: status, documented body, and headers with what the table of errors teaches. */
export const errorSender = (
  endpoint: Endpoint,
  ports: ErrorPorts,
): ((error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<void>) => {
  const { method, path, tag } = endpoint;
  const about = { call: `${method} ${path}`, tag, fields: fieldsOf(endpoint), brand: ports.brand };
  return async (error, request, reply) => {
    const { status, headers, body } = answerOfError(asHttpError(error), ports.bodyLimit);
    if (status === 500) ports.logger.error({ err: error, requestId: request.id }, 'request failed');
    const sent = [request.body, request.query, request.params].map(asObject);
    const failed: FailedRequest = { ...about, known: Object.assign({}, ...sent, body) as FailedRequest['known'] };
    const { [fieldHeader]: told, ...others } = headers;
    void reply
      .code(status)
      .headers({ ...others, ...headersOf(lessonOf(String(body.code), failed, told)) })
      .type('application/json')
      .send(JSON.stringify(ports.errorBody(body, request.id)));
  };
};
