/**
 * The name of the coin, known here and nowhere else (00-decisions, 20). Texts of other services carry
 * `{COIN}`, `{Coin}` and `{coin}`, the symbol in lower case.
 */
export interface Brand {
  /** Middle part of three field names, e.g. `atto{Name}Amount` (protocol 07 §1.3). */
  readonly coinName: string;
  /** In amounts and texts: `1.5 COIN`. */
  readonly coinSymbol: string;
}

export const neutralBrand: Brand = { coinName: 'Coin', coinSymbol: 'COIN' };

/** The smallest unit under this brand's name: `attoCoin`. */
export const attoUnit = (brand: Brand): string => `atto${brand.coinName}`;

/** `attoCoinAmount` under this brand's name. */
export const attoAmountField = (brand: Brand): string => `atto${brand.coinName}Amount`;

/** `initialAttoCoinAmount` under this brand's name. */
export const initialAttoAmountField = (brand: Brand): string => `initialAtto${brand.coinName}Amount`;

/** `maxAttoCoinPerUTXO` under this brand's name. */
export const maxAttoAmountField = (brand: Brand): string => `maxAtto${brand.coinName}PerUTXO`;

/** The amount in a field whose name depends on the brand, which types cannot tell. */
export const amountInField = (read: object, name: string): bigint | undefined =>
  (read as Readonly<Record<string, bigint | undefined>>)[name];

/** A text of another service under this brand: its placeholders, and the one refusal that carries the coin's name (protocol 07, Appendix C). */
export const brandedText = (text: string, brand: Brand): string => {
  if (!text.includes('oin') && !text.includes('{COIN}')) return text;
  return text
    .replaceAll('{COIN}', brand.coinSymbol)
    .replaceAll('{Coin}', brand.coinName)
    .replaceAll('{coin}', brand.coinSymbol.toLowerCase())
    .replaceAll('InvalidCoinBalance', `Invalid${brand.coinName}Balance`);
};
