import { createHash } from 'node:crypto';

/** A short text that differs for all that differs in `parts`: the part of a shared key that keeps strangers apart. */
export const fingerprintOf = (parts: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(parts, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)))
    .digest('base64url')
    .slice(0, 22);
