import { type ErrorCode } from '../error-codes.js';
import { type DocumentedText } from './documented-text.js';

/** Submitting a transaction (protocol 07 §8.4). */
export const validationTexts: Partial<Record<ErrorCode, DocumentedText>> = {};
