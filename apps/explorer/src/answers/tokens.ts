import { z } from 'zod';
import {
  contractAddress,
  count,
  digits,
  fields,
  list,
  meanings,
  numberOf,
  plainText,
  textOf,
  tokenIdText,
} from '@shardnode/http';

/** protocol 08 §5.4, §4.11 */
export const stdInterfaceId = plainText('Name of the interface, or its id; null while unknown', 'fungible').nullable();
const TokenInfo = fields(
  {
    token: textOf(tokenIdText),
    stdInterfaceId,
    interfaceId: plainText('Id of the interface, hexadecimal; null while unknown', '0001').nullable(),
    category: plainText('First four digits of the id; null while unknown', '0001').nullable(),
  },
  { description: 'Token', id: 'TokenInfo' },
);
export const TokenInfos = list(TokenInfo, 'tokens');
const FungibleMetadata = fields(
  {
    id: textOf(tokenIdText),
    symbol: plainText('Symbol, chosen by its issuer', 'USD'),
    name: plainText('Name, chosen by its issuer', 'A dollar'),
    decimals: digits('Decimal places', '6'),
  },
  { description: 'What a fungible token says of itself', id: 'FungibleTokenMetadata' },
);
export const FungibleMetadataList = list(FungibleMetadata, 'metadata of tokens');
const NftMetadata = fields(
  {
    id: textOf(tokenIdText),
    tokenUri: plainText('Where it is described, chosen by its issuer', 'https://example.com/1.json'),
    collectionId: textOf(tokenIdText, { description: 'Contract id of its collection' }),
    nftIndex: digits('Its number in the collection', '7'),
  },
  { description: 'What a non-fungible token says of itself', id: 'NFTMetadata' },
);
export const NftMetadataList = list(NftMetadata, 'metadata of tokens');
export const CollectionMetadataList = list(
  fields(
    {
      address: textOf(contractAddress),
      collectionUri: plainText('Where it is described, chosen by its issuer', 'https://example.com/collection.json'),
    },
    { description: 'What a collection says of itself', id: 'NFTCollectionMetadata' },
  ),
  'metadata of collections',
);
export const TokenDetails = fields(
  {
    ...TokenInfo.shape,
    metadata: z
      .union([FungibleMetadata, NftMetadata])
      .register(meanings, { description: 'What it says of itself; absent when nothing is known' })
      .optional(),
    txNumber: numberOf(count('Number of its transactions', 12)),
    holders: numberOf(count('Number of addresses that hold it', 3)),
    supplyInOutputs: digits('Sum over all unspent outputs', '1000000'),
  },
  { description: 'Token in full', id: 'TokenDetails' },
);

export type TokenInfoAnswer = z.input<typeof TokenInfo>;
export type FungibleMetadataAnswer = z.output<typeof FungibleMetadata>;
export type NftMetadataAnswer = z.output<typeof NftMetadata>;
export type CollectionMetadataAnswer = { readonly address: string; readonly collectionUri: string };
export type TokenDetailsAnswer = z.output<typeof TokenDetails>;
