/** The services that speak on the bus. */
export type ServiceName = 'gateway' | 'group-node' | 'wallet-service' | 'explorer';

/** Type-level pair of a request and its reply. */
export interface RequestDefinition<Request, Reply> {
  readonly request: Request;
  readonly reply: Reply;
}

/** What the table says of a request at run time. */
export interface RequestRow {
  readonly senders: readonly ServiceName[];
  /** Milliseconds; a caller that gets no answer in time gets `unavailable`. */
  readonly deadlineMs: number;
}

export type RequestTable<Requests> = { readonly [Name in keyof Requests]: RequestRow };

export const requestTable = <Requests>(rows: RequestTable<Requests>): RequestTable<Requests> => rows;
