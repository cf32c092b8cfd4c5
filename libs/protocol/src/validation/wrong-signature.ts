import { diagnoseSignature, type SignatureMistake } from '../crypto/index.js';
import { bytesToHex, sameBytes } from '../encoding/index.js';
import { placeOf } from './detail-words.js';
import { type Refusal, refuse } from './outcome.js';
import { isHighBesides, signatureAdvice, type SignatureWords } from './signature-advice.js';
import { type TransactionExamination } from './transaction-context.js';
import { unlockKeys } from './unlock-keys.js';

/** The place of a signature that did not verify. */
export interface WrongSignature {
  readonly examination: TransactionExamination;
  /** From 0. */
  readonly index: number;
  readonly inputIndex: number;
  readonly publicKey: Uint8Array;
}

/** `public key 02ab.. of input 1 of 2` */
export const keyPlace = (
  { transaction: { unsigned } }: TransactionExamination,
  publicKey: Uint8Array,
  inputIndex: number,
): string => `public key ${bytesToHex(publicKey)} of ${placeOf('input', inputIndex, unsigned.inputs.length)}`;

const inputKeys = ({ transaction }: TransactionExamination): (readonly Uint8Array[])[] =>
  transaction.unsigned.inputs.map(({ unlockScript }) => unlockKeys(unlockScript) ?? []);

/** Only a sender reads the mistake: a block is refused whatever it is, and without this work. */
const mistakeOf = ({ examination, index, publicKey }: WrongSignature): SignatureMistake => {
  if (examination.kind !== 'mempool') return { kind: 'unknown', isUpperHalf: false };
  const signature = examination.transaction.inputSignatures[index]!;
  const otherKeys = inputKeys(examination).flat();
  return diagnoseSignature({ message: examination.idBytes, signature, publicKey, otherKeys });
};

const placeOfSigner = (examination: TransactionExamination, signer: Uint8Array): string => {
  const inputIndex = inputKeys(examination).findIndex((keys) => keys.some((key) => sameBytes(key, signer)));
  return keyPlace(examination, signer, inputIndex);
};

const order = 'signatures go in the order of the inputs and their keys';

const wordsFor = ({ examination }: WrongSignature): SignatureWords => {
  const signedBytes = `transaction id ${bytesToHex(examination.idBytes)}`;
  return {
    signed: 'transaction id',
    signedBytes,
    anotherOrder: (publicKey) => `it is the signature of ${placeOfSigner(examination, publicKey)}; ${order}`,
    unknown: `sign the 32 bytes of the ${signedBytes}, without hashing them, with the private key of that public key; ${order}`,
  };
};

/**
 * The refusal of a signature, with its mistake where it can be known. The fact `signatureAdvice` is the part of the
 * detail that depends on a known mistake.
 */
export const refuseSignature = (wrong: WrongSignature): Refusal => {
  const { examination, index, inputIndex, publicKey } = wrong;
  const mistake = mistakeOf(wrong);
  const advice = signatureAdvice(mistake, wordsFor(wrong));
  const place = placeOf('signature', index, examination.transaction.inputSignatures.length);
  const detail = `${place} does not verify with ${keyPlace(examination, publicKey, inputIndex)}: ${advice}`;
  const isKnown = mistake.kind !== 'unknown' || isHighBesides(mistake);
  return refuse('InvalidSignature', detail, isKnown ? { signatureAdvice: advice } : undefined);
};
