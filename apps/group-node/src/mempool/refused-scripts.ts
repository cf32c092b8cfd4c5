import { boundSize } from '@shardnode/core/cache';
import { type ServiceError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { type Hash } from '@shardnode/protocol/primitives';

/** Milliseconds: a script sees the time of the block that it would be in, and that moves on. */
const remembersFor = 1_000;
/** Refusals, and characters of one of them: it quotes the transaction in hexadecimal, and values that the script had. */
const most = { refusals: 256, characters: 100_000 };

interface RefusedScript {
  readonly error: ServiceError;
  readonly until: number;
}

/**
 * Submits whose script has failed, for a moment and as long as there are no other blocks: who sends the same bytes again is
 * given the same answer, and the script, which may take some 50 ms of the writer's turn, does not run again.
 */
export class RefusedScripts {
  private readonly errors = new Map<Hash, RefusedScript>();
  private tips = '';

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** `best`: the dependencies that a block would have now. */
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
