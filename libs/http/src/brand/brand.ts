/** The names of the coin (00-decisions, 20). */
export interface Brand {
  /** Middle part of three field names, e.g. `atto{Name}Amount` (protocol 07 §1.3). */
  readonly coinName: string;
  /** In amounts and texts: `1.5 COIN`. */
  readonly coinSymbol: string;
}

/** The names that the code has: schemas, forms and types say `attoCoinAmount`, whatever the network calls its coin. */
export const neutralBrand: Brand = { coinName: 'Coin', coinSymbol: 'COIN' };

export const isNeutral = ({ coinName, coinSymbol }: Brand): boolean =>
  coinName === neutralBrand.coinName && coinSymbol === neutralBrand.coinSymbol;

/** Names of fields with the coin's name in them. */
export const brandedFields = ['attoCoinAmount', 'initialAttoCoinAmount', 'maxAttoCoinPerUTXO'] as const;

/** In the place of the coin's symbol, in texts and in amounts that came in. */
export const symbolPlaceholder = '{COIN}';

/** `attoCoinAmount` under this brand's name. */
export const brandedField = (name: string, { coinName }: Brand): string => name.replace('Coin', coinName);

const anyBrandedField = new RegExp(`\\b(${brandedFields.join('|')})\\b`, 'g');

/** A text under this brand: its placeholders `{COIN}`, `{Coin}` and `{coin}` (the symbol in lower case), and names of fields. */
export const brandedNames = (text: string, brand: Brand): string => {
  if (!text.includes('oin') && !text.includes('{COIN}')) return text;
  return text
    .replaceAll(symbolPlaceholder, brand.coinSymbol)
    .replaceAll('{Coin}', brand.coinName)
    .replaceAll('{coin}', brand.coinSymbol.toLowerCase())
    .replaceAll(anyBrandedField, (name) => brandedField(name, brand));
};

/** The same for an error's text, in which one refusal carries the coin's name (protocol 07, Appendix C). */
export const brandedText = (text: string, brand: Brand): string =>
  brandedNames(text, brand).replaceAll('InvalidCoinBalance', `Invalid${brand.coinName}Balance`);
