/** Kinds of errors in responses of a service; the gateway maps each to one HTTP status. */
export const errorKinds = [
  'refused', // the rules of the chain or of this node say no: 400
  'invalid-request', // undecodable or out of bounds: 400
  'unauthorized', // 401
  'forbidden', // 403: whoever asks may not, with whatever key
  'not-found', // 404
  'conflict', // 409
  'throttled', // 429, with retryAfterSeconds
  'unavailable', // 503: a part that is needed does not answer or is not ready
  'timed-out', // 504: it would take longer than it may
  'broken', // 500: a fault on our side
] as const;
export type ErrorKind = (typeof errorKinds)[number];

/** JSON data of an error on the bus: group number, retryAfterSeconds, field ... Never a secret. */
export type ErrorData = Readonly<Record<string, string | number | boolean>>;

/** The one error type between services: kind, stable code, a text for people, data. It survives the bus. */
export class ServiceError extends Error {
  constructor(
    readonly kind: ErrorKind,
    /** Stable name, e.g. `MempoolFull`, `InvalidSignature`, `WalletLocked`. */
    readonly code: string,
    readonly detail: string,
    readonly data: ErrorData = {},
  ) {
    super(detail);
    this.name = 'ServiceError';
  }
}
