import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { type Span } from './span.js';

/** Context of the current request. It is passed on, over the bus too. */
export interface RequestContext {
  readonly requestId: string | undefined;
  /**
   * Name of the client that sent the request (`clientOfAddress`); absent when unknown. For shares of work and
   * pauses, never for rights.
   */
  readonly client?: string | undefined;
  /** The current span; absent without tracing. */
  readonly span?: Span | undefined;
}

const storage = new AsyncLocalStorage<RequestContext | undefined>();

/** Context of the current request, if any. */
export const currentContext = (): RequestContext | undefined => storage.getStore();

/** Id of the current request, if any. */
export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;

/** Runs `action`, and all it starts, in the context of another request, or of none. */
export const runInContext = <T>(context: RequestContext | undefined, action: () => T): T =>
  storage.getStore() === context ? action() : storage.run(context, action);

/**
 * Runs `action`, and all it starts, in the context of this request; without an id, or with the id already in force, it is
 * a plain call.
 */
export const runForRequest = <T>(request: Omit<RequestContext, 'span'>, action: () => T): T =>
  request.requestId === undefined || storage.getStore()?.requestId === request.requestId
    ? action()
    : storage.run(request, action);

const processPrefix = randomBytes(6).toString('hex');
let lastNumber = 0;

/** An id that is unique across the processes of the cluster; a counter, because it is made for every request. */
export const newRequestId = (): string => `${processPrefix}-${(++lastNumber).toString(36)}`;

/** Ids from outside are accepted only in this form, which prevents log injection. */
export const isRequestId = (text: unknown): text is string =>
  typeof text === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(text);

/** Names of clients from messages are accepted only in this form, that of addresses and their first bits. */
export const isClientName = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f.:/]{1,64}$/.test(text);

/** The client's request id if it has that form; otherwise a new one. */
export const requestIdOf = (given: unknown): string => (isRequestId(given) ? given : newRequestId());
