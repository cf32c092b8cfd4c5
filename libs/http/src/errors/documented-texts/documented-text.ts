/** What a service says of an error besides its own text, e.g. `gasAmount`; amounts are decimal strings. */
export type ErrorFacts = Readonly<Record<string, unknown>>;

/**
 * The text that existing clients match, made from the facts of the case; undefined where the facts are of a case that the
 * document does not know. `{COIN}`, `{Coin}` and `{coin}` stand for the coin's names.
 */
export type DocumentedText = (facts: ErrorFacts) => string | undefined;

/** A text with the named facts in its braces, `Invalid wallet name: {walletName}`; of a case without one of them there is none. */
export const textOf =
  (template: string): DocumentedText =>
  (facts) => {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    if (names.some((name) => facts[name] === undefined)) return undefined;
    return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(facts[name]));
  };
