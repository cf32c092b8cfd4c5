import { buildingTexts } from './building.js';
import { contractsTexts } from './contracts.js';
import { type DocumentedText, type ErrorFacts } from './documented-text.js';
import { edgeTexts } from './edge.js';
import { validationTexts } from './validation.js';
import { walletsTexts } from './wallets.js';

/** Texts that differ from our own. If several tables have the code, the first text that fits the facts applies. */
const tables = [validationTexts, edgeTexts, walletsTexts, buildingTexts, contractsTexts] as readonly Readonly<
  Record<string, DocumentedText | undefined>
>[];

export { documentedCallText } from './contracts.js';

/** The text of an error that existing clients match (profile `reference`); undefined if it equals our own. */
export const documentedText = (code: string, facts: ErrorFacts): string | undefined => {
  for (const table of tables) {
    const text = Object.hasOwn(table, code) ? table[code]?.(facts) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
};
