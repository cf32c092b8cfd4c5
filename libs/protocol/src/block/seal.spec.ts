import { describe, expect, it } from '@jest/globals';
import { DecodeError, hexToBytes } from '../encoding/index.js';
import { developmentNetwork } from '../network/index.js';
import { zeroHash } from '../primitives/index.js';
import {
  type BlockHeader,
  buildCoinbase,
  decodeBlock,
  decodeHeader,
  genesisBlock,
  genesisTimestamp,
  sealBlock,
  sealHeader,
} from './index.js';

const headerWith = (fields: Partial<BlockHeader>): BlockHeader => ({
  nonce: new Uint8Array(24),
  version: 0,
  blockDeps: Array.from({ length: 7 }, () => zeroHash),
  depStateHash: zeroHash,
  txsHash: zeroHash,
  timestamp: 1_700_000_000_000n,
  target: 0x20ffffff,
  ...fields,
});
const depsOf = (count: number): string[] => Array.from({ length: count }, () => zeroHash);
const minerScript = { kind: 'p2pkh', publicKeyHash: zeroHash } as const;
const coinbase = buildCoinbase(developmentNetwork, { from: 0, to: 0 }, 1_700_000_000_000n, 0x20ffffff, minerScript);

describe('sealing and decoding', () => {
  it('a block built here decodes to the same block', () => {
    const block = sealBlock(headerWith({}), [coinbase], 4);
    expect(block.header.raw).toHaveLength(326);
    expect(decodeBlock(block.raw, 4)).toEqual(block);
  });

  it.each([0, 1, 3, 5, 6, 8, 9])('refuses a header with %i dependencies', (count) => {
    const { raw } = sealHeader(headerWith({ blockDeps: depsOf(count) }), 4);
    expect(() => decodeHeader(raw, 4)).toThrow(DecodeError);
    expect(() => decodeHeader(raw, 4)).toThrow(`InvalidDepsNum: expected 7, got ${count}`);
    expect(() => decodeBlock(Uint8Array.of(...raw, 0), 4)).toThrow('InvalidDepsNum');
  });

  it('refuses the genesis timestamp from outside and accepts it for stored genesis blocks', () => {
    const genesis = genesisBlock(developmentNetwork, { from: 1, to: 2 });
    expect(genesis.header.timestamp).toBe(genesisTimestamp);
    expect(() => decodeBlock(genesis.raw, 4)).toThrow(DecodeError);
    expect(() => decodeHeader(genesis.header.raw, 4)).toThrow(DecodeError);
    expect(decodeBlock(genesis.raw, 4, { genesis: 'accepted' })).toEqual(genesis);
    expect(decodeHeader(genesis.header.raw, 4, { genesis: 'accepted' })).toEqual(genesis.header);
  });

  it('takes the hash over the received bytes and keeps them', () => {
    const canonical = sealBlock(headerWith({}), [coinbase], 4);
    // The number of dependencies, at byte 25, in its two-byte form.
    const received = Uint8Array.of(...canonical.raw.slice(0, 25), 0x40, 7, ...canonical.raw.slice(26));
    const block = decodeBlock(received, 4);
    expect(block.raw).toEqual(received);
    expect(block.header.raw).toEqual(received.slice(0, 327));
    expect(block.header.hash).not.toBe(canonical.header.hash);
    expect(block.header.blockDeps).toEqual(canonical.header.blockDeps);
    expect(sealBlock(block.header, block.transactions, 4).header).toBe(block.header);
  });

  it('keeps no view of a longer buffer in the header', () => {
    const canonical = sealBlock(headerWith({}), [coinbase], 4);
    const block = decodeBlock(canonical.raw, 4);
    expect(block.header.raw.buffer.byteLength).toBe(326);
    expect(block.header.nonce.buffer.byteLength).toBe(24);
  });

  it('reads a Buffer as it reads plain bytes', () => {
    const canonical = sealBlock(headerWith({}), [coinbase], 4);
    const fromBuffer = decodeBlock(Buffer.from(canonical.raw), 4);
    expect(fromBuffer.header).toEqual(canonical.header);
    expect(fromBuffer.transactions).toEqual(canonical.transactions);
    for (const bytes of [fromBuffer.raw, fromBuffer.header.raw, fromBuffer.header.nonce]) {
      expect(bytes.constructor).toBe(Uint8Array);
    }
    expect(fromBuffer.header.nonce.buffer.byteLength).toBe(24);
  });

  it('refuses bytes after the transactions', () => {
    const { raw } = sealBlock(headerWith({}), [coinbase], 4);
    const text = `Too many bytes: expected ${raw.length}, got ${raw.length + 1}`;
    expect(() => decodeBlock(Uint8Array.of(...raw, 0), 4)).toThrow(text);
    expect(() => decodeHeader(hexToBytes(''), 4)).toThrow('Too few bytes: expected 24, got 0');
  });
});
