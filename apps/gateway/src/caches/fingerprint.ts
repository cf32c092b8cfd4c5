import { createHash } from 'node:crypto';

/** A short text that differs whenever `parts` differ: a part of shared keys that separates networks. */
export const fingerprintOf = (parts: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(parts, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)))
    .digest('base64url')
    .slice(0, 22);
