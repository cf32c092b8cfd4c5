import { Injectable } from '@nestjs/common';
import { softwareVersion } from '@shardnode/core/observability';
import { ApiSettings } from '../settings/api-settings.js';
import { fingerprintOf } from './fingerprint.js';
import { NearFirst } from './near-first.js';

/** Larger answers would crowd out too many others, and slow down the shared cache for everybody. */
const largestBytes = 1024 * 1024;

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Ready-made bytes of answers that can no longer change (architecture, decision 16): content that a hash names, and nothing
 * that depends on what else is known, as being on the main chain or a number of confirmations do.
 */
@Injectable()
export class UnchangingAnswers {
  /** Of all that shapes an answer. */
  private readonly fingerprint: string;

  constructor(
    private readonly caches: NearFirst,
    { network, profile, commit }: ApiSettings,
  ) {
    this.fingerprint = fingerprintOf({ network, profile, version: softwareVersion, commit });
  }

  /**
   * The JSON of an answer, made where it is not remembered. Only answers are remembered: errors, a 404 among them, may change.
   * @param name of the operation, without a colon
   */
  async json(name: string, hash: string, make: () => Promise<unknown>): Promise<Buffer> {
    const key = `answer:${this.fingerprint}:${name}:${hash}`;
    const known = await this.caches.fact(key);
    if (known) return asBuffer(known);
    const made = Buffer.from(JSON.stringify(await make()));
    if (made.length <= largestBytes) await this.caches.remember(key, made);
    return made;
  }
}
