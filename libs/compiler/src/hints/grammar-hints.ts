import { definitionHints } from './definition-hints.js';
import { type GrammarHint } from './grammar-hint.js';
import { statementHints } from './statement-hints.js';

/** The hints for texts that do not fit the grammar, by name; the first that fits counts. */
export const grammarHints: Readonly<Record<string, GrammarHint>> = { ...definitionHints, ...statementHints };
