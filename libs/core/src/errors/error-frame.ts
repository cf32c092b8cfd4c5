import { coreError } from './error-names.js';
import { errorKinds, ServiceError, type ErrorData, type ErrorKind } from './service-error.js';

/** A ServiceError as it travels: the kind in the header `X-Error`, the rest in the body (architecture, decision 2). */
export interface ErrorFrame {
  readonly kind: ErrorKind;
  readonly body: { readonly code: string; readonly detail: string; readonly data: ErrorData };
}

export const errorHeader = 'X-Error';

export const frameOfError = (error: ServiceError): ErrorFrame => ({
  kind: error.kind,
  body: { code: error.code, detail: error.detail, data: error.data },
});

/** The body of an error for callers that are no services of ours; `kind` is for ours (09-cluster §2). */
export interface PublicErrorBody {
  readonly error: Readonly<Record<string, string | number | boolean>> & {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
    readonly kind: ErrorKind;
  };
}

export const publicBodyOfError = ({ kind, code, detail, data }: ServiceError, retryable: boolean): PublicErrorBody => ({
  error: { ...data, code, message: detail, retryable, kind },
});

const isErrorKind = (kind: string): kind is ErrorKind => (errorKinds as readonly string[]).includes(kind);

/** An unknown kind (of a newer service) becomes `broken`, never a refusal. */
export const errorOfFrame = (frame: { readonly kind: string; readonly body: ErrorFrame['body'] }): ServiceError =>
  new ServiceError(
    isErrorKind(frame.kind) ? frame.kind : 'broken',
    frame.body.code,
    frame.body.detail,
    frame.body.data ?? {},
  );

/** The response to a fault of the service itself. It holds no details; these are in the log under the request id. */
export const brokenError = (requestId?: string): ServiceError =>
  coreError('InternalServerError', 'Internal server error', requestId ? { requestId } : {});
