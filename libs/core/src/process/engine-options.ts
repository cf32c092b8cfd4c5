/**
 * What Node is told when it starts a service: objects of requests that are under way outlive the 16 megabytes that a young
 * generation has by default, and copying them is a tenth of the work of a busy service. Image (`NODE_OPTIONS` in the
 * `Dockerfile`), `npm start` and the programs that start services agree on it.
 */
export const engineOptions: readonly string[] = ['--max-semi-space-size=32'];
