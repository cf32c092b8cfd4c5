/**
 * Node's options for a service. Objects of requests in flight outlive the default young generation of 16 megabytes, and
 * copying them is a tenth of the work of a busy service. The image (`NODE_OPTIONS` in the `Dockerfile`), `npm start`
 * and the programs that start services use the same options.
 */
export const engineOptions: readonly string[] = ['--max-semi-space-size=32'];
