/** Data of an error besides its text, e.g. `gasAmount`; amounts are decimal strings. */
export type ErrorFacts = Readonly<Record<string, unknown>>;

/**
 * The text that existing clients match, made from the facts of the case; undefined for a case that the protocol does
 * not describe. `{COIN}`, `{Coin}` and `{coin}` stand for the coin's names.
 */
export type DocumentedText = (facts: ErrorFacts) => string | undefined;

/** A text with facts in its braces, `Invalid wallet name: {walletName}`; undefined if a fact is missing. */
export const textOf =
  (template: string): DocumentedText =>
  (facts) => {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    if (names.some((name) => facts[name] === undefined)) return undefined;
    return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(facts[name]));
  };
