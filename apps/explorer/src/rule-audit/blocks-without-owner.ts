import { chainIndexOfHash } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { allChainIndexes, type ChainIndex, type Hash, isIntraGroup } from '@shardnode/protocol/primitives';
import { type FeedPlace } from '@shardnode/messages';
import { type FeedBlock } from '../blocks/feed-block.js';
import { locatorHeights } from '../group-nodes/locators.js';
import { appliedHashes } from '../index-store/known-blocks.js';
import { type JobContext } from '../background/background-job.js';
import { inSnapshot } from '../database/snapshot.js';
import { type AuditFinding } from './findings.js';
import { auditBlock, faultText } from './audit-block.js';
import { SpentOutputs } from './spent-outputs.js';

/** Milliseconds for a statement. */
const patience = 10_000;
/** Milliseconds for which an owner may lack a block that another group-node has: it publishes what it has stored. */
const usualWait = 5_000;

/** The heads of the chains of a group-node, by the second group. */
type OwnedHeads = ReadonlyMap<number, FeedPlace>;

/** A block that its owner does not have, with its content if a group-node shows it. */
interface Stray {
  readonly since: number;
  readonly chain: ChainIndex;
  readonly block: FeedBlock | undefined;
  /** Once it was judged: the first finding is the one that is kept. */
  readonly finding?: AuditFinding | undefined;
}

/**
 * Compares what group-nodes have with what the owners of the chains have. Nobody but the owner k of a chain (k,g)
 * executes its blocks, so who has its bus password can give group-node g one that no rule has judged (protocol 03 §6.1).
 * A group-node that does not answer, or has not caught up, says nothing.
 */
export class OwnerComparison {
  private strays: ReadonlyMap<Hash, Stray> = new Map();

  constructor(private readonly settings: NetworkSettings) {}

  /** Blocks that their owners have lacked for 5 s. */
  async findings(context: JobContext): Promise<AuditFinding[]> {
    const now = context.clock.monotonic();
    const strays = new Map<Hash, Stray>();
    for (const [hash, suspect] of await this.suspects(context, now)) {
      if (await this.isOwned(context, hash, suspect.chain)) continue;
      const { since, finding } = this.strays.get(hash) ?? suspect;
      strays.set(hash, { ...suspect, since, finding });
    }
    this.strays = strays;
    const old = [...strays].filter(([, { since }]) => now - since >= usualWait);
    return Promise.all(
      old.map(async ([hash, stray]) => {
        const finding = stray.finding ?? (await this.findingOf(context, hash, stray));
        strays.set(hash, { ...stray, finding });
        return finding;
      }),
    );
  }

  /** Blocks that others depend on and nobody shows, and those that receivers have above the head of the owner. */
  private async suspects(context: JobContext, now: number): Promise<Map<Hash, Stray>> {
    const { groups } = this.settings;
    const suspects = new Map<Hash, Stray>();
    for (const hash of context.unshown()) {
      // Other blocks have waited for it as long already.
      suspects.set(hash, { since: now - usualWait, chain: chainIndexOfHash(hash, groups), block: undefined });
    }
    const heads = await Promise.all(Array.from({ length: groups }, (_, group) => this.headsOf(context, group)));
    const chains = allChainIndexes(groups).filter((chain) => !isIntraGroup(chain));
    const received = await Promise.all(
      chains.map((chain) => this.received(context, chain, heads[chain.from]!.get(chain.to))),
    );
    for (const block of received.flat()) {
      const { hash, chainIndex: chain } = block.block.header;
      suspects.set(hash, { since: now, chain, block });
    }
    return suspects;
  }

  private async headsOf({ source, logger }: JobContext, group: number): Promise<OwnedHeads> {
    try {
      const { heads } = await source.heads(group);
      return new Map(heads.map(({ chainTo, height, hash }) => [chainTo, { height, hash }]));
    } catch (error) {
      logger.debug({ err: error, group }, 'an owner does not tell its heads');
      return new Map();
    }
  }

  /** Blocks of a chain (k,g) that group-node g has as canonical above those of its owner k. */
  private async received(
    { reading, source, logger }: JobContext,
    chain: ChainIndex,
    head: FeedPlace | undefined,
  ): Promise<readonly FeedBlock[]> {
    if (!head) return [];
    const hashes = await appliedHashes(reading, chain, locatorHeights(head.height));
    const applied = [...hashes].map(([height, hash]) => ({ height, hash })).sort((a, b) => b.height - a.height);
    if (applied.at(-1)?.height !== 0) return [];
    try {
      const pulled = await source.pull(chain, [head, ...applied], true);
      return pulled.group === chain.to ? pulled.blocks : [];
    } catch (error) {
      logger.debug({ err: error, chain }, 'a receiver does not tell its blocks');
      return [];
    }
  }

  private async isOwned({ source, logger }: JobContext, hash: Hash, { from }: ChainIndex): Promise<boolean> {
    try {
      return (await source.has(from, hash)) || !(await source.isSynced(from));
    } catch (error) {
      logger.debug({ err: error, hash }, 'the owner of a block does not answer');
      return true;
    }
  }

  private async findingOf(context: JobContext, hash: Hash, { chain, block }: Stray): Promise<AuditFinding> {
    const { from, to } = chain;
    const lacks = `group-node ${from}, which alone executes chain ${from}-${to}, does not have the block`;
    const found = { hash, chain, height: block?.height, rule: 'BlockWithoutOwner' };
    if (!block) return { ...found, detail: `${lacks}; blocks of other chains depend on it` };
    const fault = await this.faultOf(context, block);
    return { ...found, detail: `${lacks}; group-node ${to} has it: ${fault ?? 'it breaks no rule that can be seen'}` };
  }

  /** The fault of a block that is not applied; undefined: none is visible. */
  private async faultOf({ reading, stopping }: JobContext, { block }: FeedBlock): Promise<string | undefined> {
    const { header, transactions } = block;
    const spent = await inSnapshot(reading, (snapshot) => SpentOutputs.load(snapshot, transactions), patience);
    const verdict = await auditBlock({ header, transactions, spent, txIds: new Map() }, this.settings, stopping);
    return verdict && faultText(verdict);
  }
}
