import { type ErrorCode } from '../error-codes.js';
import { buildingTexts } from './building.js';
import { contractsTexts } from './contracts.js';
import { type DocumentedText, type ErrorFacts } from './documented-text.js';
import { edgeTexts } from './edge.js';
import { validationTexts } from './validation.js';
import { walletsTexts } from './wallets.js';

/**
 * Codes whose documented text differs from our own. A code may be in several tables, e.g. of building and of validation: the
 * first one that has a text for the facts gives it.
 */
const documentedTexts: readonly Partial<Record<ErrorCode, DocumentedText>>[] = [
  validationTexts,
  edgeTexts,
  walletsTexts,
  buildingTexts,
  contractsTexts,
];

export { documentedCallText } from './contracts.js';

/** The text of an error that existing clients match (profile `reference`); undefined where our own is theirs. */
export const documentedText = (code: string, facts: ErrorFacts): string | undefined => {
  for (const table of documentedTexts) {
    const text = Object.hasOwn(table, code) ? table[code as ErrorCode]?.(facts) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
};
