import { createHash } from 'node:crypto';
import { type ChainPullReply, type SentBlock, type SentEvent, type FeedPlace } from '@shardnode/messages';
import { decodeBlock } from '@shardnode/protocol/block';
import { type ChainIndex } from '@shardnode/protocol/primitives';

/** Limit of protocol 09 §4.3. */
const mostLocators = 32;

export interface FollowedBlock {
  readonly hash: string;
  readonly raw: Uint8Array;
  readonly events: readonly SentEvent[];
}

/** A reply that contradicts itself, or the protocol. */
class WrongReply extends Error {}

const check = (isRight: boolean, problem: string): void => {
  if (!isRight) throw new WrongReply(problem);
};

/** The canonical blocks of a chain as a follower has them, by height. */
export class FollowedChain {
  readonly blocks: FollowedBlock[] = [];
  /** Blocks that were replaced so far. */
  undone = 0;

  constructor(
    readonly chain: ChainIndex,
    private readonly groups: number,
  ) {}

  get head(): FeedPlace | undefined {
    const last = this.blocks.at(-1);
    return last && { height: this.blocks.length - 1, hash: last.hash };
  }

  /** Dense at the top, with growing distances below, and genesis. */
  locators(): FeedPlace[] {
    const heights: number[] = [];
    let step = 1;
    for (let height = this.blocks.length - 1; height > 0 && heights.length < mostLocators - 1; height -= step) {
      heights.push(height);
      if (heights.length > 4) step *= 2;
    }
    if (this.blocks.length > 0) heights.push(0);
    return heights.map((height) => ({ height, hash: this.blocks[height]!.hash }));
  }

  /** Undoes the blocks above the fork and applies those of the reply. `bytesOf`: the bytes of a block. */
  async apply(reply: ChainPullReply, bytesOf: (block: SentBlock) => Promise<Uint8Array>): Promise<void> {
    const { fork, blocks } = reply;
    if (fork) check(this.blocks[fork.height]?.hash === fork.hash, 'the fork is no block of ours');
    const next: FollowedBlock[] = [];
    let previous = fork ?? undefined;
    for (const block of blocks) {
      const raw = await bytesOf(block);
      this.checkBlock(block, raw, previous);
      next.push({ hash: block.hash, raw, events: block.events ?? [] });
      previous = block;
    }
    const keep = fork ? fork.height + 1 : 0;
    this.undone += this.blocks.length - keep;
    this.blocks.splice(keep, this.blocks.length, ...next);
  }

  private checkBlock({ hash, height }: SentBlock, raw: Uint8Array, previous: FeedPlace | undefined): void {
    const { header } = decodeBlock(raw, this.groups, { genesis: 'accepted' });
    const { from, to } = header.chainIndex;
    check(header.hash === hash, `block ${hash} has another hash`);
    check(from === this.chain.from && to === this.chain.to, `block ${hash} is of another chain`);
    check(height === (previous ? previous.height + 1 : 0), `block ${hash} has another height`);
    // The out-deps follow the in-deps; that of the chain is the parent.
    const parent = header.blockDeps[this.groups - 1 + to];
    check(!previous || parent === previous.hash, `block ${hash} has another parent`);
  }
}

/** The bytes of a block that came in parts. */
export const checkedParts = ({ hash, size, sha256 }: SentBlock, parts: readonly Uint8Array[]): Uint8Array => {
  const raw = new Uint8Array(Buffer.concat(parts));
  check(raw.length === size, `block ${hash} has ${raw.length} bytes`);
  check(createHash('sha256').update(raw).digest('hex') === sha256, `block ${hash} has another checksum`);
  return raw;
};
