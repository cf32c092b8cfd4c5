/**
 * The statements of the writer (protocol 08 §4.5 to §4.10), each over a set of rows that comes as one array for each
 * column. Numbers beyond 64 bits and arrays of arrays come as texts.
 */
export const statementTexts = (schema: string) => ({
  ...readTexts(schema),
  ...rowTexts(schema),
  ...listTexts(schema),
  ...totalTexts(schema),
  ...pendingTexts(schema),
});

export type StatementName = keyof ReturnType<typeof statementTexts>;

const outputColumns = (alias: string): string =>
  ['tx_id', 'output_order', 'key', 'spent_by', 'address_id', 'token_ids']
    .map((column) => `${alias}.${column}`)
    .concat(`${alias}.amount::text AS amount`, `${alias}.token_amounts::text[] AS token_amounts`)
    .join(', ');

const readTexts = (s: string) => ({
  heads: `SELECT chain_from, chain_to, hash, height, block_timestamp FROM ${s}.chain_heads ORDER BY chain_from, chain_to`,
  addressIds: `SELECT address, address_id FROM ${s}.addresses WHERE address = ANY($1::text[])`,
  newAddresses: `INSERT INTO ${s}.addresses (address) SELECT unnest($1::text[]) RETURNING address, address_id`,
  tokenIds: `SELECT token, token_id FROM ${s}.tokens WHERE token = ANY($1::bytea[])`,
  newTokens: `INSERT INTO ${s}.tokens (token, last_tx_id) SELECT unnest($1::bytea[]), 0 RETURNING token, token_id`,
  outputsByKey: `SELECT ${outputColumns('o')} FROM ${s}.outputs o WHERE o.key = ANY($1::bytea[])`,
  outputsOfTxs: `SELECT ${outputColumns('o')} FROM ${s}.outputs o WHERE o.tx_id = ANY($1::int8[])
    ORDER BY o.tx_id, o.output_order`,
  // Columns of the input first; those of the output that it spends are null while it is unresolved.
  inputsOfTxs: `SELECT i.tx_id AS input_tx_id, i.input_order, i.key AS input_key, i.contract, i.conflict,
      i.address_id AS signer_id, i.unlock_script, ${outputColumns('o')}
    FROM ${s}.inputs i LEFT JOIN ${s}.outputs o ON o.tx_id = i.ref_tx_id AND o.output_order = i.ref_output_order
    WHERE i.tx_id = ANY($1::int8[]) ORDER BY i.tx_id, i.input_order`,
  unresolvedInputs: `SELECT DISTINCT tx_id FROM ${s}.inputs WHERE ref_tx_id IS NULL AND key = ANY($1::bytea[])`,
  conflictInputs: `SELECT DISTINCT tx_id FROM ${s}.inputs WHERE conflict AND key = ANY($1::bytea[])`,
  openContracts: `SELECT contract_id, creation_tx_id, creation_order FROM ${s}.contracts
    WHERE contract_id = ANY($1::int8[]) AND destruction_tx_id IS NULL`,
  touched: `SELECT t.hash, a.address FROM unnest($1::int8[], $2::int8[]) AS c (address_id, tx_id)
    JOIN ${s}.transactions t ON t.tx_id = c.tx_id JOIN ${s}.addresses a ON a.address_id = c.address_id
    ORDER BY c.tx_id`,
  blocksAbove: `SELECT hash, block_id, height, block_timestamp, tx_count, hashrate::text AS hashrate FROM ${s}.blocks
    WHERE main_chain AND chain_from = $1 AND chain_to = $2 AND height > $3 ORDER BY height DESC`,
});

/** Columns of `blocks` that come as they are. */
const blockColumns = `hash, block_id, chain_from, chain_to, height, block_timestamp, tx_count, version, nonce, target,
  dep_state_hash, txs_hash, parent, deps`;
const blockArrays = `unnest($1::bytea[], $2::int8[], $3::int2[], $4::int2[], $5::int4[], $6::int8[], $7::int4[], $8::int2[],
    $9::bytea[], $10::bytea[], $11::bytea[], $12::bytea[], $13::bytea[], $14::bytea[], $15::text[])
  AS b (${blockColumns}, hashrate)`;

