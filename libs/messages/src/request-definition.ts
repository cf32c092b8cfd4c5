import { type MessageSchema } from './message-schema.js';

/** Members of the bus: the services, and the operator's program. */
export type ServiceName = 'gateway' | 'group-node' | 'wallet-service' | 'explorer' | 'operator';

/** Type-level pair of a request and its reply. */
export interface RequestDefinition<Request, Reply> {
  readonly request: Request;
  readonly reply: Reply;
}

/** Row of a request in its table. */
export interface RequestRow<Request> {
  readonly senders: readonly ServiceName[];
  /** Milliseconds; after it the caller gets `unavailable`. */
  readonly deadlineMs: number;
  /** Schema of the payload; others are refused before the handler. */
  readonly schema: MessageSchema<Request>;
}

export type RequestTable<Requests> = {
  readonly [Name in keyof Requests]: Requests[Name] extends RequestDefinition<infer Request, unknown>
    ? RequestRow<Request>
    : never;
};

export const requestTable = <Requests>(rows: RequestTable<Requests>): RequestTable<Requests> => rows;
