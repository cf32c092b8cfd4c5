import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { throwError, type Observable } from 'rxjs';
import { type CoreErrorName, httpStatusOfKind, retryAfterSecondsOfKind, ServiceError } from '../errors/index.js';
import { type Logger } from '../observability/index.js';
import { beginningOf } from './beginning.js';
import { headersOf } from './error-headers.js';
import { type RouteTable } from './route-table.js';
import { type ErrorBody, type ErrorHeaders } from './settings.js';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const answer = (
  status: number,
  said: { readonly detail: string; readonly code: CoreErrorName },
  headers: Readonly<Record<string, string>> = {},
): ErrorAnswer => ({ status, body: said, headers: { ...headersOf(said), ...headers } });

const internalServerError = (): ErrorAnswer =>
  answer(500, { detail: 'Internal server error', code: 'InternalServerError' });

const answerOfServiceError = (error: ServiceError): ErrorAnswer => {
  const { resource, ...data } = error.data;
  const body = {
    // First, as in the protocol (07 §1.9).
    ...(resource === undefined ? {} : { resource }),
    detail: error.detail,
    code: error.code,
    ...data,
  };
  const status = httpStatusOfKind[error.kind];
  const retryAfterSeconds = data.retryAfterSeconds ?? retryAfterSecondsOfKind[error.kind];
  return { status, body, headers: headersOf({ ...data, retryAfterSeconds, code: error.code }) };
};

/** Response to errors of the framework or the server: body too large, malformed request ... */
const answerOfStatus = (status: number, message: string, bodyLimit: number): ErrorAnswer => {
  if (status >= 500) return internalServerError();
  return status === 413
    ? answer(413, { detail: `The body is larger than ${bodyLimit} bytes`, code: 'BodyTooLarge' })
    : answer(status, { detail: message, code: 'MalformedRequest' });
};

/** Nest has a method, Fastify a field. */
const statusOf = (error: unknown): number => {
  if (error instanceof HttpException) return error.getStatus();
  const { statusCode } = error as { readonly statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : 500;
};

export const answerOfError = (error: unknown, bodyLimit: number): ErrorAnswer => {
  if (error instanceof ServiceError) return answerOfServiceError(error);
  return error instanceof Error ? answerOfStatus(statusOf(error), error.message, bodyLimit) : internalServerError();
};

/** Response to a malformed path. */
export const answerOfMalformedPath = (): ErrorAnswer =>
  answer(400, { detail: 'The path is not percent-encoded UTF-8, or is too long', code: 'MalformedPath' });

/** The text of `RouteNotFound`. `path`: without its query, where a secret may stand. */
export const noSuchPath = (path: string): string => `There is no path ${beginningOf(path)}`;

const descriptionPath = '/docs/openapi.json';

/** Response to an unknown path (404), or a path without this method (405). */
const answerOfNoRoute = (method: string, path: string, routes: RouteTable): ErrorAnswer => {
  const methods = routes.methodsOf(path);
  if (methods.length > 0) {
    const detail = `${method} is not allowed here, only ${methods.join(', ')}`;
    return answer(405, { detail, code: 'MethodNotAllowed' }, { allow: methods.join(',') });
  }
  const next = routes.methodsOf(descriptionPath).includes('GET') ? `GET ${descriptionPath}` : undefined;
  const said = { detail: noSuchPath(path), code: 'RouteNotFound' satisfies CoreErrorName };
  return { status: 404, body: said, headers: headersOf({ ...said, next }) };
};

/** The default form of an error's body. */
export const withRequestId: ErrorBody = (body, requestId) => ({ ...body, requestId });

/** The only place that turns errors into responses. On the bus it passes errors on unchanged (see `BusServer`). */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly routes: RouteTable,
    private readonly bodyLimit: number,
    private readonly errorBody: ErrorBody = withRequestId,
    private readonly errorHeaders: ErrorHeaders = (_body, _request, headers) => headers,
  ) {}

  catch(error: unknown, host: ArgumentsHost): Observable<never> | void {
    if (host.getType() === 'rpc') return throwError(() => error);
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const path = request.url.split('?', 1)[0] ?? '/';
    // A hook may refuse a request without a route.
    const { status, headers, body } =
      request.is404 && !(error instanceof ServiceError)
        ? answerOfNoRoute(request.method, path, this.routes)
        : answerOfError(error, this.bodyLimit);
    if (status === 500) this.logger.error({ err: error, requestId: request.id, path }, 'request failed');
    if (reply.sent) return;
    void reply
      .code(status)
      .headers(this.errorHeaders(body, request, headers))
      .type('application/json')
      .send(this.errorBody(body, request.id, path));
  }
}