/** Blocks, transactions, outputs and inputs, and what undo does to them. */
const rowTexts = (s: string) => ({
  insertBlocks: `INSERT INTO ${s}.blocks (${blockColumns}, hashrate, main_chain)
    SELECT ${blockColumns}, hashrate::numeric, true FROM ${blockArrays}
    ON CONFLICT (hash) DO UPDATE SET main_chain = true, body = NULL`,
  insertSideBlocks: `INSERT INTO ${s}.blocks (${blockColumns}, hashrate, main_chain, body)
    SELECT ${blockColumns}, hashrate::numeric, false, body FROM ${blockArrays} JOIN
      unnest($1::bytea[], $16::bytea[]) AS side (hash, body) USING (hash)
    ON CONFLICT (hash) DO NOTHING`,
  makeSideBlocks: `UPDATE ${s}.blocks b SET main_chain = false, body = side.body
    FROM unnest($1::bytea[], $2::bytea[]) AS side (hash, body) WHERE b.hash = side.hash`,

  insertTransactions: `INSERT INTO ${s}.transactions (tx_id, hash, version, network_id, coinbase, script_execution_ok,
      gas_amount, gas_price, script_opt, input_signatures, script_signatures)
    SELECT tx_id, hash, version, network_id, coinbase, script_execution_ok, gas_amount, gas_price::numeric, script_opt,
      input_signatures::bytea[], script_signatures::bytea[]
    FROM unnest($1::int8[], $2::bytea[], $3::int2[], $4::int2[], $5::bool[], $6::bool[], $7::int4[], $8::text[],
        $9::bytea[], $10::text[], $11::text[])
      AS t (tx_id, hash, version, network_id, coinbase, script_execution_ok, gas_amount, gas_price, script_opt,
        input_signatures, script_signatures)`,
  deleteTransactions: `DELETE FROM ${s}.transactions WHERE tx_id = ANY($1::int8[])`,

  insertOutputs: `INSERT INTO ${s}.outputs (tx_id, output_order, key, spent_by, lock_time, address_id, hint, contract,
      fixed, amount, message, token_ids, token_amounts)
    SELECT tx_id, output_order, key, spent_by, lock_time, address_id, hint, contract, fixed, amount::numeric, message,
      token_ids::int[], token_amounts::numeric[]
    FROM unnest($1::int8[], $2::int2[], $3::bytea[], $4::int8[], $5::int8[], $6::int8[], $7::int4[], $8::bool[],
        $9::bool[], $10::text[], $11::bytea[], $12::text[], $13::text[])
      AS o (tx_id, output_order, key, spent_by, lock_time, address_id, hint, contract, fixed, amount, message,
        token_ids, token_amounts)`,
  // `spent_by` is in no index, so that the update stays in its page (protocol 08 §3.3).
  markOutputs: `UPDATE ${s}.outputs o SET spent_by = c.spent_by
    FROM unnest($1::int8[], $2::int2[], $3::int8[]) AS c (tx_id, output_order, spent_by)
    WHERE o.tx_id = c.tx_id AND o.output_order = c.output_order`,
  deleteOutputs: `DELETE FROM ${s}.outputs WHERE tx_id = ANY($1::int8[])`,

  insertInputs: `INSERT INTO ${s}.inputs (tx_id, input_order, key, hint, contract, conflict, ref_tx_id, ref_output_order,
      address_id, unlock_script)
    SELECT * FROM unnest($1::int8[], $2::int2[], $3::bytea[], $4::int4[], $5::bool[], $6::bool[], $7::int8[], $8::int2[],
      $9::int8[], $10::bytea[])`,
  changeInputs: `UPDATE ${s}.inputs i SET conflict = c.conflict, ref_tx_id = c.ref_tx_id,
      ref_output_order = c.ref_output_order, address_id = c.address_id
    FROM unnest($1::int8[], $2::int2[], $3::bool[], $4::int8[], $5::int2[], $6::int8[])
      AS c (tx_id, input_order, conflict, ref_tx_id, ref_output_order, address_id)
    WHERE i.tx_id = c.tx_id AND i.input_order = c.input_order`,
  deleteInputs: `DELETE FROM ${s}.inputs WHERE tx_id = ANY($1::int8[])`,
});

