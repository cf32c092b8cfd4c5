import { boundSize } from '@shardnode/core/eviction';
import { type ServiceError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { type Hash } from '@shardnode/protocol/primitives';

/** Milliseconds that a refusal is cached: a script sees the time of its block, which advances. */
const remembersFor = 1_000;
/**
 * Bounds of cached refusals, and of the characters of one: it quotes the transaction in hexadecimal, and values of the
 * script.
 */
const most = { refusals: 256, characters: 100_000 };

interface RefusedScript {
  readonly error: ServiceError;
  readonly until: number;
}

/**
 * Cache of submits whose script failed, valid for a moment and until the next block. A repeated submit of the same
 * bytes gets the same error, and its script, which may run for some 50 ms, does not run again.
 */
export class RefusedScripts {
  private readonly errors = new Map<Hash, RefusedScript>();
  private tips = '';

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** `best`: the dependencies of a block made now. */
  errorOf(raw: Uint8Array, best: readonly Hash[]): ServiceError | undefined {
    this.forgetOthers(best);
    if (this.errors.size === 0) return undefined;
    const known = this.errors.get(blake2bHash(raw));
    return known && this.clock.monotonic() < known.until ? known.error : undefined;
  }

  add(raw: Uint8Array, best: readonly Hash[], error: ServiceError): void {
    this.forgetOthers(best);
    if (error.message.length + 2 * raw.length > most.characters) return;
    const id = blake2bHash(raw);
    this.errors.delete(id);
    this.errors.set(id, { error, until: this.clock.monotonic() + remembersFor });
    boundSize(this.errors, most.refusals);
  }

  private forgetOthers(best: readonly Hash[]): void {
    const tips = best.join();
    if (tips === this.tips) return;
    this.tips = tips;
    this.errors.clear();
  }
}
