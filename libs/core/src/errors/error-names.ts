import { type ErrorData, type ErrorKind, ServiceError } from './service-error.js';

/** Names of errors with their kinds. Each service makes its errors of such a table, so that no name is given that has no row. */
export type ErrorKinds = Readonly<Record<string, ErrorKind>>;

/** A maker of the errors of a table. */
export const errorsOf =
  <const Kinds extends ErrorKinds>(kinds: Kinds) =>
  (name: keyof Kinds & string, detail: string, data?: ErrorData): ServiceError =>
    new ServiceError(kinds[name]!, name, detail, data);

/** Errors of the bus, and of every service. */
export const busErrorKinds = {
  NoResponder: 'unavailable',
  DeadlineExceeded: 'unavailable',
  BusUnavailable: 'unavailable',
  Overloaded: 'unavailable',
  Stopping: 'unavailable',
  InvalidMessage: 'invalid-request',
  AnswerTooLarge: 'refused',
  MessageTooLarge: 'broken',
  UnencodableMessage: 'broken',
  UndecodableReply: 'broken',
  SenderNotPermitted: 'broken',
  InternalServerError: 'broken',
} as const satisfies ErrorKinds;

/** Errors of the HTTP server before a handler sees the request. */
export const serverErrorKinds = {
  RouteNotFound: 'not-found',
  MethodNotAllowed: 'invalid-request',
  MalformedPath: 'invalid-request',
  MalformedRequest: 'invalid-request',
  RequestTimeout: 'invalid-request',
  HeadersTooLarge: 'invalid-request',
  BodyTooLarge: 'invalid-request',
  InvalidBody: 'invalid-request',
  TooManyRequests: 'throttled',
  ServerBusy: 'unavailable',
  ForeignOrigin: 'forbidden',
  ForeignHost: 'forbidden',
} as const satisfies ErrorKinds;

const coreErrorKinds = { ...busErrorKinds, ...serverErrorKinds };

/** The name of an error that this library makes. */
export type CoreErrorName = keyof typeof coreErrorKinds;

/** An error of this library. */
export const coreError = errorsOf(coreErrorKinds);