/** Lists of transactions, events and contracts, and what undo does to them. */
const listTexts = (s: string) => ({
  insertAddressTxs: `INSERT INTO ${s}.address_txs SELECT * FROM unnest($1::int8[], $2::int8[])`,
  deleteAddressTxs: `DELETE FROM ${s}.address_txs a USING unnest($1::int8[], $2::int8[]) AS c (address_id, tx_id)
    WHERE a.address_id = c.address_id AND a.tx_id = c.tx_id`,
  insertTokenTxs: `INSERT INTO ${s}.token_txs SELECT * FROM unnest($1::int4[], $2::int8[])`,
  deleteTokenTxs: `DELETE FROM ${s}.token_txs t USING unnest($1::int4[], $2::int8[]) AS c (token_id, tx_id)
    WHERE t.token_id = c.token_id AND t.tx_id = c.tx_id`,
  insertAddressTokenTxs: `INSERT INTO ${s}.address_token_txs
    SELECT * FROM unnest($1::int8[], $2::int4[], $3::int8[])`,
  deleteAddressTokenTxs: `DELETE FROM ${s}.address_token_txs t
    USING unnest($1::int8[], $2::int4[], $3::int8[]) AS c (address_id, token_id, tx_id)
    WHERE t.address_id = c.address_id AND t.token_id = c.token_id AND t.tx_id = c.tx_id`,

  insertEvents: `INSERT INTO ${s}.events (block_id, event_order, tx_id, contract_id, input_address_id, event_index, fields)
    SELECT block_id, event_order, tx_id, contract_id, input_address_id, event_index, fields::jsonb
    FROM unnest($1::int8[], $2::int4[], $3::int8[], $4::int8[], $5::int8[], $6::int2[], $7::text[])
      AS e (block_id, event_order, tx_id, contract_id, input_address_id, event_index, fields)`,
  changeEventInputs: `UPDATE ${s}.events e SET input_address_id = c.input_address_id
    FROM unnest($1::int8[], $2::int8[]) AS c (tx_id, input_address_id)
    WHERE e.tx_id = c.tx_id AND e.input_address_id IS DISTINCT FROM c.input_address_id`,
  deleteSupplyDays: `DELETE FROM ${s}.supply_days
    WHERE at >= least($1, (SELECT min(block_timestamp) FROM ${s}.chain_heads))`,
  deleteEvents: `DELETE FROM ${s}.events WHERE block_id = ANY($1::int8[])`,

  insertContracts: `INSERT INTO ${s}.contracts (contract_id, creation_tx_id, creation_order, parent_id, interface_guess,
      destruction_tx_id, destruction_order)
    SELECT * FROM unnest($1::int8[], $2::int8[], $3::int4[], $4::int8[], $5::bytea[], $6::int8[], $7::int4[])`,
  destroyContracts: `UPDATE ${s}.contracts c SET destruction_tx_id = d.tx_id, destruction_order = d.event_order
    FROM unnest($1::int8[], $2::int8[], $3::int4[], $4::int8[], $5::int4[])
      AS d (contract_id, creation_tx_id, creation_order, tx_id, event_order)
    WHERE c.contract_id = d.contract_id AND c.creation_tx_id = d.creation_tx_id AND c.creation_order = d.creation_order`,
  // The contracts that a block created are named by its events of index -1: there is no index by creation.
  deleteContracts: `DELETE FROM ${s}.contracts c USING ${s}.events e JOIN ${s}.addresses a
      ON a.address = e.fields -> 0 ->> 'value'
    WHERE e.block_id = ANY($1::int8[]) AND e.event_index = -1 AND c.contract_id = a.address_id
      AND c.creation_tx_id = e.tx_id AND c.creation_order = e.event_order`,
  restoreContracts: `UPDATE ${s}.contracts SET destruction_tx_id = NULL, destruction_order = NULL
    WHERE destruction_tx_id = ANY($1::int8[])`,
});

