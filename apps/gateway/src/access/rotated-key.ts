import { createHash, timingSafeEqual } from 'node:crypto';
import { type SecretReader } from '@shardnode/core/configuration';
import { apiKeyMinLength } from '../settings/configuration.js';

/** The key of the clients. A function is called periodically: its file may contain a new key. */
export type ApiKey = string | SecretReader;

/** Milliseconds after which a new key in the file is valid. */
const readAgainAfter = 1_000;

/** The form in which keys are compared. */
export const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();

export interface ApiKeyOptions {
  /** Milliseconds for which the former key stays valid after a change of its file; default 0. */
  readonly overlapMs?: number;
  /** Milliseconds, monotonic. */
  readonly now?: () => number;
}

/** The current key of a role and, for a while after a rotation, the former one. Stores only their digests. */
export class RotatedKey {
  private readonly overlapMs: number;
  private readonly now: () => number;
  private current: Uint8Array | undefined;
  /** The newest valid key: a file without a key for a moment does not replace the former key. */
  private newest: Uint8Array | undefined;
  private former: { readonly digest: Uint8Array; readonly until: number } | undefined;
  private readAt: number;
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly configured: ApiKey,
    { overlapMs = 0, now = () => performance.now() }: ApiKeyOptions = {},
  ) {
    this.overlapMs = overlapMs;
    this.now = now;
    this.readAt = now();
    this.newest = this.current = this.read();
    if (typeof configured !== 'function' || overlapMs === 0) return;
    // Checked without requests too: the time of the former key begins with the new one.
    this.timer = setInterval(() => this.look(), readAgainAfter).unref();
  }

  /** Compares the digest of a key in constant time. */
  has(hash: Uint8Array): boolean {
    this.look();
    const { current, former } = this;
    if (!current) return false;
    const isCurrent = timingSafeEqual(current, hash);
    const isFormer = former !== undefined && timingSafeEqual(former.digest, hash) && this.now() < former.until;
    return isCurrent || isFormer;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    if (typeof this.configured !== 'function') return;
    const now = this.now();
    if (now - this.readAt < readAgainAfter) return;
    this.readAt = now;
    const { newest } = this;
    this.current = this.read();
    if (!this.current) return;
    this.newest = this.current;
    if (newest && !timingSafeEqual(newest, this.current)) {
      this.former = { digest: newest, until: now + this.overlapMs };
    }
  }

  private read(): Uint8Array | undefined {
    const { configured } = this;
    const isFile = typeof configured === 'function';
    const key = isFile ? configured() : configured;
    // A file with a text that is too short is a mistake: it admits no client.
    return key === undefined || (isFile && key.length < apiKeyMinLength) ? undefined : digest(key);
  }
}
