import { type MessageSchema } from './message-schema.js';

/** Who speaks on the bus: the services, and the program of whoever operates the network. */
export type ServiceName = 'gateway' | 'group-node' | 'wallet-service' | 'explorer' | 'operator';

/** Type-level pair of a request and its reply. */
export interface RequestDefinition<Request, Reply> {
  readonly request: Request;
  readonly reply: Reply;
}

/** What the table says of a request at run time. */
export interface RequestRow<Request> {
  readonly senders: readonly ServiceName[];
  /** Milliseconds; a caller that gets no answer in time gets `unavailable`. */
  readonly deadlineMs: number;
  /** Refused before the handler sees it: what does not look like this. */
  readonly schema: MessageSchema<Request>;
}

export type RequestTable<Requests> = {
  readonly [Name in keyof Requests]: Requests[Name] extends RequestDefinition<infer Request, unknown>
    ? RequestRow<Request>
    : never;
};

export const requestTable = <Requests>(rows: RequestTable<Requests>): RequestTable<Requests> => rows;
