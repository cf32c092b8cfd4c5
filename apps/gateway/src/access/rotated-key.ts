import { createHash, timingSafeEqual } from 'node:crypto';
import { type SecretReader } from '@shardnode/core/configuration';
import { type Clock, systemClock, type Timer } from '@shardnode/core/lifecycle';
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
  /** Default: that of the machine. */
  readonly clock?: Pick<Clock, 'monotonic' | 'after'>;
}

/** The current key of a role and, for a while after a rotation, the former one. Stores only their digests. */
export class RotatedKey {
  private readonly overlapMs: number;
  private readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  private current: Uint8Array | undefined;
  /** The newest valid key: a file without a key for a moment does not replace the former key. */
  private newest: Uint8Array | undefined;
  private former: { readonly digest: Uint8Array; readonly until: number } | undefined;
  private readAt: number;
  private timer: Timer | undefined;

  constructor(
    private readonly configured: ApiKey,
    { overlapMs = 0, clock = systemClock }: ApiKeyOptions = {},
  ) {
    this.overlapMs = overlapMs;
    this.clock = clock;
    this.readAt = clock.monotonic();
    this.newest = this.current = this.read();
    // Checked without requests too: the time of the former key begins with the new one.
    if (typeof configured === 'function' && overlapMs > 0) this.lookAgain();
  }

  /** Compares the digest of a key in constant time. */
  has(hash: Uint8Array): boolean {
    this.look();
    const { current, former } = this;
    if (!current) return false;
    const isCurrent = timingSafeEqual(current, hash);
    const isFormer =
      former !== undefined && timingSafeEqual(former.digest, hash) && this.clock.monotonic() < former.until;
    return isCurrent || isFormer;
  }

  close(): void {
    this.timer?.cancel();
  }

  private lookAgain(): void {
    this.timer = this.clock.after(readAgainAfter, () => {
      this.look();
      this.lookAgain();
    });
  }

  private look(): void {
    if (typeof this.configured !== 'function') return;
    const now = this.clock.monotonic();
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
