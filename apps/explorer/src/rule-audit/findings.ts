import { hashArray, int2Array, int4Array, type SchemaStatements, textArray } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type Snapshot } from '../database/snapshot.js';

/** A block that breaks a rule of the chain, as table `audit_findings` keeps it. */
export interface AuditFinding {
  readonly hash: Hash;
  readonly chain: ChainIndex;
  /** Undefined: no group-node shows the block. */
  readonly height: number | undefined;
  /** The name of the rule, as in the protocol, or BlockWithoutOwner. */
  readonly rule: string;
  /** For people, with the transaction and the amounts. */
  readonly detail: string;
}

/** How far the audit is. */
export interface AuditState {
  readonly findings: number;
  /** Applied blocks that are not judged yet. */
  readonly behind: number;
}

/**
 * Stores findings, and that the audit has judged these blocks and all below them; a block that is undone meanwhile does
 * not count.
 * @param now milliseconds since 1970
 * @returns the findings that were not stored before
 */
export const storeAudit = (
  database: SchemaStatements,
  judged: readonly Hash[],
  findings: readonly AuditFinding[],
  now: number,
): Promise<readonly AuditFinding[]> =>
  database.transaction(async ({ query }) => {
    const { schema } = database;
    await query(
      'advance-audit',
      `UPDATE ${schema}.chain_heads h SET audited_height = b.height FROM ${schema}.blocks b
       WHERE b.hash = ANY($1::bytea[]) AND b.main_chain AND h.chain_from = b.chain_from AND h.chain_to = b.chain_to
         AND h.audited_height < b.height`,
      [hashArray(judged)],
    );
    if (findings.length === 0) return [];
    const rows = await query<{ block_hash: Buffer; rule: string }>(
      'insert-audit-findings',
      `INSERT INTO ${schema}.audit_findings (block_hash, rule, chain_from, chain_to, height, detail, found_at)
       SELECT f.*, $7::int8 FROM unnest($1::bytea[], $2::text[], $3::int2[], $4::int2[], $5::int4[], $6::text[]) AS f
       ON CONFLICT DO NOTHING RETURNING block_hash, rule`,
      [
        hashArray(findings.map(({ hash }) => hash)),
        textArray(findings.map(({ rule }) => rule)),
        int2Array(findings.map(({ chain }) => chain.from)),
        int2Array(findings.map(({ chain }) => chain.to)),
        int4Array(findings.map(({ height }) => height)),
        textArray(findings.map(({ detail }) => detail)),
        now,
      ],
    );
    const stored = new Set(rows.map(({ block_hash, rule }) => `${bytesToHex(block_hash)} ${rule}`));
    return findings.filter(({ hash, rule }) => stored.has(`${hash} ${rule}`));
  });

export const auditState = async ({ schema, query }: Snapshot): Promise<AuditState> => {
  const [row] = await query<{ findings: bigint; behind: bigint }>(
    'audit-state',
    `SELECT (SELECT count(*) FROM ${schema}.audit_findings) AS findings,
       (SELECT coalesce(sum(height - audited_height), 0)::int8 FROM ${schema}.chain_heads) AS behind`,
  );
  return { findings: Number(row!.findings), behind: Number(row!.behind) };
};
