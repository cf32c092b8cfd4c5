import {
  type Block,
  decodeBlock,
  genesisBlocks,
  launchTimestamp,
  sealBlock,
  sealHeader,
  transactionsRoot,
} from '@shardnode/protocol/block';
import { bigintToBytes } from '@shardnode/protocol/encoding';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { allChainIndexes, type ChainIndex, type Hash, sameChain, zeroHash } from '@shardnode/protocol/primitives';
import { type Transaction, transactionId, referenceOf } from '@shardnode/protocol/transaction';
import { assetOutput, unsignedTemplate } from '@shardnode/testing/builders';
import { testKey, type TestKey } from '@shardnode/testing/keys';
import { type FeedBlock } from '../../src/index.js';

export const transactionsPerBlock = 3;

interface Coin {
  readonly owner: TestKey;
  readonly transaction: Transaction;
  readonly order: number;
}

export interface MadeBlocksOptions {
  readonly settings?: NetworkSettings;
  /** When the block of a number was made, milliseconds since 1970. Default: four seconds apart. */
  readonly timestampOf?: (number: number) => number;
}

/** Blocks of all chains, one after the other, that spend each other's outputs among many addresses. They bear no work. */
export class Blocks {
  private readonly groups: number;
  private readonly chains: readonly ChainIndex[];
  private readonly timestampOf: (number: number) => number;
  private made = 0;
  private readonly keys = Array.from({ length: 1_000 }, (_, index) => testKey(index));
  private readonly coins: Coin[] = [];
  private readonly heads: { hash: Hash; height: number }[];
  readonly genesis: FeedBlock[];
  private number = 0;

  constructor({
    settings = developmentNetwork,
    timestampOf = (n) => Number(launchTimestamp) + n * 4_000,
  }: MadeBlocksOptions = {}) {
    this.groups = settings.groups;
    this.chains = allChainIndexes(settings.groups);
    this.timestampOf = timestampOf;
    const blocks = genesisBlocks(settings);
    this.genesis = blocks.map((block) => ({ height: 0, block, events: [] }));
    this.heads = blocks.map(({ header: { hash } }) => ({ hash, height: 0 }));
  }

  private key(): TestKey {
    return this.keys[(this.number++ * 7919) % this.keys.length]!;
  }

  private transaction(inputs: readonly Coin[], outputs: number): Transaction {
    const owners = Array.from({ length: outputs }, () => this.key());
    const { unsigned, ...signatures } = unsignedTemplate([], []);
    const transaction = {
      ...signatures,
      unsigned: {
        ...unsigned,
        gasAmount: 20_000 + this.number,
        inputs: inputs.map(({ owner, transaction: source, order }) => ({
          outputReference: referenceOf(source.unsigned.fixedOutputs[order]!, transactionId(source.unsigned), order),
          unlockScript: { kind: 'p2pkh', publicKey: owner.publicKey } as const,
        })),
        fixedOutputs: owners.map(({ lockupScript }) => assetOutput(lockupScript, 10n ** 18n)),
      },
      inputSignatures: inputs.map(() => new Uint8Array(64).fill(7)),
      scriptExecutionOk: true,
      contractInputs: [],
      generatedOutputs: [],
    };
    owners.forEach((owner, order) => this.coins.push({ owner, transaction, order }));
    return transaction;
  }

  /** What a block of a group rests on: the newest blocks inside the other groups, then those of its own chains. */
  private newestOf(from: number): Hash[] {
    const { groups } = this;
    const others = Array.from({ length: groups }, (_, group) => group).filter((group) => group !== from);
    const indexes = [
      ...others.map((group) => group * groups + group),
      ...Array.from({ length: groups }, (_, to) => from * groups + to),
    ];
    return indexes.map((index) => this.heads[index]!.hash);
  }

  /** @param flat index of the chain */
  next(flat: number): FeedBlock {
    const { groups, chains } = this;
    const head = this.heads[flat]!;
    const transfers = [1, 2].map(() => this.transaction(this.coins.length > 500 ? this.coins.splice(0, 2) : [], 2));
    const transactions = [...transfers, this.transaction([], 1)];
    const blockDeps = this.newestOf(chains[flat]!.from);
    const timestamp = BigInt(this.timestampOf(++this.made));
    const header = {
      version: 0,
      blockDeps,
      depStateHash: zeroHash,
      txsHash: transactionsRoot(transactions),
      timestamp,
      target: 0x1d00ffff,
    };
    let block: Block | undefined;
    for (let nonce = 0n; block === undefined; nonce++) {
      const sealed = sealHeader({ ...header, nonce: bigintToBytes(nonce, 24) }, groups);
      if (sameChain(sealed.chainIndex, chains[flat]!)) block = sealBlock(sealed, transactions, groups);
    }
    this.heads[flat] = { hash: block.header.hash, height: head.height + 1 };
    // Decoded again, so that ids are not known from building.
    return { height: head.height + 1, block: decodeBlock(block.raw, groups), events: [] };
  }

  take(count: number): FeedBlock[] {
    return Array.from({ length: count }, (_, i) => this.next(i % this.chains.length));
  }
}
