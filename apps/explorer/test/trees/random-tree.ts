import { multisigOf } from '@shardnode/protocol/address';
import {
  type BlockHeader,
  genesisTimestamp,
  launchTimestamp,
  sealBlock,
  sealHeader,
  transactionsRoot,
} from '@shardnode/protocol/block';
import { bigintToBytes } from '@shardnode/protocol/encoding';
import {
  allChainIndexes,
  blockVersion,
  type ChainIndex,
  flatIndex,
  type Hash,
  isIntraGroup,
  type LockupScript,
  type OutputReference,
  sameChain,
  zeroHash,
} from '@shardnode/protocol/primitives';
import { statelessScriptHash, type Val } from '@shardnode/protocol/script';
import {
  type Output,
  outputsOf,
  referenceOf,
  type Transaction,
  transactionId,
  type UnlockScript,
} from '@shardnode/protocol/transaction';
import { creationEventsId, destructionEventsId } from '@shardnode/protocol/vm';
import { testKey } from '@shardnode/testing/keys';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { type FeedBlock, type FeedEvent } from '../../src/index.js';

/** Three groups: two of them have the same genesis transaction, as groups without allocations do (protocol 08 §1). */
export const groups = 3;
export const chains = allChainIndexes(groups);

interface Owner {
  readonly lockupScript: Exclude<LockupScript, { kind: 'p2c' }>;
  readonly unlock: UnlockScript;
}

const script = {
  methods: [{ isPublic: true, assetModifier: 0, argsLength: 0, localsLength: 0, returnLength: 0, instructions: [] }],
};
const signers = [20, 21].map((index) => testKey(index, groups).publicKey);
const owners: readonly Owner[] = [
  ...[0, 1, 2, 3].map((index): Owner => {
    const { lockupScript, publicKey } = testKey(index, groups);
    return { lockupScript, unlock: { kind: 'p2pkh', publicKey } };
  }),
  {
    lockupScript: { kind: 'p2sh', scriptHash: statelessScriptHash(script) },
    unlock: { kind: 'p2sh', script, parameters: [] },
  },
  { lockupScript: multisigOf(signers, 1), unlock: { kind: 'p2mpkh', keys: [{ publicKey: signers[0]!, index: 0 }] } },
];
const tokenIds = ['a1', 'b2', 'c3'].map((byte) => byte.repeat(32));
const targets = [0x20ffffff, 0x1f3fffff, 0x1d00ffff];
const none: Val = { type: 'ByteVec', value: new Uint8Array() };

const contractsOf = (group: number): Hash[] => ['0a', '0b'].map((byte) => byte.repeat(31) + `0${group}`);
const addressVal = (contractId: Hash): Val => ({ type: 'Address', value: { kind: 'p2c', contractId } });

interface Spendable {
  readonly reference: OutputReference;
  /** Undefined: of a contract. */
  readonly owner: Owner | undefined;
}

/** A block of the tree, and what is true of its branch. */
export interface TreeBlock extends FeedBlock {
  readonly parent: TreeBlock | undefined;
  readonly transactions: ReadonlySet<Hash>;
  readonly living: ReadonlySet<Hash>;
}

const unsignedParts = { version: 0, networkId: 4, script: undefined, gasAmount: 20_000, gasPrice: 10n ** 11n };

/**
 * Blocks of trees in several chains, always the same ones of a seed. They are valid only in form: transactions spend
 * outputs twice, outputs of blocks that are not applied, and outputs that are nowhere.
 */
export class RandomTree {
  private readonly random: () => number;
  private readonly spendables: Spendable[] = [];
  /** Transactions by flat index of their chain; several branches may hold one. */
  private readonly pools = chains.map((): Transaction[] => []);
  readonly blocks: TreeBlock[] = [];
  private counter = 0;

  constructor(seed: number) {
    this.random = seededRandom(seed);
    for (const chain of chains) this.blocks.push(this.genesis(chain));
  }

