import { brandedNames, neutralBrand } from '@shardnode/http';

/** The text of a failure as a group-node sends it, with the symbol of the coin in place of `{COIN}` and `{coin}` (protocol 05 §12.3). */
export const failureText = (text: string, coinSymbol: string): string =>
  brandedNames(text, { ...neutralBrand, coinSymbol });
