import { type Block } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import {
  type AssetLockupScript,
  type ChainIndex,
  flatIndex,
  type Hash,
  sameLockupScript,
} from '@shardnode/protocol/primitives';
import { type Transaction, transactionId } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer, type SpendableOutput } from '@shardnode/testing/builders';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { type ChainOfBlocks } from '@shardnode/testing/ledger-oracle';
import { MemoryNode, memoryNodeTarget, nextBlock, type NextBlockOptions } from '@shardnode/testing/memory-node';

export const settings = developmentNetwork;
export const coin = 10n ** 18n;
export const chainOf = (from: number, to: number): ChainIndex => ({ from, to });
export const allChains: readonly ChainIndex[] = Array.from({ length: 16 }, (_, i) => chainOf(i >> 2, i & 3));

/** A node in memory that tests mine on: the source of valid blocks of all chains, forks included. */
export class GrowingChains {
  readonly node = new MemoryNode(settings);
  readonly transfers: { readonly id: Hash; readonly chain: ChainIndex }[] = [];

  private constructor(readonly keys: readonly TestKey[]) {}

  static async create(): Promise<GrowingChains> {
    return new GrowingChains(await developmentKeys());
  }

  /** Best dependencies of all groups, to mine on them later. */
  deps(): readonly (readonly Hash[])[] {
    return [0, 1, 2, 3].map((group) => this.node.bestDependencies(group));
  }

  /** The outputs of a group's funded key that a block on these dependencies may spend, the largest first. */
  async spendable(group: number, deps = this.node.bestDependencies(group)): Promise<SpendableOutput[]> {
    const { address, lockupScript } = this.keys[group]!;
    const view = this.node.view(group, deps);
    const isMine = (script: AssetLockupScript): boolean => sameLockupScript(script, lockupScript);
    const now = await memoryNodeTarget(this.node).unspentOutputs(address);
    const pending = view.created.flatMap(({ reference, output }) =>
      output.kind === 'asset' && isMine(output.lockupScript) ? [{ reference, output }] : [],
    );
    const seen = new Map([...now, ...pending].map((entry) => [entry.reference.key, entry]));
    return [...seen.values()]
      .flatMap(({ reference }) => {
        const output = view.output(reference);
        return output?.kind === 'asset' && output.lockTime < 1_700_000_100_000n ? [{ reference, output }] : [];
      })
      .sort((a, b) => Number(b.output.amount - a.output.amount));
  }

  /** A transfer of some coins from the funded key of a chain's group to the funded key of the other one. */
  pay(chain: ChainIndex, spend: readonly SpendableOutput[], coins = 1n): Transaction {
    const to = chain.from === chain.to ? testKeyOfGroup(chain.to) : this.keys[chain.to]!;
    const outputs = [assetOutput(to.lockupScript, coins * coin)];
    return buildSignedTransfer({ settings, from: this.keys[chain.from]!, spend, outputs });
  }

  /** The next block of a chain; not imported and not judged. */
  next(chain: ChainIndex, options: NextBlockOptions = {}): Block {
    return nextBlock(this.node, chain, options);
  }

  import(block: Block): Block {
    const outcome = this.node.importBlock(block.raw);
    // A late miner can make the same block again.
    if (outcome.kind !== 'added' && outcome.kind !== 'known') throw new Error(`not added: ${JSON.stringify(outcome)}`);
    return block;
  }

  /** Mines a valid block, with a transfer when there is something to spend and it is wanted. */
  async grow(
    chain: ChainIndex,
    wish: { readonly pays?: boolean; readonly deps?: readonly Hash[] } = {},
  ): Promise<Block> {
    const deps = wish.deps ?? this.node.bestDependencies(chain.from);
    const [first] = wish.pays ? await this.spendable(chain.from, deps) : [];
    const transactions = first && first.output.amount > 2n * coin ? [this.pay(chain, [first])] : [];
    const block = this.import(this.next(chain, { deps, transactions }));
    this.transfers.push(...transactions.map(({ unsigned }) => ({ id: transactionId(unsigned), chain })));
    return block;
  }

  async rounds(count: number, pays = false): Promise<void> {
    for (let i = 0; i < count; i++) for (const chain of allChains) await this.grow(chain, { pays });
  }

  /** Whether no canonical block depends on another branch and all groups build on the ends of the canonical chains. */
  get isSettled(): boolean {
    const { dag } = this.node;
    const ends = this.deps().every((deps, from) =>
      deps.slice(3).every((hash, to) => dag.canonicalAt(chainOf(from, to), dag.maxHeight(chainOf(from, to))) === hash),
    );
    const blocks = this.canonical().flatMap(({ hashes }) => hashes);
    return (
      ends && blocks.every((hash) => dag.header(hash).blockDeps.every((dep) => !dag.has(dep) || dag.isCanonical(dep)))
    );
  }

  /** Mines rounds of all chains until forks are settled. */
  async settle(): Promise<void> {
    for (let round = 0; !this.isSettled; round++) {
      if (round === 20) throw new Error('the forks do not settle');
      await this.rounds(1);
    }
  }

  canonical(): (ChainIndex & { readonly hashes: readonly Hash[] })[] {
    const { dag } = this.node;
    return allChains.map((chain) => ({
      ...chain,
      hashes: Array.from({ length: dag.maxHeight(chain) + 1 }, (_, height) => dag.canonicalAt(chain, height)!),
    }));
  }

  chains(): ChainOfBlocks[] {
    return this.canonical().map(({ from, to, hashes }) => ({
      from,
      to,
      blocks: hashes.map((hash) => this.node.block(hash)!.raw),
    }));
  }
}

/** Chains with more blocks at the end of theirs. */
export const withBlocks = (chains: readonly ChainOfBlocks[], more: readonly Block[]): ChainOfBlocks[] =>
  chains.map(({ from, to, blocks }) => ({
    from,
    to,
    blocks: [
      ...blocks,
      ...more
        .filter(({ header }) => flatIndex(header.chainIndex, 4) === flatIndex({ from, to }, 4))
        .map(({ raw }) => raw),
    ],
  }));
