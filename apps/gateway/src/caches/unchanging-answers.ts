import { Injectable } from '@nestjs/common';
import { softwareVersion } from '@shardnode/core/observability';
import { ApiSettings } from '../settings/api-settings.js';
import { fingerprintOf } from './fingerprint.js';
import { NearFirst } from './near-first.js';

/** Larger responses would evict too many others, and slow down the shared cache for all gateways. */
const largestBytes = 1024 * 1024;

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Cache of serialized responses that can no longer change (architecture, decision 16): content identified by a hash,
 * without anything that depends on later blocks, such as being on the main chain or a number of confirmations.
 */
@Injectable()
export class UnchangingAnswers {
  /** Fingerprint of all settings that shape a response. */
  private readonly fingerprint: string;

  constructor(
    private readonly caches: NearFirst,
    { network, profile, commit }: ApiSettings,
  ) {
    this.fingerprint = fingerprintOf({ network, profile, version: softwareVersion, commit });
  }

  /**
   * The JSON of a response, built when it is not cached. Errors are not cached: they may change, a 404 among them.
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
