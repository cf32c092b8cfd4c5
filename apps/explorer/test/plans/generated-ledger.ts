import { textArray, type Database } from '@shardnode/core/database';
import { addressOf } from '@shardnode/protocol/address';
import { launchTimestamp } from '@shardnode/protocol/block';
import { blake2b } from '@shardnode/protocol/crypto';
import { bytesToHex } from '@shardnode/protocol/encoding';

const groups = 4;
const transactionsOfBlock = 5;
/** Milliseconds from block to block; one for each chain in turn. */
const spacing = 4_000;

/** Values of parameters of requests that have answers, by the parameter's name. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

const bytesOf = (kind: string, index: number): Uint8Array => blake2b(new TextEncoder().encode(`${kind} ${index}`));

/**
 * Fills an empty index with a ledger of coin and token transfers, events and contracts, by statements over whole tables.
 * Address number 1 is in every transaction, contract and token number 1 in many; the others share the rest evenly.
 * Amounts are not balanced: plans do not depend on them.
 */
export const generateLedger = async (database: Database, transactions: number): Promise<KnownValues> => {
  const counts = { addresses: transactions / 10, contracts: transactions / 50, pending: transactions / 25 };
  const contractIds = Array.from({ length: counts.contracts }, (_, i) => bytesToHex(bytesOf('contract', i)));
  const addresses = [
    ...Array.from({ length: counts.addresses }, (_, i) =>
      addressOf({ kind: 'p2pkh', publicKeyHash: bytesToHex(bytesOf('address', i)) }),
    ),
    ...contractIds.map((contractId) => addressOf({ kind: 'p2c', contractId })),
  ];
  const { schema } = database;
  await database.query('generate-addresses', `INSERT INTO ${schema}.addresses (address) SELECT unnest($1::text[])`, [
    textArray(addresses),
  ]);
  await database.query(
    'generate-tokens',
    `INSERT INTO ${schema}.tokens (token, last_tx_id) SELECT decode(unnest($1::text[]), 'hex'), 0`,
    [textArray(contractIds)],
  );
  await database.script(`SET search_path = ${schema}; ${ledgerScript({ transactions, ...counts })}; ANALYZE`);
  return knownValues(database, { addresses, contractIds, firstContract: counts.addresses });
};

interface LedgerCounts {
  readonly transactions: number;
  readonly addresses: number;
  readonly contracts: number;
  readonly pending: number;
}

/** Of transaction number `i`. */
const blockOf = (i: string): string => `((${i}) / ${transactionsOfBlock})`;
const chainOf = (block: string): string => `(${block} % ${groups ** 2})`;
const timeOf = (block: string): string => `(${launchTimestamp} + ${block}::int8 * ${spacing})`;
const blockIdOf = (block: string): string => `(${timeOf(block)} * 1024 + 1023 - ${chainOf(block)})`;
const txIdOf = (i: string): string => `(${blockIdOf(blockOf(i))} * 2048 + 2047 - (${i}) % ${transactionsOfBlock})`;
const hashOf = (kind: string, number: string): string => `sha256(convert_to('${kind} ' || (${number}), 'UTF8'))`;
/** Transactions from one to the one that spends its second output. */
const spentAfter = 100;

