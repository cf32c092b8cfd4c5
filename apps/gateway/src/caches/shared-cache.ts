/** Injects what all gateways share, a `Cache`; undefined where each remembers for itself. */
export const sharedCache = Symbol('cache that all gateways share');
