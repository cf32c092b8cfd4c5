import { type ErrorCode } from '../error-codes.js';
import { type DocumentedText } from './documented-text.js';

/** Running a contract (protocol 07 §10). */
export const contractsTexts: Partial<Record<ErrorCode, DocumentedText>> = {};