const ledgerScript = ({ transactions, addresses, contracts, pending }: LedgerCounts): string => {
  const all = `generate_series(0, ${transactions - 1}) AS i`;
  const blocks = `generate_series(0, ${transactions / transactionsOfBlock - 1}) AS b`;
  /** Number of the address of the second output. */
  const receiver = (i: string): string => `(2 + (${i})::int8 * 7919 % ${addresses - 1})`;
  /** Every fifth transaction moves a token, every tenth number 1. */
  const token = (i: string): string => `CASE WHEN ${i} % 10 = 0 THEN 1 ELSE 1 + ${i} / 10 % ${contracts} END`;
  /** Number among all addresses, of the contract of an event. */
  const emitter = (i: string): string =>
    `(${addresses} + CASE WHEN ${i} % 8 = 0 THEN 1 ELSE 1 + ${i} / 8 % ${contracts} END)`;
  const lockedUntil = (i: string): string => `CASE WHEN ${i} % 50 = 0 THEN ${timeOf(blockOf(i))} + 31536000000000 END`;
  return `
INSERT INTO blocks (hash, block_id, chain_from, chain_to, height, block_timestamp, main_chain, tx_count, version, nonce,
    target, dep_state_hash, txs_hash, parent, deps, hashrate)
  SELECT ${hashOf('block', 'b')}, ${blockIdOf('b')}, ${chainOf('b')} / ${groups}, ${chainOf('b')} % ${groups},
    b / ${groups ** 2}, ${timeOf('b')}, true, ${transactionsOfBlock}, 0, '\\x00', '\\x1d00ffff',
    ${hashOf('state', 'b')}, ${hashOf('root', 'b')}, ${hashOf('block', `b - ${groups ** 2}`)},
    decode(repeat('ab', ${32 * (2 * groups - 1)}), 'hex'), 1000000
  FROM ${blocks};
INSERT INTO chain_heads (chain_from, chain_to, hash, height, block_timestamp, target, hashrate, tx_total, epoch, seq)
  SELECT DISTINCT ON (chain_from, chain_to) chain_from, chain_to, hash, height, block_timestamp, target, hashrate,
    (height + 1) * ${transactionsOfBlock}, '', 0
  FROM blocks ORDER BY chain_from, chain_to, height DESC;
INSERT INTO chain_hours (bucket, chain_from, chain_to, blocks, txs)
  SELECT block_timestamp / 3600000 * 3600000, chain_from, chain_to, count(*), sum(tx_count) FROM blocks GROUP BY 1, 2, 3;
INSERT INTO hashrate_hours (bucket, blocks, total)
  SELECT bucket, sum(blocks), sum(blocks) * 1000000 FROM chain_hours GROUP BY 1;
INSERT INTO transactions (tx_id, hash, version, network_id, coinbase, script_execution_ok, gas_amount, gas_price,
    input_signatures)
  SELECT ${txIdOf('i')}, ${hashOf('transaction', 'i')}, 0, 4, i % ${transactionsOfBlock} = ${transactionsOfBlock - 1}, true,
    20000, 100000000000, ARRAY[decode(repeat('ab', 64), 'hex')]
  FROM ${all};
INSERT INTO outputs (tx_id, output_order, key, spent_by, lock_time, address_id, hint, contract, fixed, amount, message,
    token_ids, token_amounts)
  SELECT ${txIdOf('i')}, o, ${hashOf('output', `i || '/' || o`)},
    CASE WHEN o = 1 AND i + ${spentAfter} < ${transactions} THEN ${txIdOf(`i + ${spentAfter}`)} END,
    CASE WHEN o = 0 THEN ${lockedUntil('i')} END, CASE o WHEN 0 THEN 1 ELSE ${receiver('i')} END, 7, false, true,
    1000000000000000000 + i, '\\x', CASE WHEN o = 1 AND i % 5 = 0 THEN ARRAY[${token('i')}] END,
    CASE WHEN o = 1 AND i % 5 = 0 THEN ARRAY[5::numeric] END
  FROM ${all}, generate_series(0, 1) AS o;
INSERT INTO inputs (tx_id, input_order, key, hint, contract, ref_tx_id, ref_output_order, unlock_script)
  SELECT ${txIdOf('i')}, 0, ${hashOf('output', `(i - ${spentAfter}) || '/1'`)}, 7, false, ${txIdOf(`i - ${spentAfter}`)}, 1,
    decode('00' || repeat('ab', 33), 'hex')
  FROM ${all} WHERE i >= ${spentAfter};
INSERT INTO address_txs (address_id, tx_id)
  SELECT address_id, tx_id FROM outputs
  UNION SELECT o.address_id, i.tx_id FROM inputs i
    JOIN outputs o ON o.tx_id = i.ref_tx_id AND o.output_order = i.ref_output_order;
INSERT INTO address_token_txs (address_id, token_id, tx_id)
  SELECT DISTINCT o.address_id, t, x.tx_id FROM outputs o CROSS JOIN LATERAL unnest(o.token_ids) AS t
    CROSS JOIN LATERAL (VALUES (o.tx_id), (o.spent_by)) AS x (tx_id)
  WHERE x.tx_id IS NOT NULL;
INSERT INTO token_txs (token_id, tx_id) SELECT DISTINCT token_id, tx_id FROM address_token_txs;
INSERT INTO address_tokens (address_id, token_id, balance, tx_count)
  SELECT address_id, token_id, tx_id_count % 3, tx_id_count
  FROM (SELECT address_id, token_id, count(*) AS tx_id_count FROM address_token_txs GROUP BY 1, 2) AS held;
UPDATE tokens t SET last_tx_id = n.last, tx_count = n.txs, holder_count = 1, in_outputs = n.txs,
    interface_id = CASE WHEN t.token_id % 2 = 0 THEN '0001' ELSE '000301' END,
    category = CASE WHEN t.token_id % 2 = 0 THEN '0001' ELSE '0003' END, metadata_state = 1
  FROM (SELECT token_id, max(tx_id) AS last, count(*) AS txs FROM token_txs GROUP BY 1) AS n WHERE n.token_id = t.token_id;
UPDATE addresses a SET tx_count = n.txs, balance = 1000000000000000000::numeric * n.txs + a.address_id,
    public_key = decode(repeat('ab', 33), 'hex')
  FROM (SELECT address_id, count(*) AS txs FROM address_txs GROUP BY 1) AS n WHERE n.address_id = a.address_id;
UPDATE addresses a SET utxo_count = n.utxos
  FROM (SELECT address_id, count(*) AS utxos FROM outputs WHERE spent_by IS NULL GROUP BY 1) AS n
  WHERE n.address_id = a.address_id;
INSERT INTO events (block_id, event_order, tx_id, contract_id, input_address_id, event_index, fields)
  SELECT ${blockIdOf(blockOf('i'))}, i % ${transactionsOfBlock}, ${txIdOf('i')}, ${emitter('i')}, ${receiver('i')}, i % 3,
    '[{"type":"U256","value":"1"}]'
  FROM ${all} WHERE i % 4 = 0;
INSERT INTO contracts (contract_id, creation_tx_id, creation_order, parent_id, interface_id, category, metadata_state,
    destruction_tx_id, destruction_order)
  SELECT ${addresses} + c, ${txIdOf('c - 1')}, 0, CASE WHEN c > 1 THEN ${addresses + 1} END, '0001', '0001', 1,
    CASE WHEN c % 10 = 0 THEN ${txIdOf('c + 10')} END, CASE WHEN c % 10 = 0 THEN 0 END
  FROM generate_series(1, ${contracts}) AS c;
INSERT INTO fungible_metadata (token_id, symbol, name, decimals)
  SELECT t, 'SYM' || t, 'Name ' || t, 18 FROM generate_series(2, ${contracts}, 2) AS t;
INSERT INTO nft_metadata (token_id, token_uri, collection, nft_index)
  SELECT t, 'data:' || t, ${hashOf('collection', 't / 100')}, t FROM generate_series(1, ${contracts}, 2) AS t;
INSERT INTO nft_collection_metadata (contract_id, collection_uri)
  SELECT ${addresses} + c, 'data:' || c FROM generate_series(1, ${contracts}, 100) AS c;
INSERT INTO pending_txs (hash, chain_from, chain_to, gas_amount, gas_price, last_seen, inputs, outputs)
  SELECT ${hashOf('pending', 'p')}, p % ${groups}, p / ${groups} % ${groups}, 20000, 100000000000, p, '[]', '[]'
  FROM generate_series(1, ${pending}) AS p;
INSERT INTO pending_tx_addresses (address, hash)
  SELECT a.address, p.hash FROM pending_txs p JOIN addresses a ON a.address_id = 1 + p.last_seen % ${addresses};
INSERT INTO supply_days (at, total, circulating, reserved, locked)
  SELECT ${launchTimestamp} + d::int8 * 86400000, 1000, 900, 50, 50 FROM generate_series(1, 1000) AS d`;
};

