import { type Block, chainIndexOfHash, sealBlock, sealHeader } from '@shardnode/protocol/block';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { assetLockupScriptCodec, lockupScriptCodec } from '@shardnode/protocol/primitives';
import { unlockScriptCodec } from '@shardnode/protocol/transaction';
import { allocationTransfer, buildMinedBlock } from '../builders/index.js';
import { developmentKeys, testKeyOfGroup } from '../keys/index.js';
import { MemoryNode, nextBlock } from '../memory-node/index.js';

const settings = developmentNetwork;
const { groups } = settings;

/** The first block of a chain after the genesis of a network, unchanged or corrupted. */
export const chainBlock = (
  chain: { from: number; to: number },
  of = settings,
  spoil?: (block: Block) => Block,
): Block => {
  const block = nextBlock(new MemoryNode(of), chain);
  return spoil ? spoil(block) : block;
};

/** The block with less work than its target requires, on the same chain. */
export const withBadWork = ({ header, transactions }: Block): Block => {
  const chain = header.chainIndex;
  for (let counter = 0; ; counter++) {
    const nonce = new Uint8Array(24);
    new DataView(nonce.buffer).setUint32(20, counter);
    const sealed = sealHeader({ ...header, target: 0x10000001, nonce }, groups);
    const { from, to } = chainIndexOfHash(sealed.hash, groups);
    if (from === chain.from && to === chain.to) return sealBlock(sealed, transactions, groups);
  }
};

/** Values that fields of messages may have, right and wrong ones of each form. */
export const poisonPool = async (): Promise<unknown[]> => {
  const keys = await developmentKeys();
  const blocks = [
    chainBlock({ from: 0, to: 0 }),
    chainBlock({ from: 2, to: 1 }),
    chainBlock({ from: 1, to: 1 }, undefined, withBadWork),
    chainBlock({ from: 3, to: 0 }, { ...settings, networkId: 7 }),
  ];
  const template = await allocationTransfer();
  const scripts = [
    ...keys.map(({ lockupScript }) => bytesToHex(encode(assetLockupScriptCodec, lockupScript))),
    bytesToHex(encode(lockupScriptCodec, { kind: 'p2c', contractId: '00'.repeat(32) })),
    ...keys.map(({ publicKey }) => bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey }))),
  ];
  return [
    ...[0, 1, 2, 3, 4, 100_000, 1.5, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 2 ** 63, 1_700_000_000_000],
    ...['', '0', '1', '00', 'ff', 'zz', '1000000000000000', String(2n ** 63n - 1n), String(2n ** 256n - 1n)],
    ...['00'.repeat(32), 'ff'.repeat(32), ...blocks.map(({ header }) => header.hash)],
    ...blocks.map(({ header }) => header.blockDeps[0]),
    ...scripts,
    ...blocks.flatMap(({ raw, header }) => [raw, header.raw, raw.slice(0, 100)]),
    template,
    template.slice(0, -1),
    Uint8Array.of(0),
    true,
    false,
  ];
};

/** A block of chain (0, 1) that is valid except for the hash of its base state. */
export const withBadStateHash = (): Block => {
  const { header, transactions } = chainBlock({ from: 0, to: 1 });
  return buildMinedBlock({
    settings,
    chain: { from: 0, to: 1 },
    blockDeps: header.blockDeps,
    depStateHash: 'ab'.repeat(32),
    timestamp: header.timestamp,
    target: header.target,
    transactions: transactions.slice(0, -1),
    miner: testKeyOfGroup(1).lockupScript,
  });
};
