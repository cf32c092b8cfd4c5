/**
 * Row ids of blocks and transactions (protocol 08 §3.2): 64 bits, ordered by time, the same whenever a block is applied.
 * They need G*G <= 1024 and timestamps below 2^42. Newest first is descending; of equal timestamps the smaller chain
 * comes first, within a block the smaller order.
 */
const chainLimit = 1_024;
const orderLimit = 2_048n;
const orderBits = 11n;
const timestampBits = 21n;

/** @param chain flat index */
export const blockIdOf = (timestamp: bigint, chain: number): bigint =>
  timestamp * BigInt(chainLimit) + BigInt(chainLimit - 1 - chain);

/** @param order of the transaction in its block */
export const txIdOf = (blockId: bigint, order: number): bigint =>
  blockId * orderLimit + orderLimit - 1n - BigInt(order);

export const blockIdOfTx = (txId: bigint): bigint => txId >> orderBits;

export const chainOfBlock = (blockId: bigint): number => chainLimit - 1 - Number(blockId % BigInt(chainLimit));

/** Milliseconds since 1970, of the transaction's block. */
export const timestampOfTx = (txId: bigint): bigint => txId >> timestampBits;

/** The order of a transaction in its block. */
export const orderOfTx = (txId: bigint): number => Number(orderLimit - 1n - (txId % orderLimit));

/** The row ids of the transactions of a block: the smallest, and the one after the largest. */
export const txIdsOfBlock = (blockId: bigint): { readonly from: bigint; readonly to: bigint } => ({
  from: blockId << orderBits,
  to: (blockId + 1n) << orderBits,
});

/** The smallest `block_id` of a block with this timestamp or a later one. */
export const firstBlockIdAt = (timestamp: bigint): bigint => blockIdOf(timestamp, chainLimit - 1);

/** The smallest `tx_id` of a block with this timestamp or a later one. */
export const firstTxIdAt = (timestamp: bigint): bigint => timestamp << timestampBits;
