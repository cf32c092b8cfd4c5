import { hashArray, int2Array, int4Array, int8Array } from '@shardnode/core/database';
import { mostOfCheck } from './inconsistency.js';
import { type HeightRun, type Sample } from './sample.js';

/** Values of one execution of a statement. */
type Values = readonly unknown[];

/**
 * A rule of the index as a statement whose rows are what breaks it: `subject`, `stored`, `expected`. Each statement sees
 * one moment, so that blocks may be applied and undone between two of them.
 */
export interface Check {
  readonly name: string;
  /** @param schema of the index */
  readonly text: (schema: string) => string;
  /** One execution for each of them, so that none takes long. */
  readonly parts: (sample: Sample) => readonly Values[];
}

/** Addresses or tokens of one execution. */
const atOnce = 50;
/** Transactions up to which those of an address or token are read again. */
const mostTransactions = 2_000;

const portions = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, place) => items.slice(place * size, (place + 1) * size));

const runValues = (runs: readonly HeightRun[]): Values => [
  int2Array(runs.map(({ chain }) => chain.from)),
  int2Array(runs.map(({ chain }) => chain.to)),
  int4Array(runs.map(({ low }) => low)),
  int4Array(runs.map(({ high }) => high)),
];

const once = (): Values[] => [[]];
const ofBlocks = ({ opened }: Sample): Values[] => portions(opened, 200).map((hashes) => [hashArray(hashes)]);
const ofHours = (hours: readonly bigint[]): Values[] => hours.map((hour) => [hour]);
const ofIds = (ids: readonly number[]): Values[] =>
  portions(ids, atOnce).map((some) => [int8Array(some.map(BigInt)), mostTransactions]);

/** Rows of the transactions of a block. */
const inBlock = (column: string): string => `${column} >= b.block_id << 11 AND ${column} < (b.block_id + 1) << 11`;
const isOpened = 'b.main_chain AND b.hash = ANY($1::bytea[])';
const chain = (alias: string): string => `${alias}.chain_from || '-' || ${alias}.chain_to`;
const asText = (...columns: string[]): string => `concat_ws(' ', ${columns.join(', ')})`;

