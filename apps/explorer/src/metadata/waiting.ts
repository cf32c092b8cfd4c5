import { textArray } from '@shardnode/core/database';
import { addressOf } from '@shardnode/protocol/address';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Snapshot } from '../database/snapshot.js';

/** A token or contract whose interface and metadata are not read yet. */
export interface Waiting {
  readonly of: 'token' | 'contract';
  /** `token_id`, or `contract_id` with the two parts of its creation. */
  readonly key: readonly [number] | readonly [bigint, bigint, number];
  readonly address: string;
  /** From the event of the creation, hexadecimal. */
  readonly guess: string | undefined;
  /** Whether the contract is there, as far as the index knows. */
  readonly isAlive: boolean;
}

interface Creation {
  readonly address: string;
  readonly interface_guess: Buffer | null;
  readonly destruction_tx_id: bigint | null;
}

const guessOf = (creation: Creation | undefined): string | undefined =>
  creation?.interface_guess ? bytesToHex(creation.interface_guess) : undefined;

/** Newest creations of contracts, by address. */
const creationsOf = async (
  { schema, query }: Snapshot,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Creation>> => {
  const rows = await query<Creation>(
    'newest-creations',
    `SELECT DISTINCT ON (a.address_id) a.address, c.interface_guess, c.destruction_tx_id
     FROM ${schema}.addresses a JOIN ${schema}.contracts c ON c.contract_id = a.address_id
     WHERE a.address = ANY($1::text[])
     ORDER BY a.address_id, c.creation_tx_id DESC, c.creation_order DESC`,
    [textArray(addresses)],
  );
  return new Map(rows.map((row) => [row.address, row]));
};

/** Tokens that wait and may be tried at `now` (milliseconds since 1970), most recently used first. */
export const waitingTokens = async (snapshot: Snapshot, now: number, most: number): Promise<Waiting[]> => {
  const rows = await snapshot.query<{ token_id: number; token: Buffer }>(
    'waiting-tokens',
    `SELECT token_id, token FROM ${snapshot.schema}.tokens
     WHERE metadata_state = 0 AND tx_count > 0 AND coalesce(metadata_retry_at, 0) <= $1
     ORDER BY last_tx_id DESC, token_id DESC LIMIT $2`,
    [now, most],
  );
  const tokens = rows.map(({ token_id, token }) => ({
    id: token_id,
    address: addressOf({ kind: 'p2c', contractId: bytesToHex(token) }),
  }));
  const creations = await creationsOf(
    snapshot,
    tokens.map(({ address }) => address),
  );
  return tokens.map(({ id, address }) => {
    const creation = creations.get(address);
    const isAlive = creation !== undefined && creation.destruction_tx_id === null;
    return { of: 'token', key: [id], address, guess: guessOf(creation), isAlive };
  });
};

/** The same of contracts, the newest first. */
export const waitingContracts = async ({ schema, query }: Snapshot, now: number, most: number): Promise<Waiting[]> => {
  const rows = await query<Creation & { contract_id: bigint; creation_tx_id: bigint; creation_order: number }>(
    'waiting-contracts',
    `SELECT c.contract_id, c.creation_tx_id, c.creation_order, a.address, c.interface_guess, c.destruction_tx_id
     FROM ${schema}.contracts c JOIN ${schema}.addresses a ON a.address_id = c.contract_id
     WHERE c.metadata_state = 0 AND coalesce(c.metadata_retry_at, 0) <= $1
     ORDER BY c.creation_tx_id DESC, c.creation_order DESC LIMIT $2`,
    [now, most],
  );
  return rows.map((row) => ({
    of: 'contract',
    key: [row.contract_id, row.creation_tx_id, row.creation_order],
    address: row.address,
    guess: guessOf(row),
    isAlive: row.destruction_tx_id === null,
  }));
};