const knownValues = async (
  database: Database,
  {
    addresses,
    contractIds,
    firstContract,
  }: {
    readonly addresses: readonly string[];
    readonly contractIds: readonly string[];
    readonly firstContract: number;
  },
): Promise<KnownValues> => {
  const { schema } = database;
  const [found] = await database.query<{ block: string; transaction: string; emitting: string }>(
    'known-values',
    `SELECT (SELECT encode(hash, 'hex') FROM ${schema}.blocks ORDER BY block_id DESC LIMIT 1) AS block,
       (SELECT encode(hash, 'hex') FROM ${schema}.transactions ORDER BY tx_id DESC LIMIT 1) AS transaction,
       (SELECT encode(t.hash, 'hex') FROM ${schema}.events e JOIN ${schema}.transactions t USING (tx_id) LIMIT 1) AS emitting`,
  );
  const { block, transaction, emitting } = found!;
  const [crowd, quiet] = [addresses[0]!, addresses[addresses.length >> 2]!];
  const contracts = [addresses[firstContract]!, addresses[firstContract + 8]!];
  return {
    block_hash: [block],
    transaction_hash: [transaction],
    transaction_id: [emitting],
    address: [crowd, quiet],
    contract_address: contracts,
    input_address: [quiet],
    token_id: [contractIds[0]!, contractIds[7]!],
  };
};
