import { describe, expect, it } from '@jest/globals';
import { readVectorBytes, readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import { addressOf } from '../address/index.js';
import { verifySignature } from '../crypto/index.js';
import { bytesToHex, decode, encode, hexToBytes } from '../encoding/index.js';
import { type NetworkSettings, settingsOfKind } from '../network/index.js';
import { type Transaction, merkleLeaf, referenceOf, transactionCodec, transactionId } from '../transaction/index.js';
import {
  type BlockHeader,
  chainIndexOfHash,
  decodeBlock,
  decodeHeader,
  genesisBlocks,
  hasEnoughWork,
  headerCodec,
  launchTimestamp,
  parseCoinbaseData,
  sealBlock,
  sealHeader,
  targetValue,
  transactionsRoot,
} from './index.js';

interface Chain {
  fromGroup: number;
  toGroup: number;
}
interface HeaderFields {
  hex: string;
  nonce: string;
  version: number;
  deps: string[];
  depStateHash: string;
  txsHash: string;
  timestamp: number;
  target: string;
  targetValue?: string;
}
interface TransactionIds {
  transactionId: string;
  merkleLeafHash: string;
}
interface BlockVector {
  name: string;
  bytes: number;
  hex: string;
  hash: string;
  chainIndexWithGroupsFromDeps: Chain;
  header: HeaderFields;
  transactions: TransactionIds[];
  coinbaseData: Chain & { timestamp: number; minerData: string };
  merkleRoot: string;
}
interface GenesisVector extends Chain {
  nonce: number;
  hash: string;
  txsHash: string;
  header: string;
  transactionIds: string[];
  block: string;
}
interface BlockVectors {
  blocks: BlockVector[];
  mainNetworkBlock?: {
    file: string;
    bytes: number;
    hash: string;
    chainIndex: Chain;
    header: HeaderFields;
    merkleRoot: string;
    transactions: (TransactionIds & { bytes: number })[];
    coinbaseHex: string;
    firstFixedOutputs: {
      transactionId: string;
      outputs: { outputIndex: number; address: string; hint: number; key: string }[];
    }[];
  };
  headers: { name: string; groups: number; bytes: number; hex: string; hash: string }[];
  headerErrors: { note: string; hex: string; error: string; message: string }[];
  chainIndex: { hash: string; groups4: Chain; groups3: Chain }[];
  genesis: Record<'main' | 'test', GenesisVector[]>;
}

const file = 'blocks.json';
const vectors = readVectors<BlockVectors>(file);

const chainOf = ({ fromGroup, toGroup }: Chain): { from: number; to: number } => ({ from: fromGroup, to: toGroup });
const targetHex = (bits: number): string => bits.toString(16).padStart(8, '0');

const shownHeader = (header: BlockHeader): object => ({
  nonce: bytesToHex(header.nonce),
  version: header.version,
  deps: header.blockDeps,
  depStateHash: header.depStateHash,
  txsHash: header.txsHash,
  timestamp: Number(header.timestamp),
  target: targetHex(header.target),
});

const checkHeader = (header: BlockHeader, vector: HeaderFields): void => {
  expect(vector).toMatchObject(shownHeader(header));
  expect(bytesToHex(encode(headerCodec, header))).toBe(vector.hex);
  if (vector.targetValue !== undefined) {
    expect(targetValue(header.target)).toBe(BigInt(`0x${vector.targetValue}`));
  }
};

const idsOf = (transactions: readonly Transaction[]): TransactionIds[] =>
  transactions.map((transaction) => ({
    transactionId: transactionId(transaction.unsigned),
    merkleLeafHash: merkleLeaf(transaction),
  }));

const shownCoinbaseData = (transactions: readonly Transaction[]): object => {
  const coinbase = transactions[transactions.length - 1]!;
  const data = parseCoinbaseData(coinbase.unsigned.fixedOutputs[0]!.additionalData)!;
  return {
    fromGroup: data.chain.from,
    toGroup: data.chain.to,
    timestamp: Number(data.timestamp),
    minerData: bytesToHex(data.minerData),
  };
};

/** The public keys that the unlock scripts of a transaction name, in the order of the signatures (protocol 01 §6.3). */
const keysInOrder = (transaction: Transaction): Uint8Array[] => {
  const keys: Uint8Array[] = [];
  for (const { unlockScript } of transaction.unsigned.inputs) {
    if (unlockScript.kind === 'p2pkh') keys.push(unlockScript.publicKey);
    if (unlockScript.kind === 'p2mpkh') keys.push(...unlockScript.keys.map(({ publicKey }) => publicKey));
  }
  // Equal neighbours are opened by one signature, because they spend outputs of one lockup script.
  return keys.filter((key, i) => i === 0 || bytesToHex(key) !== bytesToHex(keys[i - 1]!));
};

const checkInputSignatures = (transaction: Transaction): void => {
  const keys = keysInOrder(transaction);
  expect(transaction.inputSignatures).toHaveLength(keys.length);
  const message = hexToBytes(transactionId(transaction.unsigned));
  for (const [i, signature] of transaction.inputSignatures.entries()) {
    expect(verifySignature(message, signature, keys[i]!)).toBe(true);
  }
};

/** The allocations are not in the vectors as such, but each one is an output of a genesis block. */
const settingsWithRecordedAllocations = (kind: 'main' | 'test'): NetworkSettings => {
  const outputs = vectors.genesis[kind].flatMap(({ block }) =>
    decodeBlock(hexToBytes(block), 4, { genesis: 'accepted' }).transactions.flatMap(
      ({ unsigned }) => unsigned.fixedOutputs,
    ),
  );
  return {
    ...settingsOfKind(kind),
    allocations: outputs.map(({ lockupScript, amount, lockTime }) => ({
      lockupScript,
      amount,
      lockDuration: lockTime - launchTimestamp,
    })),
  };
};

const isWholeHeader = <T extends object>(vector: T): vector is T & HeaderFields & { chainIndex: Chain } =>
  'chainIndex' in vector;

/** One walker for each section; a section that is claimed but missing here fails. */
const walkers: Record<string, () => void> = {
  blocks: () => {
    for (const vector of vectors.blocks) {
      it(`block ${vector.name}`, () => {
        const groups = (vector.header.deps.length + 1) / 2;
        const block = decodeBlock(hexToBytes(vector.hex), groups);
        expect(block.header.hash).toBe(vector.hash);
        expect(block.header.chainIndex).toEqual(chainOf(vector.chainIndexWithGroupsFromDeps));
        checkHeader(block.header, vector.header);
        expect(idsOf(block.transactions)).toMatchObject(
          vector.transactions.map(({ transactionId: id, merkleLeafHash }) => ({ transactionId: id, merkleLeafHash })),
        );
        expect(shownCoinbaseData(block.transactions)).toEqual(vector.coinbaseData);
        expect(transactionsRoot(block.transactions)).toBe(vector.merkleRoot);
        expect(bytesToHex(sealBlock(block.header, block.transactions, groups).raw)).toBe(vector.hex);
      });
    }
  },
  mainNetworkBlock: () => {
    const vector = vectors.mainNetworkBlock;
    if (!vector) return;
    it('the recorded block of the main network', () => {
      const bytes = readVectorBytes(vector.file.replace(/\.gz$/, ''))!;
      expect(bytes).toHaveLength(vector.bytes);
      const block = decodeBlock(bytes, 4);
      expect(block.header.hash).toBe(vector.hash);
      expect(block.header.chainIndex).toEqual(chainOf(vector.chainIndex));
      expect(hasEnoughWork(block.header.hash, block.header.target)).toBe(true);
      checkHeader(block.header, vector.header);
      expect(idsOf(block.transactions)).toEqual(
        vector.transactions.map(({ transactionId: id, merkleLeafHash }) => ({ transactionId: id, merkleLeafHash })),
      );
      expect(transactionsRoot(block.transactions)).toBe(vector.merkleRoot);
      expect(block.transactions.map((each) => encode(transactionCodec, each).length)).toEqual(
        vector.transactions.map((each) => each.bytes),
      );
      expect(bytesToHex(encode(transactionCodec, block.transactions.at(-1)!))).toBe(vector.coinbaseHex);
      const again = sealBlock({ ...shallowHeader(block.header) }, block.transactions, 4);
      expect(Buffer.compare(again.raw, bytes)).toBe(0);
      expect(again.header.hash).toBe(vector.hash);
      block.transactions.forEach(checkInputSignatures);
    });
    it('references and addresses of its first outputs', () => {
      const block = decodeBlock(readVectorBytes(vector.file.replace(/\.gz$/, ''))!, 4);
      const byId = new Map(block.transactions.map((each) => [transactionId(each.unsigned), each]));
      for (const { transactionId: id, outputs } of vector.firstFixedOutputs) {
        for (const { outputIndex, address, hint, key } of outputs) {
          const output = byId.get(id)!.unsigned.fixedOutputs[outputIndex]!;
          expect(referenceOf(output, id, outputIndex)).toEqual({ hint, key });
          expect(addressOf(output.lockupScript)).toBe(address);
        }
      }
    });
  },
  headers: () => {
    for (const vector of vectors.headers) {
      it(`header ${vector.name}`, () => {
        const header = decodeHeader(hexToBytes(vector.hex), vector.groups);
        expect(header.hash).toBe(vector.hash);
        expect(bytesToHex(header.raw)).toBe(vector.hex);
        expect(header.raw).toHaveLength(vector.bytes);
        // A vector with bytes and hash alone is a non-canonical form of the one before: other bytes, other hash.
        if (!isWholeHeader(vector)) {
          expect(sealHeader(header, vector.groups).hash).not.toBe(vector.hash);
          return;
        }
        expect(header.chainIndex).toEqual(chainOf(vector.chainIndex));
        checkHeader(header, vector);
        expect(sealHeader(header, vector.groups)).toEqual(header);
      });
    }
  },
  headerErrors: () => {
    for (const vector of vectors.headerErrors) {
      it(`refuses a header: ${vector.note}`, () => {
        const refusal = expect.objectContaining({
          name: 'DecodeError',
          kind: vector.error,
          message: vector.message,
        });
        expect(() => decodeHeader(hexToBytes(vector.hex), 3)).toThrow(refusal);
        expect(() => decode(headerCodec, hexToBytes(vector.hex))).toThrow(refusal);
      });
    }
  },
  chainIndex: () => {
    for (const vector of vectors.chainIndex) {
      it(`chain of ${vector.hash.slice(56)}`, () => {
        expect(chainIndexOfHash(vector.hash, 4)).toEqual(chainOf(vector.groups4));
        expect(chainIndexOfHash(vector.hash, 3)).toEqual(chainOf(vector.groups3));
      });
    }
  },
  genesis: () => {
    for (const kind of Object.keys(vectors.genesis) as ('main' | 'test')[]) {
      if (vectors.genesis[kind].length === 0) continue;
      it(`genesis blocks of the ${kind} network`, () => {
        const computed = genesisBlocks(settingsWithRecordedAllocations(kind)).map((block) => ({
          fromGroup: block.header.chainIndex.from,
          toGroup: block.header.chainIndex.to,
          nonce: Number(`0x${bytesToHex(block.header.nonce)}`),
          hash: block.header.hash,
          txsHash: block.header.txsHash,
          header: bytesToHex(block.header.raw),
          transactionIds: block.transactions.map(({ unsigned }) => transactionId(unsigned)),
          block: bytesToHex(block.raw),
        }));
        expect(vectors.genesis[kind]).toMatchObject(computed);
      });
    }
  },
};

/** The fields of a header without its bytes, so that sealing encodes them anew. */
const shallowHeader = ({ nonce, version, blockDeps, depStateHash, txsHash, timestamp, target }: BlockHeader) => ({
  nonce,
  version,
  blockDeps,
  depStateHash,
  txsHash,
  timestamp,
  target,
});

describe(file, () => {
  for (const section of sectionsClaimedBy(file, 'block')) {
    const walk = walkers[section];
    if (walk) walk();
    else it(`has a walker for ${section}`, () => expect(Object.keys(walkers)).toContain(section));
  }
});
