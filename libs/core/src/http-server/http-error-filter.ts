import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { throwError, type Observable } from 'rxjs';
import { httpStatusOfKind, ServiceError } from '../errors/index.js';
import { type Logger } from '../observability/index.js';
import { InvalidRequestError } from './schema-pipe.js';
import { type RouteTable } from './route-table.js';
import { type ErrorBody } from './settings.js';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const answer = (
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): ErrorAnswer => ({ status, body, headers });

const answerOfServiceError = (error: ServiceError): ErrorAnswer => {
  const { resource, ...data } = error.data;
  const { retryAfterSeconds } = error.data;
  return answer(
    httpStatusOfKind[error.kind],
    {
      // The document puts it first (07 §1.9).
      ...(resource === undefined ? {} : { resource }),
      detail: error.detail,
      code: error.code,
      ...data,
      ...(error instanceof InvalidRequestError ? { issues: error.issues } : {}),
    },
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  );
};

/** Errors of the framework: too large a body, a malformed path, ... */
const answerOfHttpException = (error: HttpException, bodyLimit: number): ErrorAnswer => {
  const status = error.getStatus();
  if (status === 413)
    return answer(413, { detail: `The body is larger than ${bodyLimit} bytes`, code: 'BodyTooLarge' });
  return answer(status, status >= 500 ? { detail: 'Internal server error' } : { detail: error.message });
};

export const answerOfError = (error: unknown, bodyLimit: number): ErrorAnswer => {
  if (error instanceof ServiceError) return answerOfServiceError(error);
  if (error instanceof HttpException) return answerOfHttpException(error, bodyLimit);
  return answer(500, { detail: 'Internal server error', code: 'InternalServerError' });
};

/** A path that is not known (404), or not with this method (405). */
export const answerOfNoRoute = (method: string, path: string, routes: RouteTable): ErrorAnswer => {
  const methods = routes.methodsOf(path);
  return methods.length > 0
    ? answer(405, { detail: `${method} is not allowed here, only ${methods.join(', ')}` }, { allow: methods.join(',') })
    : answer(404, { detail: 'Resource not found' });
};

/** The default form of an error's body. */
export const withRequestId: ErrorBody = (body, requestId) => ({ ...body, requestId });

/** The one place where errors become answers. On the bus it hands errors on as they are (see `BusServer`). */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly routes: RouteTable,
    private readonly bodyLimit: number,
    private readonly errorBody: ErrorBody = withRequestId,
  ) {}

  catch(error: unknown, host: ArgumentsHost): Observable<never> | void {
    if (host.getType() === 'rpc') return throwError(() => error);
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const path = request.url.split('?', 1)[0] ?? '/';
    const { status, headers, body } = request.is404
      ? answerOfNoRoute(request.method, path, this.routes)
      : answerOfError(error, this.bodyLimit);
    if (status === 500) this.logger.error({ err: error, requestId: request.id, path }, 'request failed');
    if (reply.sent) return;
    void reply.code(status).headers(headers).send(this.errorBody(body, request.id));
  }
}
