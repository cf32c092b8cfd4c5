/** Types of the used part of the load generator, which brings none. */
declare module 'autocannon' {
  interface Request {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }
  interface Client {
    setRequests(requests: readonly Request[]): void;
  }
  interface Options {
    readonly url: string;
    readonly method?: 'GET' | 'POST';
    readonly connections: number;
    /** Seconds. */
    readonly duration?: number;
    /** Requests, in place of a duration. */
    readonly amount?: number;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** In turns, in place of one. */
    readonly requests?: readonly Request[];
    readonly workers?: number;
    /** Called for each connection, where the generator has no threads of its own. */
    readonly setupClient?: (client: Client) => void;
  }
  interface Result {
    readonly non2xx: number;
    readonly errors: number;
    readonly requests: { readonly average: number; readonly total: number };
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number };
  }
  function autocannon(options: Options): Promise<Result>;
  export = autocannon;
}
