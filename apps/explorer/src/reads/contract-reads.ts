import { bytesToHex } from '@shardnode/protocol/encoding';
import { type ContractLivenessAnswer } from '../answers/contracts.js';
import { type Page } from '../database/page.js';
import { type Snapshot } from '../database/snapshot.js';
import { interfaceName } from '../blocks/interfaces.js';

interface LifeRow {
  readonly parent: string | null;
  readonly interface_id: string | null;
  readonly created_in: Buffer;
  readonly created_by: Buffer;
  readonly created_at: bigint;
  readonly destroyed_in: Buffer | null;
  readonly destroyed_by: Buffer | null;
  readonly destroyed_at: bigint | null;
}

const lifeOf = (row: LifeRow): ContractLivenessAnswer => ({
  parent: row.parent,
  creation: {
    blockHash: bytesToHex(row.created_in),
    txHash: bytesToHex(row.created_by),
    timestamp: Number(row.created_at),
  },
  destruction:
    row.destroyed_in === null
      ? null
      : {
          blockHash: bytesToHex(row.destroyed_in),
          txHash: bytesToHex(row.destroyed_by!),
          timestamp: Number(row.destroyed_at),
        },
  interfaceId: interfaceName(row.interface_id),
});

/** The lives of a contract, from a creation to a destruction, newest first; none when it was never created. */
export const contractLives = async (
  { schema, query }: Snapshot,
  address: string,
  { limit, offset }: Page,
): Promise<ContractLivenessAnswer[]> => {
  const rows = await query<LifeRow>(
    'contract-lives',
    `SELECT p.address AS parent, c.interface_id,
       cb.hash AS created_in, ct.hash AS created_by, cb.block_timestamp AS created_at,
       db.hash AS destroyed_in, dt.hash AS destroyed_by, db.block_timestamp AS destroyed_at
     FROM (SELECT * FROM ${schema}.contracts
       WHERE contract_id = (SELECT address_id FROM ${schema}.addresses WHERE address = $1)
       ORDER BY creation_tx_id DESC, creation_order DESC LIMIT $2 OFFSET $3) c
     JOIN ${schema}.transactions ct ON ct.tx_id = c.creation_tx_id
     JOIN ${schema}.blocks cb ON cb.main_chain AND cb.block_id = c.creation_tx_id >> 11
     LEFT JOIN ${schema}.transactions dt ON dt.tx_id = c.destruction_tx_id
     LEFT JOIN ${schema}.blocks db ON db.main_chain AND db.block_id = c.destruction_tx_id >> 11
     LEFT JOIN ${schema}.addresses p ON p.address_id = c.parent_id
     ORDER BY c.creation_tx_id DESC, c.creation_order DESC`,
    [address, limit, offset],
  );
  return rows.map(lifeOf);
};

/** The life of a contract since its newest creation; undefined when it was never created. */
export const contractLiveness = async (
  snapshot: Snapshot,
  address: string,
): Promise<ContractLivenessAnswer | undefined> => (await contractLives(snapshot, address, { limit: 1, offset: 0 }))[0];

/** The contract that created a contract, at its newest creation; undefined for none, and for an unknown contract. */
export const contractParent = async ({ schema, query }: Snapshot, address: string): Promise<string | undefined> => {
  const rows = await query<{ parent: string | null }>(
    'contract-parent',
    `SELECT (SELECT address FROM ${schema}.addresses WHERE address_id = c.parent_id) AS parent
     FROM ${schema}.contracts c
     WHERE c.contract_id = (SELECT address_id FROM ${schema}.addresses WHERE address = $1)
     ORDER BY c.creation_tx_id DESC, c.creation_order DESC LIMIT 1`,
    [address],
  );
  return rows[0]?.parent ?? undefined;
};

/** Contracts that a contract created, each once, newest creation first, inside a transaction in the order of events. */
export const subContracts = async (
  { schema, query }: Snapshot,
  address: string,
  { limit, offset }: Page,
): Promise<string[]> => {
  const rows = await query<{ address: string }>(
    'sub-contracts',
    `SELECT a.address FROM ${schema}.contracts c JOIN ${schema}.addresses a ON a.address_id = c.contract_id
     WHERE c.parent_id = (SELECT address_id FROM ${schema}.addresses WHERE address = $1)
       AND NOT EXISTS (SELECT FROM ${schema}.contracts n
         WHERE n.contract_id = c.contract_id AND n.parent_id = c.parent_id
           AND (n.creation_tx_id, n.creation_order) > (c.creation_tx_id, c.creation_order))
     ORDER BY c.creation_tx_id DESC, c.creation_order LIMIT $2 OFFSET $3`,
    [address, limit, offset],
  );
  return rows.map((row) => row.address);
};

/** Addresses of contracts that are there, those that the index met last first. */
export const newestContracts = async ({ schema, query }: Snapshot, most: number): Promise<string[]> => {
  const rows = await query<{ address: string }>(
    'newest-contracts',
    `SELECT a.address FROM (SELECT contract_id FROM ${schema}.contracts WHERE destruction_tx_id IS NULL
       ORDER BY contract_id DESC LIMIT $1) c JOIN ${schema}.addresses a ON a.address_id = c.contract_id
     ORDER BY a.address_id DESC`,
    [most],
  );
  return rows.map(({ address }) => address);
};