/** The rules, with the invariants of protocol 08 §4.1 that they are of. */
export const checks: readonly Check[] = [
  {
    // Invariant 2.
    name: 'heads',
    parts: ({ groups }) => [[groups]],
    text: (s) => `SELECT f || '-' || t AS subject, ${asText('h.height', "encode(h.hash, 'hex')")} AS stored,
        ${asText('b.height', "encode(b.hash, 'hex')")} AS expected
      FROM generate_series(0, $1::int - 1) f CROSS JOIN generate_series(0, $1::int - 1) t
        LEFT JOIN ${s}.chain_heads h ON h.chain_from = f AND h.chain_to = t
        LEFT JOIN LATERAL (
          SELECT n.hash, n.height, n.block_timestamp FROM ${s}.blocks n
          WHERE n.main_chain AND n.chain_from = f AND n.chain_to = t ORDER BY n.height DESC LIMIT 1) b ON true
      WHERE (h.hash, h.height, h.block_timestamp) IS DISTINCT FROM (b.hash, b.height, b.block_timestamp)`,
  },
  {
    // Invariant 1.
    name: 'heights and parents',
    parts: ({ runs }) => runs.map((run) => runValues([run])),
    text: (s) => `SELECT ${chain('h')} || ' ' || n.height AS subject,
        ${asText("encode(b.hash, 'hex')", "'above'", "encode(b.parent, 'hex')")} AS stored,
        coalesce('above ' || encode(p.hash, 'hex'), 'a block') AS expected
      FROM unnest($1::int2[], $2::int2[], $3::int4[], $4::int4[]) AS r (chain_from, chain_to, low, high)
        JOIN ${s}.chain_heads h ON h.chain_from = r.chain_from AND h.chain_to = r.chain_to
        CROSS JOIN LATERAL generate_series(r.low, least(r.high, h.height)) AS n (height)
        LEFT JOIN ${s}.blocks b ON b.main_chain AND b.chain_from = h.chain_from AND b.chain_to = h.chain_to
          AND b.height = n.height
        LEFT JOIN ${s}.blocks p ON p.main_chain AND p.chain_from = h.chain_from AND p.chain_to = h.chain_to
          AND p.height = n.height - 1
      WHERE b.hash IS NULL OR b.parent IS DISTINCT FROM p.hash`,
  },
  {
    // Invariant 3: of all blocks.
    name: 'numbers of blocks and transactions',
    parts: once,
    text: (s) => `SELECT ${chain('h')} AS subject, ${asText('c.blocks', 'c.txs')} AS stored,
        ${asText('h.height + 1', 'h.tx_total')} AS expected
      FROM ${s}.chain_heads h FULL JOIN (
          SELECT chain_from, chain_to, sum(blocks) AS blocks, sum(txs) AS txs FROM ${s}.chain_hours
          GROUP BY chain_from, chain_to) c
        ON c.chain_from = h.chain_from AND c.chain_to = h.chain_to
      WHERE (c.blocks, c.txs) IS DISTINCT FROM (h.height + 1, h.tx_total)`,
  },
  {
    name: 'number of hash rates',
    parts: once,
    text: (s) => `SELECT 'all chains' AS subject, r.blocks::text AS stored, h.blocks::text AS expected
      FROM (SELECT coalesce(sum(blocks), 0) AS blocks FROM ${s}.hashrate_hours) r
        CROSS JOIN (SELECT coalesce(sum(height), 0) AS blocks FROM ${s}.chain_heads) h
      WHERE r.blocks <> h.blocks`,
  },
  {
    name: 'hours of chains',
    parts: ({ hours }) => ofHours(hours),
    text: (
      s,
    ) => `SELECT ${asText('$1::text', 'chain_from', 'chain_to')} AS subject, ${asText('h.blocks', 'h.txs')} AS stored,
        ${asText('b.blocks', 'b.txs')} AS expected
      FROM (SELECT * FROM ${s}.chain_hours WHERE bucket = $1::int8) h FULL JOIN (
          SELECT chain_from, chain_to, count(*) AS blocks, sum(tx_count) AS txs FROM ${s}.blocks
          WHERE main_chain AND block_id >= $1::int8 * 1024 AND block_id < ($1::int8 + 3600000) * 1024
          GROUP BY chain_from, chain_to) b USING (chain_from, chain_to)
      WHERE (h.blocks, h.txs) IS DISTINCT FROM (b.blocks, b.txs)`,
  },
  {
    name: 'hours of hash rates',
    parts: ({ rateHours }) => ofHours(rateHours),
    text: (s) => `SELECT $1::text AS subject, ${asText('h.blocks', 'h.total')} AS stored,
        ${asText('b.blocks', 'b.total')} AS expected
      FROM (SELECT count(*) AS blocks, sum(hashrate) AS total FROM ${s}.blocks
          WHERE main_chain AND block_id >= ($1::int8 - 3599999) * 1024 AND block_id < ($1::int8 + 1) * 1024) b
        LEFT JOIN ${s}.hashrate_hours h ON h.bucket = $1::int8
      WHERE (h.blocks, h.total) IS DISTINCT FROM (b.blocks, b.total)`,
  },
  {
    name: 'transactions of blocks',
    parts: ofBlocks,
    text: (
      s,
    ) => `SELECT ${chain('b')} || ' ' || b.height AS subject, t.found::text AS stored, b.tx_count::text AS expected
      FROM ${s}.blocks b CROSS JOIN LATERAL (
        SELECT count(*) AS found FROM ${s}.transactions t WHERE ${inBlock('t.tx_id')}) t
      WHERE ${isOpened} AND t.found <> b.tx_count`,
  },
  {
    // Invariant 4, from the outputs.
    name: 'spent outputs',
    parts: ofBlocks,
    text: (s) => `SELECT ${asText('o.tx_id', 'o.output_order')} AS subject,
        coalesce('spent by ' || o.spent_by, 'unspent') AS stored, i.spending || ' inputs of it' AS expected
      FROM ${s}.blocks b JOIN ${s}.outputs o ON ${inBlock('o.tx_id')} CROSS JOIN LATERAL (
        SELECT count(*) AS spending FROM ${s}.inputs i WHERE i.tx_id = o.spent_by AND i.ref_tx_id = o.tx_id
          AND i.ref_output_order = o.output_order AND NOT i.conflict) i
      WHERE ${isOpened} AND i.spending <> (o.spent_by IS NOT NULL)::int`,
  },
  {
    // Invariant 4, from the inputs. One without an output has none in the index.
    name: 'spending inputs',
    parts: ofBlocks,
    text: (s) => `SELECT ${asText('i.tx_id', 'i.input_order')} AS subject,
        ${asText('i.ref_tx_id', 'i.ref_output_order', "CASE WHEN i.conflict THEN 'conflict' END")} AS stored,
        ${asText("encode(i.key, 'hex')", "'spent by'", 'o.spent_by')} AS expected
      FROM ${s}.blocks b JOIN ${s}.inputs i ON ${inBlock('i.tx_id')}
        LEFT JOIN ${s}.outputs o ON o.tx_id = i.ref_tx_id AND o.output_order = i.ref_output_order
      WHERE ${isOpened} AND CASE WHEN i.ref_tx_id IS NULL THEN EXISTS (SELECT FROM ${s}.outputs k WHERE k.key = i.key)
        ELSE o.key IS DISTINCT FROM i.key OR o.spent_by IS NULL OR (o.spent_by = i.tx_id) = i.conflict END`,
  },
  {
    name: 'transactions of addresses',
    parts: ofBlocks,
    text: (
      s,
    ) => `SELECT ${asText("'address'", 't.address_id', 't.tx_id')} AS subject, 'absent' AS stored, 'listed' AS expected
      FROM ${s}.blocks b CROSS JOIN LATERAL (
          SELECT o.address_id, o.tx_id FROM ${s}.outputs o WHERE ${inBlock('o.tx_id')}
          UNION SELECT o.address_id, i.tx_id FROM ${s}.inputs i
            JOIN ${s}.outputs o ON o.tx_id = i.ref_tx_id AND o.output_order = i.ref_output_order
          WHERE ${inBlock('i.tx_id')}) t
      WHERE ${isOpened} AND NOT EXISTS (
        SELECT FROM ${s}.address_txs x WHERE x.address_id = t.address_id AND x.tx_id = t.tx_id)`,
  },
  {
    // Invariant 3. Counts first: one above the bound is not read again.
    name: 'totals of addresses',
    parts: ({ addressIds }) => ofIds(addressIds),
    text: (
      s,
    ) => `SELECT 'address ' || a.address_id AS subject, ${asText('a.balance', 'a.utxo_count', 'a.tx_count')} AS stored,
        ${asText('u.balance', 'u.outputs', 'c.txs')} AS expected
      FROM ${s}.addresses a CROSS JOIN LATERAL (
          SELECT count(*) AS txs FROM (
            SELECT FROM ${s}.address_txs x WHERE x.address_id = a.address_id LIMIT $2::int + 1) x) c
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(o.amount), 0) AS balance, count(*) AS outputs
          FROM ${s}.address_txs x JOIN ${s}.outputs o ON o.tx_id = x.tx_id AND o.address_id = x.address_id
          WHERE x.address_id = a.address_id AND o.spent_by IS NULL AND c.txs <= $2::int) u
      WHERE a.address_id = ANY($1::int8[]) AND c.txs <= $2::int
        AND (a.balance, a.utxo_count, a.tx_count) IS DISTINCT FROM (u.balance, u.outputs, c.txs)`,
  },
  {
    name: 'tokens of addresses',
    parts: ({ addressIds }) => ofIds(addressIds),
    text: (s) => `WITH chosen AS MATERIALIZED (
        SELECT a.address_id FROM unnest($1::int8[]) AS a (address_id) WHERE (
          SELECT count(*) FROM (
            SELECT FROM ${s}.address_txs x WHERE x.address_id = a.address_id LIMIT $2::int + 1) x) <= $2::int),
      stored AS (
        SELECT t.address_id, t.token_id, t.balance, t.tx_count
        FROM chosen JOIN ${s}.address_tokens t ON t.address_id = chosen.address_id),
      listed AS (
        SELECT t.address_id, t.token_id, count(*) AS tx_count
        FROM chosen JOIN ${s}.address_token_txs t ON t.address_id = chosen.address_id
        GROUP BY t.address_id, t.token_id),
      held AS (
        SELECT x.address_id, u.token_id, sum(u.amount) AS balance
        FROM chosen JOIN ${s}.address_txs x ON x.address_id = chosen.address_id
          JOIN ${s}.outputs o ON o.tx_id = x.tx_id AND o.address_id = x.address_id
          CROSS JOIN LATERAL unnest(o.token_ids, o.token_amounts) AS u (token_id, amount)
        WHERE o.spent_by IS NULL GROUP BY x.address_id, u.token_id)
      SELECT ${asText("'address'", 'address_id', "'token'", 'token_id')} AS subject,
        ${asText('stored.balance', 'stored.tx_count')} AS stored, ${asText('held.balance', 'listed.tx_count')} AS expected
      FROM stored FULL JOIN listed USING (address_id, token_id) FULL JOIN held USING (address_id, token_id)
      WHERE (stored.balance, stored.tx_count) IS DISTINCT FROM (coalesce(held.balance, 0), listed.tx_count)`,
  },
  {
    name: 'totals of tokens',
    parts: ({ tokenIds }) => ofIds(tokenIds),
    text: (s) => `SELECT 'token ' || t.token_id AS subject,
        ${asText('t.tx_count', 't.last_tx_id', 't.holder_count', 't.in_outputs')} AS stored,
        ${asText('c.txs', 'c.last', 'h.holders', 'h.held')} AS expected
      FROM ${s}.tokens t CROSS JOIN LATERAL (
          SELECT count(*) AS txs, coalesce(max(x.tx_id), 0) AS last FROM (
            SELECT x.tx_id FROM ${s}.token_txs x WHERE x.token_id = t.token_id LIMIT $2::int + 1) x) c
        CROSS JOIN LATERAL (
          SELECT count(*) FILTER (WHERE a.balance > 0) AS holders, coalesce(sum(a.balance), 0) AS held
          FROM ${s}.address_tokens a WHERE a.token_id = t.token_id AND c.txs <= $2::int) h
      WHERE t.token_id = ANY($1::int8[]) AND c.txs <= $2::int
        AND (t.tx_count, t.last_tx_id, t.holder_count, t.in_outputs)
          IS DISTINCT FROM (c.txs, c.last, h.holders, h.held)`,
  },
];

/** The statement of a check, which ends after enough findings. */
export const statementOf = ({ text }: Check, schema: string): string => `${text(schema)} LIMIT ${mostOfCheck}`;
