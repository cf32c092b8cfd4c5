import { boundSize } from '@shardnode/core/eviction';
import { type Hash } from '@shardnode/protocol/primitives';
import { type RefusalName } from '@shardnode/protocol/validation';

/** A block that breaks a rule, and the name of the rule. */
export interface RefusedBlock {
  readonly hash: Hash;
  readonly rule: RefusalName;
}

/** Bound of refused blocks, and of blocks that depend on them: more than the pages of all chains (protocol 03 §12.5). */
const remembered = 2_000;

/**
 * Blocks and headers that a rule refused lately, and those that depend on them. A refused block is judged each time it
 * comes, because some verdicts change with time; what depends on it is refused unseen until then. Otherwise each pull
 * would buffer the rest of a sibling's chain again, and drop it again.
 */
export class RefusedBlocks {
  private readonly rules = new Map<Hash, RefusalName>();
  private readonly dependents = new Map<Hash, Hash>();

  /** Of a block that was judged. */
  add({ hash, rule }: RefusedBlock): void {
    this.dependents.delete(hash);
    // The latest is evicted last.
    this.rules.delete(hash);
    this.rules.set(hash, rule);
    boundSize(this.rules, remembered);
  }

  /** A block that cannot be judged, because it depends on `refused`. */
  addDependent(hash: Hash, refused: Hash): void {
    this.dependents.delete(hash);
    this.dependents.set(hash, refused);
    boundSize(this.dependents, remembered);
  }

  /** A rule does not refuse it any more: its dependents are free, too. */
  accepted(hash: Hash): void {
    this.rules.delete(hash);
  }

  /** The refused block that keeps this one away: itself, or one on which it depends. */
  of(hash: Hash): RefusedBlock | undefined {
    const refused = this.dependents.get(hash) ?? hash;
    const rule = this.rules.get(refused);
    return rule && { hash: refused, rule };
  }

  /** Whether it came before and was dropped. */
  hasSeen(hash: Hash): boolean {
    return this.rules.has(hash) || this.dependents.has(hash);
  }
}
