import { type ErrorCode } from '../error-codes.js';
import { type DocumentedText } from './documented-text.js';

/** The interface itself (protocol 07 §1.10). */
export const edgeTexts: Partial<Record<ErrorCode, DocumentedText>> = {};
