import { textLengths } from '@shardnode/messages';
import { hexToBytes, parseHex } from '@shardnode/protocol/encoding';
import { type DecodeFailure, hashFailure, hexFailure, keyFailure } from './decode-failure.js';
import { developmentValues } from './development-values.js';
import { type Leaf, type Mistake, mistake } from './leaf.js';
import { signatureFormAdvice } from './signature-form.js';

const { accounts, contract, genesis, payment } = developmentValues;

const hexOf = (raw: unknown, bytes?: number): string | undefined => {
  if (typeof raw !== 'string' || (bytes !== undefined && raw.length !== 2 * bytes)) return undefined;
  return raw.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(raw) ? raw.toLowerCase() : undefined;
};

const fixedHex = (
  bytes: number,
  description: string,
  example: string,
  failure: DecodeFailure = hashFailure('32 bytes hash'),
): Leaf<string> => ({
  expects: `${2 * bytes} hexadecimal digits`,
  failure,
  read: (raw) => hexOf(raw, bytes),
  meaning: {
    description,
    example,
    type: 'string',
    format: 'hex',
    pattern: `^[0-9a-fA-F]{${2 * bytes}}$`,
  },
});

/** Longest hexadecimal text of a transaction: more than 256 inputs and 256 outputs need (protocol 02 §5). */
const longestTransaction = 1_048_576;
/** Longest hexadecimal text of a key, a hash or a target. Its endpoint refuses a wrong length by name. */
export const longestKeyText = 1_024;

/** Any bytes, as lower-case digits. */
export const hexText: Leaf<string> = {
  expects: 'an even number of hexadecimal digits',
  failure: hexFailure,
  read: (raw) => hexOf(raw),
  meaning: {
    description: 'Bytes as hexadecimal digits',
    example: 'c0ffee',
    type: 'string',
    format: 'hex',
    pattern: '^([0-9a-fA-F]{2})*$',
    maxLength: textLengths.hex,
  },
};

/**
 * Bytes of a transaction, still as text: a text that is not hexadecimal gets the response `Invalid hex` (protocol 07
 * §8.4, step 1).
 */
export const transactionText: Leaf<string> = {
  expects: 'a text of hexadecimal digits',
  read: (raw) => (typeof raw === 'string' ? raw : undefined),
  meaning: {
    description: 'Serialized unsigned transaction, hexadecimal',
    example: payment.unsignedTx,
    type: 'string',
    format: 'hex',
    maxLength: longestTransaction,
  },
};

export const hash = fixedHex(32, '32 bytes as 64 hexadecimal digits', genesis.output.key);
export const transactionIdText = fixedHex(32, 'Id of a transaction, 64 hexadecimal digits', payment.txId);
export const blockHashText = fixedHex(
  32,
  'Hash of a block, 64 hexadecimal digits',
  genesis.blockHash,
  hashFailure('block hash'),
);
export const tokenIdText = fixedHex(32, 'Id of a token, 64 hexadecimal digits', contract.id);

const bytesOf =
  (leaf: Leaf<string>): ((raw: unknown) => Uint8Array | undefined) =>
  (raw) => {
    const text = leaf.read(raw);
    return typeof text === 'string' ? parseHex(text) : undefined;
  };
const publicKeyHex = fixedHex(33, 'Compressed public key, 66 hexadecimal digits', accounts[0].publicKey, keyFailure);
/** 33 bytes. Only endpoints that need a valid point of the curve check that. */
export const publicKey: Leaf<Uint8Array> = {
  ...publicKeyHex,
  expects: 'a public key of 66 hexadecimal digits',
  read: bytesOf(publicKeyHex),
};
export const publicKeyText = publicKeyHex;

/** The endpoint checks the length, which depends on the kind of key. */
export const senderPublicKey: Leaf<string> = {
  ...hexText,
  meaning: {
    ...hexText.meaning,
    description: 'Public key of the sender: 33 bytes (32 for bip340-schnorr)',
    example: accounts[0].publicKey,
    maxLength: longestKeyText,
  },
};

const signatureHex = fixedHex(64, 'Signature, r then s, 128 hexadecimal digits', payment.signature, keyFailure);
const expectedSignature = 'a signature of 128 hexadecimal digits';

/** Signatures of other libraries have more bytes than 64: the text says what to leave out. */
const readSignature = (raw: unknown): Uint8Array | undefined | Mistake => {
  const text = hexOf(raw);
  if (text === undefined) return undefined;
  const bytes = hexToBytes(text);
  if (bytes.length === 64) return bytes;
  const advice = signatureFormAdvice(bytes);
  return advice === undefined ? undefined : mistake(`expected ${expectedSignature}${advice}`);
};

/** 64 bytes. */
export const signature: Leaf<Uint8Array> = { ...signatureHex, expects: expectedSignature, read: readSignature };
export const signatureText = signatureHex;
