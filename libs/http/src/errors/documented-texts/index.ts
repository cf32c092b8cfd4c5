import { buildingTexts } from './building.js';
import { contractsTexts } from './contracts.js';
import { type DocumentedText, type ErrorFacts } from './documented-text.js';
import { edgeTexts } from './edge.js';
import { validationTexts } from './validation.js';
import { walletsTexts } from './wallets.js';

/** Codes whose documented text differs from our own. */
export const documentedTexts: Readonly<Record<string, DocumentedText | undefined>> = {
  ...edgeTexts,
  ...walletsTexts,
  ...buildingTexts,
  ...validationTexts,
  ...contractsTexts,
};

/** The text of an error that existing clients match (profile `reference`); undefined where our own is theirs. */
export const documentedText = (code: string, facts: ErrorFacts): string | undefined =>
  Object.hasOwn(documentedTexts, code) ? documentedTexts[code]?.(facts) : undefined;
