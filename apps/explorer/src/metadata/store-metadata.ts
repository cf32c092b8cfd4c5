import {
  hashArray,
  int2Array,
  int4Array,
  int8Array,
  type SchemaStatements,
  type Statements,
  textArray,
} from '@shardnode/core/database';
import { categoryOf } from '../blocks/interfaces.js';
import { type Metadata } from './metadata.js';
import { type Waiting } from './waiting.js';

/** Interface and metadata that were read of a token or contract. */
export interface Found {
  readonly item: Waiting;
  readonly interfaceId: string;
  readonly metadata: Metadata | undefined;
  /** Whether metadata of its interface could not be read. */
  readonly isIncomplete: boolean;
}

/** Milliseconds between tries (protocol 08 §4.11): the pause doubles with each failure. */
const pauses = { shortest: 30_000, longest: 21_600_000 };
/** Column `metadata_state`. */
const states = { read: 1, incomplete: 2 };

type Key = readonly [bigint, bigint, number];
const keyArrays = (items: readonly Waiting[]): Buffer[] => {
  const keys = items.map(({ key }) => key as Key);
  return [
    int8Array(keys.map(([id]) => id)),
    int8Array(keys.map(([, txId]) => txId)),
    int4Array(keys.map(([, , order]) => order)),
  ];
};
const tokenArray = (items: readonly Waiting[]): Buffer => int4Array(items.map(({ key }) => Number(key[0])));
const onlyOf = <Item>(items: readonly Item[], of: Waiting['of'], itemOf: (item: Item) => Waiting): Item[] =>
  items.filter((item) => itemOf(item).of === of);
const contractKey = 'x.contract_id = f.a AND x.creation_tx_id = f.b AND x.creation_order = f.c';

type Query = Statements['query'];

const storeInterfaces = async (query: Query, s: string, found: readonly Found[]): Promise<void> => {
  const set = 'interface_id = f.interface_id, category = f.category, metadata_state = f.state';
  const interfaceArrays = (list: readonly Found[]): Buffer[] => [
    textArray(list.map(({ interfaceId }) => interfaceId)),
    textArray(list.map(({ interfaceId }) => categoryOf(interfaceId))),
    int2Array(list.map(({ isIncomplete }) => (isIncomplete ? states.incomplete : states.read))),
  ];
  const tokens = onlyOf(found, 'token', ({ item }) => item);
  await query(
    'set-token-interfaces',
    `UPDATE ${s}.tokens x SET ${set}
     FROM unnest($1::int4[], $2::text[], $3::text[], $4::int2[]) AS f (a, interface_id, category, state)
     WHERE x.token_id = f.a`,
    [tokenArray(tokens.map(({ item }) => item)), ...interfaceArrays(tokens)],
  );
  const contracts = onlyOf(found, 'contract', ({ item }) => item);
  await query(
    'set-contract-interfaces',
    `UPDATE ${s}.contracts x SET ${set}
     FROM unnest($1::int8[], $2::int8[], $3::int4[], $4::text[], $5::text[], $6::int2[])
       AS f (a, b, c, interface_id, category, state)
     WHERE ${contractKey}`,
    [...keyArrays(contracts.map(({ item }) => item)), ...interfaceArrays(contracts)],
  );
};

const storeMetadata = async (query: Query, s: string, found: readonly Found[]): Promise<void> => {
  const withKind = <Kind extends Metadata['kind']>(kind: Kind) =>
    found.flatMap(({ item, metadata }) =>
      metadata?.kind === kind ? [{ item, metadata: metadata as Extract<Metadata, { kind: Kind }> }] : [],
    );
  const fungible = withKind('fungible');
  await query(
    'put-fungible-metadata',
    `INSERT INTO ${s}.fungible_metadata (token_id, symbol, name, decimals)
     SELECT id, symbol, name, decimals::numeric FROM unnest($1::int4[], $2::text[], $3::text[], $4::text[])
       AS f (id, symbol, name, decimals)
     ON CONFLICT (token_id) DO UPDATE SET symbol = excluded.symbol, name = excluded.name, decimals = excluded.decimals`,
    [
      tokenArray(fungible.map(({ item }) => item)),
      textArray(fungible.map(({ metadata }) => metadata.symbol)),
      textArray(fungible.map(({ metadata }) => metadata.name)),
      textArray(fungible.map(({ metadata }) => metadata.decimals)),
    ],
  );
  const nfts = withKind('nft');
  await query(
    'put-nft-metadata',
    `INSERT INTO ${s}.nft_metadata (token_id, token_uri, collection, nft_index)
     SELECT id, uri, collection, nft_index::numeric FROM unnest($1::int4[], $2::text[], $3::bytea[], $4::text[])
       AS f (id, uri, collection, nft_index)
     ON CONFLICT (token_id) DO UPDATE SET token_uri = excluded.token_uri, collection = excluded.collection,
       nft_index = excluded.nft_index`,
    [
      tokenArray(nfts.map(({ item }) => item)),
      textArray(nfts.map(({ metadata }) => metadata.tokenUri)),
      hashArray(nfts.map(({ metadata }) => metadata.collection)),
      textArray(nfts.map(({ metadata }) => metadata.nftIndex)),
    ],
  );
  const collections = withKind('collection');
  await query(
    'put-collection-metadata',
    `INSERT INTO ${s}.nft_collection_metadata (contract_id, collection_uri)
     SELECT DISTINCT ON (id) id, uri FROM unnest($1::int8[], $2::text[]) AS f (id, uri)
     ON CONFLICT (contract_id) DO UPDATE SET collection_uri = excluded.collection_uri`,
    [
      int8Array(collections.map(({ item }) => BigInt(item.key[0]))),
      textArray(collections.map(({ metadata }) => metadata.collectionUri)),
    ],
  );
};

/** Stores interfaces and metadata, in one database transaction. */
export const storeFound = (database: SchemaStatements, found: readonly Found[]): Promise<void> =>
  database.transaction(async ({ query }) => {
    await storeInterfaces(query, database.schema, found);
    await storeMetadata(query, database.schema, found);
  });

/** Puts off what could not be asked for. @param now milliseconds since 1970 */
export const storeFailures = (database: SchemaStatements, failed: readonly Waiting[], now: number): Promise<void> =>
  database.transaction(async ({ query }) => {
    const { schema: s } = database;
    const putOff = (first: number): string => `metadata_failures = least(x.metadata_failures + 1, 30),
      metadata_retry_at = $${first}::int8 + least($${first + 2}::int8, $${first + 1}::int8 * (1::int8 << x.metadata_failures::int))`;
    const times = [now, pauses.shortest, pauses.longest];
    await query('put-off-tokens', `UPDATE ${s}.tokens x SET ${putOff(2)} WHERE x.token_id = ANY($1::int4[])`, [
      tokenArray(onlyOf(failed, 'token', (item) => item)),
      ...times,
    ]);
    await query(
      'put-off-contracts',
      `UPDATE ${s}.contracts x SET ${putOff(4)} FROM unnest($1::int8[], $2::int8[], $3::int4[]) AS f (a, b, c)
       WHERE ${contractKey}`,
      [...keyArrays(onlyOf(failed, 'contract', (item) => item)), ...times],
    );
  });
