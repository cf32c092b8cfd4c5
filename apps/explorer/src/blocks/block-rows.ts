import { addressOf } from '@shardnode/protocol/address';
import { isGenesis, networkHashRate, parentHashOf } from '@shardnode/protocol/block';
import { encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type ChainIndex, type Hash, flatIndex, outputHint } from '@shardnode/protocol/primitives';
import { statefulScriptCodec } from '@shardnode/protocol/script';
import {
  type Output,
  type Token,
  type Transaction,
  outputKey,
  transactionId,
  unlockScriptCodec,
} from '@shardnode/protocol/transaction';
import { type FeedVal, valueForm } from '@shardnode/messages';
import { addressText } from './address-text.js';
import { type ContractStep, contractStepOf } from './contract-events.js';
import { type FeedBlock } from './feed-block.js';
import { blockIdOf, txIdOf } from './row-ids.js';
import { expandUnlockScripts, type Signer, signerOf } from './unlock-addresses.js';

/** Milliseconds, on every network (protocol 08 §1). */
const hashRateTargetTime = 64_000n;

/** A row of `blocks` (protocol 08 §3.3). */
export interface BlockRow {
  readonly hash: Hash;
  readonly blockId: bigint;
  readonly chain: ChainIndex;
  readonly height: number;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
  readonly txCount: number;
  readonly version: number;
  readonly nonce: Uint8Array;
  /** Compact form. */
  readonly target: number;
  readonly depStateHash: Hash;
  readonly txsHash: Hash;
  /** Undefined of genesis blocks. */
  readonly parent: Hash | undefined;
  /** All dependencies in header order, one after the other. */
  readonly deps: Uint8Array;
  readonly hashRate: bigint;
}

/** A row of `outputs`, with its address and tokens as texts. */
export interface OutputRow {
  readonly order: number;
  readonly key: Hash;
  readonly hint: number;
  readonly address: string;
  readonly amount: bigint;
  /** Each id once. */
  readonly tokens: readonly Token[];
  readonly isContract: boolean;
  readonly isFixed: boolean;
  /** Milliseconds since 1970; undefined when it is not locked. */
  readonly lockTime: bigint | undefined;
  /** Undefined of contract outputs. */
  readonly message: Uint8Array | undefined;
}

/** A row of `inputs`, with what its unlock script says about the signer. */
export interface InputRow {
  readonly order: number;
  readonly key: Hash;
  readonly hint: number;
  readonly isContract: boolean;
  /** As in the transaction, not expanded; undefined of contract inputs. */
  readonly unlockScript: Uint8Array | undefined;
  readonly signer: Signer | undefined;
}

/** A row of `transactions`, with those of its outputs and inputs. */
export interface TransactionRow {
  readonly txId: bigint;
  readonly hash: Hash;
  readonly transaction: Transaction;
  readonly isCoinbase: boolean;
  readonly script: Uint8Array | undefined;
  /** Fixed outputs, then generated ones. */
  readonly outputs: readonly OutputRow[];
  /** Asset inputs, then contract inputs. */
  readonly inputs: readonly InputRow[];
}

/** A row of `events`, with its contract as text. */
export interface EventRow {
  readonly blockId: bigint;
  /** Index in the list of the block. */
  readonly order: number;
  readonly txId: bigint;
  /** Address of the contract that emitted it. */
  readonly contract: string;
  readonly eventIndex: number;
  readonly fields: readonly FeedVal[];
  readonly step: ContractStep | undefined;
}

export interface BlockRows {
  readonly block: BlockRow;
  readonly transactions: readonly TransactionRow[];
  readonly events: readonly EventRow[];
}

const blockRowOf = ({ height, block }: FeedBlock, groups: number): BlockRow => {
  const { header, transactions } = block;
  const { hash, chainIndex: chain, timestamp, version, nonce, target, depStateHash, txsHash, blockDeps } = header;
  return {
    hash,
    blockId: blockIdOf(timestamp, flatIndex(chain, groups)),
    chain,
    height,
    timestamp,
    txCount: transactions.length,
    version,
    nonce,
    target,
    depStateHash,
    txsHash,
    parent: isGenesis(header) ? undefined : parentHashOf(header, groups),
    deps: hexToBytes(blockDeps.join('')),
    hashRate: networkHashRate(target, groups, hashRateTargetTime),
  };
};

