import { type Block, genesisBlocks } from '@shardnode/protocol/block';
import { decode, hexToBytes } from '@shardnode/protocol/encoding';
import { allChainIndexes, type ChainIndex, flatIndex } from '@shardnode/protocol/primitives';
import { valsCodec } from '@shardnode/protocol/script';
import { blockOf, type History, outcomeText, type ReplayTarget } from '@shardnode/testing/replay';
import { type FeedBlock, type Index } from '../../src/index.js';

/** Blocks of one transaction of the index (protocol 08 §4.5). */
const batchBlocks = 500;

interface KnownBlock {
  readonly block: Block;
  readonly height: number;
}

/** A change of the index: one more block of a chain, or blocks in the place of those above a height. */
interface Step {
  readonly chain: ChainIndex;
  readonly forkHeight?: number;
  readonly blocks: readonly FeedBlock[];
}

const byTime = (groups: number) => (a: Step, b: Step) => {
  const [first, second] = [a, b].map(({ blocks }) => blocks[0]!.block.header.timestamp) as [bigint, bigint];
  if (first !== second) return first < second ? -1 : 1;
  return flatIndex(a.chain, groups) - flatIndex(b.chain, groups);
};

/** A node that imports a history, and an index that follows its main chains. */
export class FollowedNode {
  private readonly groups: number;
  private readonly chains: readonly ChainIndex[];
  /** Imported blocks of each chain, by height. */
  private readonly known: KnownBlock[][];
  /** Blocks of each chain that the index has applied, by height. */
  private readonly applied: Block[][];
  private imported = 0;

  constructor(
    private readonly history: History,
    private readonly node: ReplayTarget,
    private readonly index: Index,
  ) {
    this.groups = history.settings.groups;
    this.chains = allChainIndexes(this.groups);
    this.known = genesisBlocks(history.settings).map((block) => [{ block, height: 0 }]);
    this.applied = this.chains.map(() => []);
  }

  /** Imports the first blocks of the history, those that are not imported yet. */
  async importUpTo(count: number): Promise<void> {
    for (; this.imported < count; this.imported++) {
      const line = this.history.blocks[this.imported]!;
      const outcome = outcomeText(await this.node.importBlock(hexToBytes(line.raw)));
      if (outcome !== 'added') throw new Error(`line ${this.imported + 1} of the history: ${outcome}`);
      const block = blockOf(line.raw, this.history.settings);
      const known = { block, height: line.height };
      this.known[flatIndex(block.header.chainIndex, this.groups)]!.push(known);
    }
  }

  /** Imported blocks that are not on the main chain now. */
  async sideBlocks(): Promise<readonly Block[]> {
    const all = this.known.flat().filter(({ height }) => height > 0);
    const flags = await Promise.all(all.map(({ block }) => this.isCanonical(block)));
    return all.filter((_, i) => !flags[i]).map(({ block }) => block);
  }

  /**
   * Brings the index to the main chains of the node, in the order of the scheduler (protocol 08 §4.4): a chain that lost
   * blocks is reorganised when the first of its new ones is due, and is no shorter then.
   * @returns the blocks that the index has undone
   */
  async follow(): Promise<readonly Block[]> {
    const undone: Block[] = [];
    const steps: Step[] = [];
    for (const [flat, chain] of this.chains.entries()) {
      const canonical = await this.canonicalBlocks(flat);
      const applied = this.applied[flat]!;
      const same = canonical.findIndex(({ block }, height) => block.header.hash !== applied[height]?.header.hash);
      const kept = same === -1 ? canonical.length : same;
      const added = await Promise.all(canonical.slice(kept).map((known) => this.feedBlock(known)));
      undone.push(...applied.slice(kept));
      const replacing = added.slice(0, applied.length - kept);
      if (replacing.length > 0) steps.push({ chain, forkHeight: kept - 1, blocks: replacing });
      for (const block of added.slice(replacing.length)) steps.push({ chain, blocks: [block] });
      this.applied[flat] = canonical.map(({ block }) => block);
    }
    steps.sort(byTime(this.groups));
    await this.take(steps);
    return undone;
  }

  private async take(steps: readonly Step[]): Promise<void> {
    let batch: FeedBlock[] = [];
    const applyBatch = async (): Promise<void> => {
      await this.index.apply(batch);
      batch = [];
    };
    for (const { chain, forkHeight, blocks } of steps) {
      if (forkHeight !== undefined) {
        await applyBatch();
        await this.index.reorganise(chain, forkHeight, blocks);
        continue;
      }
      batch.push(...blocks);
      if (batch.length >= batchBlocks) await applyBatch();
    }
    await applyBatch();
  }

  private async isCanonical({ header }: Block): Promise<boolean> {
    const state = await this.node.blockState(header.hash, header.chainIndex);
    if (!state) throw new Error(`block ${header.hash} was imported and is not known`);
    return state.isCanonical;
  }

  /** By height. */
  private async canonicalBlocks(flat: number): Promise<readonly KnownBlock[]> {
    const known = this.known[flat]!;
    const flags = await Promise.all(known.map(({ block }) => this.isCanonical(block)));
    return known.filter((_, i) => flags[i]).sort((a, b) => a.height - b.height);
  }

  private async feedBlock({ block, height }: KnownBlock): Promise<FeedBlock> {
    const { hash, chainIndex } = block.header;
    const hasEvents = height > 0 && chainIndex.from === chainIndex.to;
    const events = hasEvents ? await this.node.events!(hash, chainIndex.from) : [];
    return {
      height,
      block,
      events: events.map(({ txId, contractId, eventIndex, fields }) => ({
        txId,
        contractId,
        eventIndex,
        fields: decode(valsCodec, fields),
      })),
    };
  }
}
