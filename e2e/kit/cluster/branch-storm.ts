import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { type Block, genesisBlock } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { blockEffects } from '@shardnode/protocol/state';
import { assetOutput, buildSignedTransfer, type SpendableOutput } from '@shardnode/testing/builders';
import { type TestKey } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';

/** Blocks that make a node change over to another branch, the last of them at the latest. */
export interface BranchSwitch {
  readonly raws: readonly Uint8Array[];
  /** The heaviest block once all of them are there. */
  readonly tip: Hash;
  readonly height: number;
  /** Blocks of the branch that is left. */
  readonly depth: number;
}

export interface BranchStormOptions {
  readonly settings: NetworkSettings;
  /** Owns the allocation of `group`. */
  readonly payer: TestKey;
  readonly payee: TestKey;
  readonly group: number;
  readonly random: () => number;
}

/** Milliseconds from block to block: that of the network, so that the difficulty stays. */
const spacing = 10n;
const firstTimestamp = 1_700_000_000_000n;

/**
 * Branches of an intra-group chain that overtake each other. The payer spends the same outputs on all of them, in
 * different blocks and for different amounts. The chain runs ahead of all others, which makes its blocks harder from one
 * to the next (protocol 03 §9.3 step 6); others get turns while they are mined.
 */
export class BranchStorm {
  private readonly node: MemoryNode;
  private readonly chain: ChainIndex;
  private readonly deps: readonly Hash[];
  /** What the payer owns after a block. */
  private readonly owned = new Map<Hash, SpendableOutput>();
  private readonly canonical: Hash[];

  constructor(private readonly options: BranchStormOptions) {
    const { settings, group } = options;
    this.chain = { from: group, to: group };
    this.node = new MemoryNode(settings);
    this.deps = this.node.bestDependencies(group);
    const genesis = genesisBlock(settings, this.chain);
    this.owned.set(genesis.header.hash, lastOutput(genesis));
    this.canonical = [genesis.header.hash];
  }

  /** So many blocks on the heaviest one, to have something to leave. */
  async grow(blocks: number): Promise<BranchSwitch> {
    const made = await this.extend(this.canonical.at(-1)!, blocks);
    this.canonical.push(...made.map(({ header }) => header.hash));
    return this.switchTo(made, 0);
  }

  /** A branch that leaves `depth` blocks behind, then the old one again, longer, then the new one for good. */
  async next(depth: number): Promise<readonly BranchSwitch[]> {
    const fork = Math.max(0, this.canonical.length - 1 - depth);
    const left = this.canonical.slice(fork + 1);
    const taken = await this.extend(this.canonical[fork]!, left.length + 1);
    const back = await this.extend(left.at(-1) ?? this.canonical[fork]!, 2);
    const again = await this.extend(taken.at(-1)!.header.hash, 2);
    const switches = [
      this.switchTo(taken, left.length, fork + left.length + 1),
      this.switchTo(back, taken.length, fork + left.length + 2),
      this.switchTo(again, left.length + 2, fork + taken.length + 2),
    ];
    this.canonical.splice(fork + 1, left.length, ...[...taken, ...again].map(({ header }) => header.hash));
    return switches;
  }

  private switchTo(made: readonly Block[], depth: number, height = this.canonical.length - 1): BranchSwitch {
    return { raws: made.map(({ raw }) => raw), tip: made.at(-1)!.header.hash, height, depth };
  }

  private async extend(parent: Hash, blocks: number): Promise<Block[]> {
    const made: Block[] = [];
    for (let hash = parent; made.length < blocks; hash = made.at(-1)!.header.hash) {
      // The first one tells branches apart that fork from the same block.
      made.push(this.blockOn(hash, made.length === 0 || this.options.random() < 0.2));
      await yieldToEventLoop();
    }
    return made;
  }

  private blockOn(parent: Hash, withTransfer: boolean): Block {
    const { settings, group, payer, payee, random } = this.options;
    const deps = this.deps.with(settings.groups - 1 + group, parent);
    const after = this.node.dag.header(parent).timestamp + spacing;
    const owned = this.owned.get(parent)!;
    const output = withTransfer ? this.node.view(group, deps).output(owned.reference) : undefined;
    const amount = 10n ** 15n + BigInt(Math.floor(random() * 1e12));
    const transfer = (): ReturnType<typeof buildSignedTransfer> => {
      if (output?.kind !== 'asset') throw new Error('what the payer owns is not there');
      const spend = [{ reference: owned.reference, output }];
      return buildSignedTransfer({ settings, from: payer, spend, outputs: [assetOutput(payee.lockupScript, amount)] });
    };
    const block = nextBlock(this.node, this.chain, {
      deps,
      timestamp: after < firstTimestamp ? firstTimestamp : after,
      transactions: withTransfer ? [transfer()] : [],
    });
    const outcome = this.node.importBlock(block.raw);
    if (outcome.kind !== 'added') throw new Error(`a block of the storm is ${JSON.stringify(outcome)}`);
    this.owned.set(block.header.hash, withTransfer ? lastOutput(block) : owned);
    return block;
  }
}

/** Of its first transaction: the allocation, or what a transfer gives back. */
const lastOutput = (block: Block): SpendableOutput => {
  const { reference, output } = blockEffects(block).transactions[0]!.outputs.at(-1)!;
  if (output.kind !== 'asset') throw new Error('not an asset output');
  return { reference, output };
};
