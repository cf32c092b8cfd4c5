import { type ErrorCode } from '../error-codes.js';
import { validationCodes } from '../validation-codes.js';
import { type DocumentedText, textOf } from './documented-text.js';

/**
 * `result`: the verdict as named in protocol 07. `template`: the transaction in hexadecimal. Only submits have them.
 */
const refused = textOf('Failed in validating tx {txId} due to {result}: {template}');

const doubleSpending: DocumentedText = ({ txId, ...facts }) =>
  textOf('tx {end} is double spending: {template}')({ ...facts, end: String(txId).slice(-8) });

/** Submitting a transaction (protocol 07 §8.4, appendix C). */
export const validationTexts: Partial<Record<ErrorCode, DocumentedText>> = {
  // Its row is in the table of building, which has another text for it.
  TooManyInputs: refused,
  ...Object.fromEntries(Object.keys(validationCodes).map((code) => [code, refused])),
  DoubleSpending: doubleSpending,
};
