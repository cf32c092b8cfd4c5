import { type z } from 'zod';
import { type ErrorCode } from '../errors/index.js';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A request that works on the development network, and what it answers there; the page of the description fills it in. */
export interface EndpointExample {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  readonly answer?: unknown;
}

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
  readonly example?: EndpointExample;
  /** Answers 503 while group-nodes are catching up (protocol 07 §1.13). */
  readonly synced?: boolean;
  /** Errors that it gives besides those of every endpoint; their statuses follow from the table. */
  readonly codes?: readonly ErrorCode[];
}
