import { ServiceError } from '@shardnode/core/errors';
import { chainOfBlockHash, type GroupClient } from '@shardnode/messages';
import { decodeBlock, genesisBlocks, parentHashOf } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { allChainIndexes, type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { CommandFailure } from '../command.js';
import { DependencyOrder, type OrderedBlock } from './dependency-order.js';

/** Limit of waiting blocks: above it chains that are ahead are no longer read. */
const mostWaiting = 4_000;

export interface ExportOptions {
  readonly client: GroupClient;
  readonly settings: NetworkSettings;
  /** Includes blocks of other branches. */
  readonly sideBlocks: boolean;
  /** Receives each block once, after all its dependencies. */
  readonly take: (raw: Uint8Array) => Promise<void>;
  /** Number of blocks taken, and number of blocks known in all. */
  readonly progress?: (done: number, total: number) => void;
}

interface PulledBlock extends OrderedBlock {
  readonly parent: Hash;
}

/** One chain, page by page, as stored by its own group. */
class ChainPages {
  isDone = false;
  /** Height of the chain at the last request. */
  height = 0;
  private locator: Hash[] = [];

  constructor(
    private readonly options: ExportOptions,
    readonly chain: ChainIndex,
  ) {}

  async next(): Promise<readonly PulledBlock[]> {
    const { client, settings, sideBlocks } = this.options;
    const { chain, locator } = this;
    // The owner of a chain returns whole blocks to a request in its own name.
    const page = await client.request(chain.from, 'read.sync.pull', { asker: chain.from, chain, locator });
    if (this.height === 0) this.height = page.maxHeight;
    const blocks = page.items.map((raw) => orderedBlock(raw, settings));
    const canonical = canonicalOf(blocks, page.last);
    this.locator = [...locator, ...(page.last === undefined ? [] : [page.last])].slice(-50);
    // Blocks made during the read are left for the next export.
    this.isDone = !page.more || page.last === undefined;
    return sideBlocks ? blocks : canonical;
  }
}

const orderedBlock = (raw: Uint8Array, { groups }: NetworkSettings): PulledBlock => {
  const { header } = decodeBlock(raw, groups);
  return { hash: header.hash, dependencies: header.blockDeps, parent: parentHashOf(header, groups), raw };
};

/** The blocks of a page from the last canonical one back to its first. */
const canonicalOf = (blocks: readonly PulledBlock[], last: Hash | undefined): PulledBlock[] => {
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const canonical: PulledBlock[] = [];
  for (let hash = last; hash !== undefined; hash = canonical.at(-1)!.parent) {
    const block = byHash.get(hash);
    if (!block) break;
    canonical.push(block);
  }
  return canonical.reverse();
};

class BlockExport {
  private readonly order: DependencyOrder;
  private readonly chains: readonly ChainPages[];
  private done = 0;

  constructor(private readonly options: ExportOptions) {
    const { settings } = options;
    this.order = new DependencyOrder(genesisBlocks(settings).map(({ header }) => header.hash));
    this.chains = allChainIndexes(settings.groups).map((chain) => new ChainPages(options, chain));
  }

  async run(): Promise<number> {
    for (;;) {
      const open = this.chains.filter(({ isDone }) => !isDone);
      if (open.length === 0) break;
      for (const page of await Promise.all(this.toAsk(open).map((chain) => chain.next()))) {
        for (const block of page) await this.add(block);
      }
    }
    while (this.order.waitingCount > 0) await this.fetchMissing();
    return this.done;
  }

  /** The chains that are furthest behind, when many blocks wait for them. */
  private toAsk(open: readonly ChainPages[]): readonly ChainPages[] {
    if (this.order.waitingCount < mostWaiting) return open;
    const missing = new Set(
      this.order.missing().map((hash) => JSON.stringify(chainOfBlockHash(hash, this.options.settings.groups))),
    );
    const needed = open.filter(({ chain }) => missing.has(JSON.stringify(chain)));
    return needed.length > 0 ? needed : open;
  }

  private async add(block: OrderedBlock): Promise<void> {
    for (const { raw } of this.order.add(block)) {
      await this.options.take(raw);
      this.done += 1;
    }
    const total = this.chains.reduce((sum, { height }) => sum + height, 0);
    this.options.progress?.(this.done, Math.max(total, this.done));
  }

  /** Dependencies that are not on the canonical chains, or were made after the read. */
  private async fetchMissing(): Promise<void> {
    const { client, settings } = this.options;
    for (const hash of this.order.missing()) {
      const chain = chainOfBlockHash(hash, settings.groups);
      const { block } = await client.request(chain.from, 'read.chain.block', { hash });
      await this.add(orderedBlock(block, settings));
    }
  }
}

/**
 * Passes all blocks of all chains except the genesis blocks to `take`; resolves with their number. @throws
 * CommandFailure
 */
export const exportBlocks = async (options: ExportOptions): Promise<number> => {
  try {
    return await new BlockExport(options).run();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new CommandFailure(`The export ends: ${error.message}. Start that group-node and export again.`, {
      cause: error,
    });
  }
};
