import { parseHex } from '@shardnode/protocol/encoding';
import { type Leaf } from './leaf.js';

const hexOf = (raw: unknown, bytes?: number): string | undefined => {
  if (typeof raw !== 'string' || (bytes !== undefined && raw.length !== 2 * bytes)) return undefined;
  return raw.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(raw) ? raw.toLowerCase() : undefined;
};

const fixedHex = (bytes: number, description: string, example: string): Leaf<string> => ({
  expects: `${2 * bytes} hexadecimal digits`,
  read: (raw) => hexOf(raw, bytes),
  meaning: { description, example, type: 'string', format: 'hex', pattern: `^[0-9a-fA-F]{${2 * bytes}}$` },
});

/** Any bytes, as lower-case digits. */
export const hexText: Leaf<string> = {
  expects: 'an even number of hexadecimal digits',
  read: (raw) => hexOf(raw),
  meaning: {
    description: 'Bytes as hexadecimal digits',
    example: 'c0ffee',
    type: 'string',
    format: 'hex',
    pattern: '^([0-9a-fA-F]{2})*$',
  },
};

/**
 * Bytes of a transaction, still as text: what is no hexadecimal text has an answer of its own, `Invalid hex`
 * (protocol 07 §8.4, step 1).
 */
export const transactionText: Leaf<string> = {
  expects: 'a text of hexadecimal digits',
  read: (raw) => (typeof raw === 'string' ? raw : undefined),
  meaning: {
    description: 'Serialized unsigned transaction, hexadecimal',
    example: '00040080004e20c1174876e8000137a44447',
    type: 'string',
    format: 'hex',
  },
};

const exampleHash = '503bfb16230888af4924aa8f8250d7d348b862e267d75d3147f1998050b6da69';
export const hash = fixedHex(32, '32 bytes as 64 hexadecimal digits', exampleHash);
export const transactionIdText = fixedHex(32, 'Id of a transaction, 64 hexadecimal digits', exampleHash);
export const blockHashText = fixedHex(32, 'Hash of a block, 64 hexadecimal digits', exampleHash);
export const tokenIdText = fixedHex(32, 'Id of a token, 64 hexadecimal digits', exampleHash);

const exampleKey = '0381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b0';
const bytesOf =
  (leaf: Leaf<string>): ((raw: unknown) => Uint8Array | undefined) =>
  (raw) => {
    const text = leaf.read(raw);
    return typeof text === 'string' ? parseHex(text) : undefined;
  };
const publicKeyHex = fixedHex(33, 'Compressed public key, 66 hexadecimal digits', exampleKey);
/** 33 bytes; whether they are a curve point is not examined (protocol 07 §1.5). */
export const publicKey: Leaf<Uint8Array> = {
  ...publicKeyHex,
  expects: 'a public key of 66 hexadecimal digits',
  read: bytesOf(publicKeyHex),
};
export const publicKeyText = publicKeyHex;

const signatureHex = fixedHex(
  64,
  'Signature, r then s, 128 hexadecimal digits',
  '9e1a35b2931bd04e6780d01c36e3e5337941aa80f173cfe4f4e249c44ab135272b834c1a639db9c89d673a8a30524042b0469672ca845458a5a0cf2cad53221b',
);
/** 64 bytes. */
export const signature: Leaf<Uint8Array> = {
  ...signatureHex,
  expects: 'a signature of 128 hexadecimal digits',
  read: bytesOf(signatureHex),
};
export const signatureText = signatureHex;
