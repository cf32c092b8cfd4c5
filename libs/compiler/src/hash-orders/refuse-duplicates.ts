import { compileError } from '../errors/compile-error.js';
import { type RuleName } from '../errors/rules.js';
import { type Span } from '../errors/span.js';
import { duplicatesInTrieOrder } from './trie-order.js';

type DuplicateRule = Extract<RuleName, `duplicate${string}`>;

/**
 * @param spanOf where the error of the first listed name is shown; undefined: nowhere
 * @throws CompileError for names that are there more than once (protocol 06 §9.4)
 */
export const refuseDuplicateNames = (
  rule: DuplicateRule,
  names: readonly string[],
  spanOf: (first: string) => Span | undefined,
): void => {
  const duplicates = duplicatesInTrieOrder(names);
  if (duplicates.length === 0) return;
  throw compileError(rule, spanOf(duplicates[0]!), { names: duplicates.join(', ') });
};

/** The same for definitions; the error is shown at the second one of the first listed name (protocol 06 §10.5). */
export const refuseDuplicates = (
  rule: DuplicateRule,
  definitions: readonly (Span & { readonly name: { readonly text: string } })[],
): void =>
  refuseDuplicateNames(
    rule,
    definitions.map(({ name }) => name.text),
    (first) => definitions.filter(({ name }) => name.text === first)[1],
  );
