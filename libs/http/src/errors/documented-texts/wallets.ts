import { type ErrorCode } from '../error-codes.js';
import { type DocumentedText } from './documented-text.js';

/** Wallets (protocol 07 §3.4). */
export const walletsTexts: Partial<Record<ErrorCode, DocumentedText>> = {};
