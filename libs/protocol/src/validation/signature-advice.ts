import { type SignatureMistake } from '../crypto/index.js';

/** The words for one wrong signature. */
export interface SignatureWords {
  /** Name of the bytes that it had to sign: `transaction id`. */
  readonly signed: string;
  /** The same with its bytes: `transaction id ab12..` */
  readonly signedBytes: string;
  /** The place of another key whose signature it is, and what to do about it. */
  readonly anotherOrder: (publicKey: Uint8Array) => string;
  /** For a mistake that cannot be known. */
  readonly unknown: string;
}

const normalise = 'put n - s in its place ("low s"), or let the library do so';
const aboveHalf = 'above half the order n of the curve secp256k1';

const adviceFor = (mistake: SignatureMistake, words: SignatureWords): string => {
  switch (mistake.kind) {
    case 'upper-half':
      return `its s is ${aboveHalf}, and with n - s it verifies; ${normalise}`;
    case 'hashed-before':
      return `it signs the ${mistake.hash} hash of the ${words.signed}; sign the 32 bytes of the ${words.signedBytes} as they are, without hashing them`;
    case 'another-order':
      return words.anotherOrder(mistake.publicKey);
    case 'unknown':
      return words.unknown;
  }
};

/** Whether s is in the upper half besides another mistake. */
export const isHighBesides = (mistake: SignatureMistake): boolean =>
  mistake.kind !== 'upper-half' && mistake.isUpperHalf;

/** Fault of a wrong signature, and its remedy. */
export const signatureAdvice = (mistake: SignatureMistake, words: SignatureWords): string =>
  `${adviceFor(mistake, words)}${isHighBesides(mistake) ? `; its s is also ${aboveHalf}: ${normalise}` : ''}`;
