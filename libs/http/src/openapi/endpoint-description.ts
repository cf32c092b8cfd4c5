import { type z } from 'zod';
import { type ErrorCode } from '../errors/index.js';

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Values by the name of their parameter; undefined: there is none that works. */
type ExampleValues = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * A request that works on the development network. The page of the description fills in the required parameters and the body;
 * "try it out" sends just that.
 */
export interface EndpointExample {
  readonly params?: ExampleValues;
  /** Required parameters only: an optional one that is filled in asks another question. */
  readonly query?: ExampleValues;
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
