import { type ErrorCode } from '../error-codes.js';
import { type DocumentedText } from './documented-text.js';

/** Building a transaction (protocol 02 §4, 07 §16.11). */
export const buildingTexts: Partial<Record<ErrorCode, DocumentedText>> = {};
