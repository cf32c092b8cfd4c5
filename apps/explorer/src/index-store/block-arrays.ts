import { byteaArray, hashArray, int2Array, int4Array, int8Array, textArray } from '@shardnode/core/database';
import { bigintToBytes, hexToBytes } from '@shardnode/protocol/encoding';
import { type BlockRow } from '../blocks/block-rows.js';

/** The four bytes of a compact target. */
export const targetBytes = (target: number): Uint8Array => bigintToBytes(BigInt(target), 4);

/** The columns of rows of `blocks`, as the statements that insert them take them. */
export const blockArrays = (blocks: readonly BlockRow[]): Buffer[] => [
  hashArray(blocks.map(({ hash }) => hash)),
  int8Array(blocks.map(({ blockId }) => blockId)),
  int2Array(blocks.map(({ chain }) => chain.from)),
  int2Array(blocks.map(({ chain }) => chain.to)),
  int4Array(blocks.map(({ height }) => height)),
  int8Array(blocks.map(({ timestamp }) => timestamp)),
  int4Array(blocks.map(({ txCount }) => txCount)),
  int2Array(blocks.map(({ version }) => version)),
  byteaArray(blocks.map(({ nonce }) => nonce)),
  byteaArray(blocks.map(({ target }) => targetBytes(target))),
  hashArray(blocks.map(({ depStateHash }) => depStateHash)),
  hashArray(blocks.map(({ txsHash }) => txsHash)),
  byteaArray(blocks.map(({ parent }) => (parent === undefined ? undefined : hexToBytes(parent)))),
  byteaArray(blocks.map(({ deps }) => deps)),
  textArray(blocks.map(({ hashRate }) => hashRate.toString())),
];
