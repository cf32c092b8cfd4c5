import { type z } from 'zod';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What the description of the API says of an endpoint; an endpoint itself is one, so nothing is said twice. */
export interface EndpointDescription {
  readonly method: HttpMethod;
  /** `/wallets/{wallet_name}/lock` */
  readonly path: string;
  readonly tag: string;
  /** One line. */
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Absent: the answer is empty. */
  readonly answer?: z.ZodType;
  /** Statuses of errors besides 400, 401, 500 and 503. */
  readonly errors?: readonly number[];
}