/** The amounts of one id added, at the place of its first occurrence (protocol 08 §3.3). */
const mergedTokens = (tokens: readonly Token[]): readonly Token[] => {
  if (tokens.length < 2) return tokens;
  const amounts = new Map<Hash, bigint>();
  for (const { id, amount } of tokens) amounts.set(id, (amounts.get(id) ?? 0n) + amount);
  return [...amounts].map(([id, amount]) => ({ id, amount }));
};

const outputRowOf = (output: Output, txHash: Hash, order: number, isFixed: boolean): OutputRow => {
  const isContract = output.kind === 'contract';
  const lockupScript = isContract ? ({ kind: 'p2c', contractId: output.contractId } as const) : output.lockupScript;
  return {
    order,
    key: outputKey(txHash, order),
    hint: outputHint(lockupScript),
    address: addressText(lockupScript),
    amount: output.amount,
    tokens: mergedTokens(output.tokens),
    isContract,
    isFixed,
    lockTime: isContract || output.lockTime === 0n ? undefined : output.lockTime,
    message: isContract ? undefined : output.additionalData,
  };
};

/** Rows of the inputs in order: asset inputs, then contract inputs (protocol 08 §4.5). */
export const inputRowsOf = ({
  unsigned: { inputs },
  contractInputs,
}: Pick<Transaction, 'unsigned' | 'contractInputs'>): InputRow[] => {
  const scripts = inputs.map(({ unlockScript }) => unlockScript);
  const expanded = expandUnlockScripts(scripts, ({ kind }) => kind === 'sameAsPrevious');
  const assets = inputs.map(({ outputReference: { key, hint } }, order) => ({
    order,
    key,
    hint,
    isContract: false,
    unlockScript: encode(unlockScriptCodec, scripts[order]!),
    signer: signerOf(expanded[order]!),
  }));
  const contracts = contractInputs.map(({ key, hint }, index) => ({
    order: inputs.length + index,
    key,
    hint,
    isContract: true,
    unlockScript: undefined,
    signer: undefined,
  }));
  return [...assets, ...contracts];
};

/** Rows of the outputs in order: fixed outputs, then generated ones (protocol 08 §4.5). */
export const outputRowsOf = (
  transaction: Pick<Transaction, 'unsigned' | 'generatedOutputs'>,
  txHash: Hash,
): OutputRow[] => {
  const fixed = transaction.unsigned.fixedOutputs.length;
  return [...transaction.unsigned.fixedOutputs, ...transaction.generatedOutputs].map((output, order) =>
    outputRowOf(output, txHash, order, order < fixed),
  );
};

const transactionRowOf = (transaction: Transaction, txId: bigint, isCoinbase: boolean): TransactionRow => {
  const { unsigned } = transaction;
  const hash = transactionId(unsigned);
  return {
    txId,
    hash,
    transaction,
    isCoinbase,
    script: unsigned.script && encode(statefulScriptCodec, unsigned.script),
    outputs: outputRowsOf(transaction, hash),
    inputs: inputRowsOf(transaction),
  };
};

/** All rows of a block that do not depend on other blocks (protocol 08 §4.5). */
export const blockRowsOf = (feedBlock: FeedBlock, groups: number): BlockRows => {
  const { block: source, events } = feedBlock;
  const block = blockRowOf(feedBlock, groups);
  const last = isGenesis(source.header) ? -1 : source.transactions.length - 1;
  const transactions = source.transactions.map((transaction, order) =>
    transactionRowOf(transaction, txIdOf(block.blockId, order), order === last),
  );
  const txIds = new Map(transactions.map(({ hash, txId }) => [hash, txId]));
  return {
    block,
    transactions,
    events: events.map((event, order) => {
      const txId = txIds.get(event.txId);
      if (txId === undefined) throw new RangeError(`event ${order} of block ${block.hash} has no transaction in it`);
      return {
        blockId: block.blockId,
        order,
        txId,
        contract: addressOf({ kind: 'p2c', contractId: event.contractId }),
        eventIndex: event.eventIndex,
        fields: event.fields.map(valueForm),
        step: contractStepOf(event, block.chain.from),
      };
    }),
  };
};
