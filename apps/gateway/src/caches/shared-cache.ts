/** Injects the `Cache` that all gateways share; undefined: each gateway has only its own. */
export const sharedCache = Symbol('cache that all gateways share');
