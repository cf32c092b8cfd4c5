/** What we use of the load generator, which brings no types. */
declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly method: 'GET' | 'POST';
    readonly connections: number;
    /** Seconds. */
    readonly duration?: number;
    /** Requests, in place of a duration. */
    readonly amount?: number;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly workers?: number;
  }
  interface Result {
    readonly non2xx: number;
    readonly errors: number;
    readonly requests: { readonly average: number };
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number };
  }
  function autocannon(options: Options): Promise<Result>;
  export = autocannon;
}
