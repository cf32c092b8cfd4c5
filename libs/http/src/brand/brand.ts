/** The names of the coin (00-decisions, 20). */
export interface Brand {
  /** Middle part of three field names, e.g. `atto{Name}Amount` (protocol 07 §1.3). */
  readonly coinName: string;
  /** Symbol in amounts and texts: `1.5 COIN`. */
  readonly coinSymbol: string;
}

/** The names of the coin by `API_PROFILE`; those of `reference` are compiled into its clients (protocol 07, Appendix B). */
export const namesOfProfile: Readonly<Record<'document' | 'reference', Brand>> = {
  document: { coinName: 'Coin', coinSymbol: 'COIN' },
  reference: { coinName: 'Alph', coinSymbol: 'ALPH' },
};

/** The names in the code: schemas, forms and types use `attoCoinAmount` for every brand. */
export const neutralBrand: Brand = namesOfProfile.document;

export const isNeutral = ({ coinName, coinSymbol }: Brand): boolean =>
  coinName === neutralBrand.coinName && coinSymbol === neutralBrand.coinSymbol;

/** Fields whose names contain the coin's name. */
export const brandedFields = ['attoCoinAmount', 'initialAttoCoinAmount', 'maxAttoCoinPerUTXO'] as const;

/** Placeholder of the coin's symbol in texts and in received amounts. */
export const symbolPlaceholder = '{COIN}';

/** `attoCoinAmount` with this brand's name. */
export const brandedField = (name: string, { coinName }: Brand): string => name.replace('Coin', coinName);

const anyBrandedField = new RegExp(`\\b(${brandedFields.join('|')})\\b`, 'g');

/**
 * Replaces the placeholders `{COIN}`, `{Coin}` and `{coin}` (the symbol in lower case) and field names in a text with
 * those of the brand.
 */
export const brandedNames = (text: string, brand: Brand): string => {
  if (!text.includes('oin') && !text.includes('{COIN}')) return text;
  return text
    .replaceAll(symbolPlaceholder, brand.coinSymbol)
    .replaceAll('{Coin}', brand.coinName)
    .replaceAll('{coin}', brand.coinSymbol.toLowerCase())
    .replaceAll(anyBrandedField, (name) => brandedField(name, brand));
};

/** The same for an error text; one refusal contains the coin's name (protocol 07, Appendix C). */
export const brandedText = (text: string, brand: Brand): string =>
  brandedNames(text, brand).replaceAll('InvalidCoinBalance', `Invalid${brand.coinName}Balance`);
