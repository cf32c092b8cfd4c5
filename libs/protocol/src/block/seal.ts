import { ByteReader, ByteWriter, type Codec, encode, invalidValue, vector, wrongFormat } from '../encoding/index.js';
import { type Transaction, transactionCodec } from '../transaction/index.js';
import { headerCodec } from './header-codec.js';
import { blockHash, chainIndexOfHash } from './identity.js';
import { type Block, type BlockHeader, type SealedHeader } from './model.js';
import { isGenesis } from './time.js';

const transactionsCodec: Codec<readonly Transaction[]> = vector(transactionCodec);

export interface DecodeOptions {
  /** For blocks that this node computed and stored; a genesis header from outside is always refused. */
  readonly genesis?: 'accepted';
}

const seal = (header: BlockHeader, raw: Uint8Array, groups: number): SealedHeader => {
  const hash = blockHash(raw);
  return {
    nonce: header.nonce,
    version: header.version,
    blockDeps: header.blockDeps,
    depStateHash: header.depStateHash,
    txsHash: header.txsHash,
    timestamp: header.timestamp,
    target: header.target,
    hash,
    chainIndex: chainIndexOfHash(hash, groups),
    raw,
  };
};

/** Seals a header that was built here with its canonical encoding (protocol 01 §2.8). */
export const sealHeader = (header: BlockHeader, groups: number): SealedHeader =>
  seal(header, encode(headerCodec, header), groups);

const checkReceived = (header: BlockHeader, groups: number, options: DecodeOptions): void => {
  const expected = 2 * groups - 1;
  if (header.blockDeps.length !== expected) {
    throw invalidValue(`InvalidDepsNum: expected ${expected}, got ${header.blockDeps.length}`);
  }
  if (isGenesis(header) && options.genesis !== 'accepted') throw invalidValue('EarlierThanLaunchTimeStamp: genesis');
};

const checkAllRead = (reader: ByteReader): void => {
  if (reader.remaining > 0) {
    throw wrongFormat(`Too many bytes: expected ${reader.offset}, got ${reader.bytes.length}`);
  }
};

/**
 * A header from its bytes; `raw` is a copy of them. Throws DecodeError, also for a number of dependencies other than
 * 2G-1 (protocol 03 §2.1) and for the genesis timestamp (protocol 01 §15), both before the chain is derived.
 */
export const decodeHeader = (bytes: Uint8Array, groups: number, options: DecodeOptions = {}): SealedHeader => {
  const reader = new ByteReader(bytes);
  const header = headerCodec.read(reader);
  checkAllRead(reader);
  checkReceived(header, groups, options);
  return seal(header, reader.since(0), groups);
};

/**
 * A block from its bytes, which it retains as `raw` (protocol 01 §14.2, §2.8). Throws DecodeError; the header is
 * refused as in `decodeHeader`, before the transactions are read.
 */
export const decodeBlock = (bytes: Uint8Array, groups: number, options: DecodeOptions = {}): Block => {
  const reader = new ByteReader(bytes);
  const header = headerCodec.read(reader);
  const headerBytes = reader.since(0);
  checkReceived(header, groups, options);
  const transactions = transactionsCodec.read(reader);
  checkAllRead(reader);
  return { header: seal(header, headerBytes, groups), transactions, raw: reader.bytes };
};

/**
 * A block that was built here: a sealed header retains its bytes, the rest is the canonical encoding (protocol 01
 * §14.2).
 */
export const sealBlock = (
  header: BlockHeader | SealedHeader,
  transactions: readonly Transaction[],
  groups: number,
): Block => {
  const sealed = 'raw' in header ? header : sealHeader(header, groups);
  const writer = new ByteWriter(1024);
  writer.bytes(sealed.raw);
  transactionsCodec.write(writer, transactions);
  return { header: sealed, transactions, raw: writer.finish() };
};