/** Totals: changes are added to what is stored. */
const totalTexts = (s: string) => ({
  changeAddresses: `UPDATE ${s}.addresses a SET balance = a.balance + c.balance::numeric,
      utxo_count = a.utxo_count + c.utxo_count, tx_count = a.tx_count + c.tx_count,
      public_key = coalesce(a.public_key, c.public_key)
    FROM unnest($1::int8[], $2::text[], $3::int8[], $4::int8[], $5::bytea[])
      AS c (address_id, balance, utxo_count, tx_count, public_key)
    WHERE a.address_id = c.address_id`,
  // Counts the holders of each token that come and go: balances that leave 0 or reach it.
  changeAddressTokens: `WITH change AS (
      SELECT c.address_id, c.token_id, c.balance::numeric AS balance, c.tx_count
      FROM unnest($1::int8[], $2::int4[], $3::text[], $4::int8[]) AS c (address_id, token_id, balance, tx_count)),
    before AS (
      SELECT c.token_id, coalesce(t.balance, 0) AS old, coalesce(t.balance, 0) + c.balance AS new
      FROM change c LEFT JOIN ${s}.address_tokens t ON t.address_id = c.address_id AND t.token_id = c.token_id),
    holders AS (
      SELECT token_id, sum((new > 0)::int - (old > 0)::int) AS change FROM before GROUP BY token_id),
    counted AS (
      UPDATE ${s}.tokens t SET holder_count = t.holder_count + h.change
      FROM holders h WHERE t.token_id = h.token_id AND h.change <> 0)
    INSERT INTO ${s}.address_tokens AS t (address_id, token_id, balance, tx_count) SELECT * FROM change
    ON CONFLICT (address_id, token_id) DO UPDATE
      SET balance = t.balance + excluded.balance, tx_count = t.tx_count + excluded.tx_count`,
  // An address and a token without a transaction in common: only after an undo.
  deleteAddressTokens: `DELETE FROM ${s}.address_tokens t USING unnest($1::int8[], $2::int4[]) AS c (address_id, token_id)
    WHERE t.address_id = c.address_id AND t.token_id = c.token_id AND t.tx_count = 0`,
  // After the rows of token_txs. Without transactions: 0, so that the token starts over when it comes back.
  changeTokens: `UPDATE ${s}.tokens t SET in_outputs = t.in_outputs + c.in_outputs::numeric,
      tx_count = t.tx_count + c.tx_count,
      last_tx_id = coalesce((SELECT max(x.tx_id) FROM ${s}.token_txs x WHERE x.token_id = c.token_id), 0)
    FROM unnest($1::int4[], $2::text[], $3::int8[]) AS c (token_id, in_outputs, tx_count)
    WHERE t.token_id = c.token_id`,
  addChainHours: `INSERT INTO ${s}.chain_hours AS h (bucket, chain_from, chain_to, blocks, txs)
    SELECT * FROM unnest($1::int8[], $2::int2[], $3::int2[], $4::int4[], $5::int8[])
    ON CONFLICT (bucket, chain_from, chain_to) DO UPDATE
      SET blocks = h.blocks + excluded.blocks, txs = h.txs + excluded.txs`,
  deleteChainHours: `DELETE FROM ${s}.chain_hours WHERE bucket = ANY($1::int8[]) AND blocks = 0`,
  addHashrateHours: `INSERT INTO ${s}.hashrate_hours AS h (bucket, blocks, total)
    SELECT bucket, blocks, total::numeric FROM unnest($1::int8[], $2::int4[], $3::text[]) AS c (bucket, blocks, total)
    ON CONFLICT (bucket) DO UPDATE SET blocks = h.blocks + excluded.blocks, total = h.total + excluded.total`,
  deleteHashrateHours: `DELETE FROM ${s}.hashrate_hours WHERE bucket = ANY($1::int8[]) AND blocks = 0`,
  addHeads: `INSERT INTO ${s}.chain_heads AS h (chain_from, chain_to, hash, height, block_timestamp, target, hashrate,
      tx_total, epoch, seq)
    SELECT chain_from, chain_to, hash, height, block_timestamp, target, hashrate::numeric, tx_count, '', 0
    FROM unnest($1::int2[], $2::int2[], $3::bytea[], $4::int4[], $5::int8[], $6::bytea[], $7::text[], $8::int8[])
      AS c (chain_from, chain_to, hash, height, block_timestamp, target, hashrate, tx_count)
    ON CONFLICT (chain_from, chain_to) DO UPDATE SET hash = excluded.hash, height = excluded.height,
      block_timestamp = excluded.block_timestamp, target = excluded.target, hashrate = excluded.hashrate,
      tx_total = h.tx_total + excluded.tx_total`,
  // To the block at a height of the main chain.
  setBackHead: `UPDATE ${s}.chain_heads h SET hash = b.hash, height = b.height, block_timestamp = b.block_timestamp,
      target = b.target, hashrate = b.hashrate, tx_total = h.tx_total - $4,
      audited_height = least(h.audited_height, b.height)
    FROM ${s}.blocks b WHERE h.chain_from = $1 AND h.chain_to = $2
      AND b.main_chain AND b.chain_from = $1 AND b.chain_to = $2 AND b.height = $3`,
});

/** Transactions of the mempools (protocol 08 §4.10). */
const pendingTexts = (s: string) => ({
  knownPending: `SELECT hash FROM ${s}.pending_txs WHERE hash = ANY($1::bytea[])`,
  insertPending: `INSERT INTO ${s}.pending_txs (hash, chain_from, chain_to, gas_amount, gas_price, last_seen, inputs,
      outputs)
    SELECT hash, chain_from, chain_to, gas_amount, gas_price::numeric, last_seen, inputs::jsonb, outputs::jsonb
    FROM unnest($1::bytea[], $2::int2[], $3::int2[], $4::int4[], $5::text[], $6::int8[], $7::text[], $8::text[])
      AS p (hash, chain_from, chain_to, gas_amount, gas_price, last_seen, inputs, outputs)
    WHERE NOT EXISTS (SELECT FROM ${s}.transactions t WHERE t.hash = p.hash) RETURNING hash`,
  insertPendingAddresses: `INSERT INTO ${s}.pending_tx_addresses (address, hash)
    SELECT c.address, p.hash FROM unnest($1::text[], $2::bytea[]) AS c (address, hash)
      JOIN ${s}.pending_txs p ON p.hash = c.hash`,
  deletePending: `DELETE FROM ${s}.pending_txs WHERE hash = ANY($1::bytea[]) RETURNING hash`,
  deleteOtherPending: `DELETE FROM ${s}.pending_txs p WHERE p.chain_from = $1 AND p.last_seen <= $2
    AND NOT EXISTS (SELECT FROM unnest($3::bytea[]) AS listed (hash) WHERE listed.hash = p.hash)
    RETURNING p.hash`,
});
