import { texts } from '../texts.js';
import { askedTogether } from './asked-together.js';
import { type CollectionMetadata, type NftMetadata, type TokenMetadata } from './forms.js';
import { coinSymbol } from './network.js';

const fungible = askedTogether<TokenMetadata>('tokens/fungible-metadata', ({ id }) => id);
const nonFungible = askedTogether<NftMetadata>('tokens/nft-metadata', ({ id }) => id);
const collections = askedTogether<CollectionMetadata>('tokens/nft-collection-metadata', ({ address }) => address);

/** What a fungible token says of itself; undefined while it is not there, null if there is nothing. */
export const tokenMetadata = (id: string): TokenMetadata | undefined | null => fungible.of(id);

/** The same of a non-fungible token. */
export const nftMetadata = (id: string): NftMetadata | undefined | null => nonFungible.of(id);

/** The same of a collection. @param address of its contract */
export const collectionMetadata = (address: string): CollectionMetadata | undefined | null => collections.of(address);

/** The symbol of a token. With digits of its id where another one, or the coin, has the same: anybody can choose it. */
export const unitOf = (id: string): string => {
  const symbol = tokenMetadata(id)?.symbol ?? '';
  const digits = id.slice(0, 8);
  if (symbol.trim() === '') return texts.latest.token(digits);
  const isSame = (other: string): boolean => other.toLowerCase() === symbol.toLowerCase();
  const isTaken = isSame(coinSymbol.value) || fungible.all().some((other) => other.id !== id && isSame(other.symbol));
  return isTaken ? `${symbol} ${digits}` : symbol;
};