  /** 0 to `limit` - 1. */
  pick(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  oneOf<T>(list: readonly T[]): T {
    return list[this.pick(list.length)]!;
  }

  /** A block of a chain that is in the tree. */
  childrenOf(block: TreeBlock): TreeBlock[] {
    return this.blocks.filter(({ parent }) => parent === block);
  }

  /** A new block on top of one. */
  grow(parent: TreeBlock): TreeBlock {
    const { chainIndex: chain, timestamp, hash } = parent.block.header;
    const chosen: Transaction[] = [];
    const taken = new Set(parent.transactions);
    for (let count = this.pick(4); count > 0; count--) {
      const transaction = this.transactionFor(chain, taken);
      taken.add(transactionId(transaction.unsigned));
      chosen.push(transaction);
    }
    const transactions = [...chosen, this.coinbase()];
    const living = new Set(parent.living);
    const events = isIntraGroup(chain) ? this.events(chain.from, transactions, living) : [];
    const start = timestamp < launchTimestamp ? launchTimestamp : timestamp;
    // Steps of ten minutes, so that equal timestamps of different chains occur, and of half days, so that days end.
    const step = BigInt(1 + this.pick(4)) * (this.pick(3) === 0 ? 43_200_000n : 600_000n);
    const block = this.seal(chain, start + step, hash, transactions);
    const grown = { parent, height: parent.height + 1, block, events, transactions: taken, living };
    this.blocks.push(grown);
    return grown;
  }

  private genesis(chain: ChainIndex): TreeBlock {
    const outputs = chain.from === 0 ? [this.output(), this.output()] : [];
    const transaction = {
      ...this.plain([], outputs),
      unsigned: { ...unsignedParts, inputs: [], fixedOutputs: outputs },
    };
    const transactions = isIntraGroup(chain) ? [transaction] : [];
    for (const one of transactions) this.remember(one);
    const block = this.seal(chain, genesisTimestamp, zeroHash, transactions);
    return { parent: undefined, height: 0, block, events: [], transactions: new Set(), living: new Set() };
  }

  private seal(chain: ChainIndex, timestamp: bigint, parent: Hash, transactions: readonly Transaction[]) {
    const blockDeps = Array.from({ length: 2 * groups - 1 }, () => zeroHash);
    blockDeps[groups - 1 + chain.to] = parent;
    const header: BlockHeader = {
      nonce: new Uint8Array(24),
      version: blockVersion,
      blockDeps,
      depStateHash: zeroHash,
      txsHash: transactionsRoot(transactions),
      timestamp,
      target: this.oneOf(targets),
    };
    for (let nonce = BigInt(this.pick(2 ** 30)) << 32n; ; nonce++) {
      const sealed = sealHeader({ ...header, nonce: bigintToBytes(nonce, 24) }, groups);
      if (sameChain(sealed.chainIndex, chain)) return sealBlock(sealed, transactions, groups);
    }
  }

  private output(): Extract<Output, { kind: 'asset' }> {
    const tokens = this.pick(3) === 0 ? Array.from({ length: 1 + this.pick(3) }, () => this.token()) : [];
    return {
      kind: 'asset',
      amount: BigInt(1 + this.pick(1_000)) * 10n ** 18n,
      lockupScript: this.oneOf(owners).lockupScript,
      lockTime: this.pick(3) === 0 ? launchTimestamp + BigInt(this.pick(2 ** 30)) : 0n,
      tokens,
      additionalData: bigintToBytes(BigInt(this.counter++), this.pick(2) * 4),
    };
  }

  private token() {
    return { id: this.oneOf(tokenIds), amount: BigInt(1 + this.pick(100)) };
  }

  private contractOutput(group: number): Output {
    const tokens = Array.from({ length: this.pick(3) }, () => this.token());
    return {
      kind: 'contract',
      amount: BigInt(1 + this.pick(9)) * 10n ** 18n,
      contractId: this.oneOf(contractsOf(group)),
      tokens,
    };
  }

  private plain(
    inputs: readonly Spendable[],
    fixedOutputs: readonly Extract<Output, { kind: 'asset' }>[],
  ): Transaction {
    const assets = inputs.filter(({ owner }) => owner !== undefined);
    return {
      unsigned: {
        ...unsignedParts,
        gasAmount: 20_000 + this.counter++,
        inputs: assets.map(({ reference, owner }, i) => ({
          outputReference: reference,
          unlockScript: i > 0 && assets[i - 1]!.owner === owner ? { kind: 'sameAsPrevious' } : owner!.unlock,
        })),
        fixedOutputs,
      },
      scriptExecutionOk: this.pick(5) > 0,
      contractInputs: inputs.filter(({ owner }) => owner === undefined).map(({ reference }) => reference),
      generatedOutputs: [],
      inputSignatures: assets.slice(0, 1).map(() => new Uint8Array(64).fill(this.pick(256))),
      scriptSignatures: [],
    };
  }

  private coinbase(): Transaction {
    return { ...this.plain([], [this.output()]), inputSignatures: [], scriptExecutionOk: true };
  }

  /** A transaction that the branch does not hold: one that another branch may hold, or a new one. */
  private transactionFor(chain: ChainIndex, taken: ReadonlySet<Hash>): Transaction {
    const pool = this.pools[flatIndex(chain, groups)]!;
    const candidates = pool.filter(({ unsigned }) => !taken.has(transactionId(unsigned)));
    if (candidates.length > 0 && this.pick(2) === 0) return this.oneOf(candidates);
    // Made ahead of the blocks, so that inputs precede their outputs.
    const made = [1, 2].map(() => this.newTransaction(chain));
    pool.push(...made);
    return this.oneOf(made);
  }

  private newTransaction(chain: ChainIndex): Transaction {
    const recent = this.spendables.slice(-25);
    const inputs = new Map<Hash, Spendable>();
    for (let count = 1 + this.pick(3); count > 0; count--) {
      const chosen = this.pick(20) === 0 ? this.nowhere() : this.oneOf(recent);
      if (chosen.owner || isIntraGroup(chain)) inputs.set(chosen.reference.key, chosen);
    }
    const transaction = this.plain(
      [...inputs.values()],
      Array.from({ length: 1 + this.pick(3) }, () => this.output()),
    );
    const generated = isIntraGroup(chain) && this.pick(2) === 0 ? [this.contractOutput(chain.from), this.output()] : [];
    const complete = { ...transaction, generatedOutputs: generated };
    this.remember(complete);
    return complete;
  }

  private nowhere(): Spendable {
    const key = (this.counter++).toString(16).padStart(64, 'e');
    return { reference: { hint: 1, key }, owner: this.oneOf(owners) };
  }

  private remember(transaction: Transaction): void {
    const id = transactionId(transaction.unsigned);
    outputsOf(transaction).forEach((output, order) => {
      const owner =
        output.kind === 'asset' ? owners.find(({ lockupScript }) => lockupScript === output.lockupScript) : undefined;
      this.spendables.push({ reference: referenceOf(output, id, order), owner });
    });
  }

  /** Contracts that come and go, and other events. */
  private events(group: number, transactions: readonly Transaction[], living: Set<Hash>): FeedEvent[] {
    return transactions.flatMap(({ unsigned }) => {
      const txId = transactionId(unsigned);
      const contract = this.oneOf(contractsOf(group));
      switch (this.pick(4)) {
        case 0: {
          const isLiving = living.has(contract);
          if (isLiving) living.delete(contract);
          else living.add(contract);
          const parent = this.pick(2) === 0 ? none : addressVal(contractsOf(group)[0]!);
          const guess: Val = this.pick(2) === 0 ? none : { type: 'ByteVec', value: Uint8Array.of(0, 1) };
          return isLiving
            ? [{ txId, contractId: destructionEventsId(group), eventIndex: -2, fields: [addressVal(contract)] }]
            : [
                {
                  txId,
                  contractId: creationEventsId(group),
                  eventIndex: -1,
                  fields: [addressVal(contract), parent, guess],
                },
              ];
        }
        case 1:
          return [
            {
              txId,
              contractId: contract,
              eventIndex: this.pick(3),
              fields: [{ type: 'U256', value: 2n ** 255n }, none],
            },
          ];
        default:
          return [];
      }
    });
  }
}
