import { buildingTexts } from './building.js';
import { contractsTexts } from './contracts.js';
import { type DocumentedText, type ErrorFacts } from './documented-text.js';
import { edgeTexts } from './edge.js';
import { validationTexts } from './validation.js';
import { walletsTexts } from './wallets.js';

/** Where texts differ from our own. What a code of several tables says depends on the facts: the first text counts. */
const tables = [validationTexts, edgeTexts, walletsTexts, buildingTexts, contractsTexts] as readonly Readonly<
  Record<string, DocumentedText | undefined>
>[];

export { documentedCallText } from './contracts.js';

/** The text of an error that existing clients match (profile `reference`); undefined where our own is theirs. */
export const documentedText = (code: string, facts: ErrorFacts): string | undefined => {
  for (const table of tables) {
    const text = Object.hasOwn(table, code) ? table[code]?.(facts) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
};
