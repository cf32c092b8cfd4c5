import { hashArray, textArray } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import {
  type CollectionMetadataAnswer,
  type FungibleMetadataAnswer,
  type NftMetadataAnswer,
} from '../answers/tokens.js';
import { type Snapshot } from '../database/snapshot.js';

/** Rows in the order of the request, each once; those without a row are left out. */
const inOrder = <Row>(keys: readonly string[], rows: readonly Row[], keyOf: (row: Row) => string): Row[] => {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return [...new Set(keys)].flatMap((key) => byKey.get(key) ?? []);
};

/** Metadata of fungible tokens, in the order of the request; those that have none are left out. */
export const fungibleMetadata = async (
  { schema, query }: Snapshot,
  tokens: readonly Hash[],
): Promise<FungibleMetadataAnswer[]> => {
  const rows = await query<{ token: Buffer; symbol: string; name: string; decimals: string }>(
    'fungible-metadata',
    `SELECT t.token, m.symbol, m.name, m.decimals::text AS decimals
     FROM ${schema}.tokens t JOIN ${schema}.fungible_metadata m ON m.token_id = t.token_id
     WHERE t.token = ANY($1::bytea[])`,
    [hashArray(tokens)],
  );
  const answers = rows.map(({ token, symbol, name, decimals }) => ({ id: bytesToHex(token), symbol, name, decimals }));
  return inOrder(tokens, answers, ({ id }) => id);
};

/** The same of non-fungible ones. */
export const nftMetadata = async (
  { schema, query }: Snapshot,
  tokens: readonly Hash[],
): Promise<NftMetadataAnswer[]> => {
  const rows = await query<{ token: Buffer; token_uri: string; collection: Buffer; nft_index: string }>(
    'nft-metadata',
    `SELECT t.token, m.token_uri, m.collection, m.nft_index::text AS nft_index
     FROM ${schema}.tokens t JOIN ${schema}.nft_metadata m ON m.token_id = t.token_id
     WHERE t.token = ANY($1::bytea[])`,
    [hashArray(tokens)],
  );
  const answers = rows.map(({ token, token_uri, collection, nft_index }) => ({
    id: bytesToHex(token),
    tokenUri: token_uri,
    collectionId: bytesToHex(collection),
    nftIndex: nft_index,
  }));
  return inOrder(tokens, answers, ({ id }) => id);
};

/** Metadata of collections, by the addresses of their contracts. */
export const collectionMetadata = async (
  { schema, query }: Snapshot,
  addresses: readonly string[],
): Promise<CollectionMetadataAnswer[]> => {
  const rows = await query<{ address: string; collection_uri: string }>(
    'collection-metadata',
    `SELECT a.address, m.collection_uri FROM ${schema}.addresses a
     JOIN ${schema}.nft_collection_metadata m ON m.contract_id = a.address_id
     WHERE a.address = ANY($1::text[])`,
    [textArray(addresses)],
  );
  const answers = rows.map(({ address, collection_uri }) => ({ address, collectionUri: collection_uri }));
  return inOrder(addresses, answers, ({ address }) => address);
};
