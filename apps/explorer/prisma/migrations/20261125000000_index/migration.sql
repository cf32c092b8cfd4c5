-- The index of the explorer (protocol 08 §3.3, §3.4).

CREATE TABLE meta (key text PRIMARY KEY, value jsonb NOT NULL);            -- schema version, network, genesis hashes, job marks

CREATE TABLE blocks (                                                      -- applied and side blocks
  hash bytea PRIMARY KEY, block_id bigint NOT NULL, chain_from smallint NOT NULL, chain_to smallint NOT NULL,
  height int NOT NULL, block_timestamp bigint NOT NULL, main_chain boolean NOT NULL, tx_count int NOT NULL,
  version smallint NOT NULL, nonce bytea NOT NULL, target bytea NOT NULL, dep_state_hash bytea NOT NULL,
  txs_hash bytea NOT NULL, parent bytea, deps bytea NOT NULL, hashrate numeric(80,0) NOT NULL,
  body bytea);                                                             -- raw block and events, side blocks only

CREATE TABLE chain_heads (                                                 -- one row per chain
  chain_from smallint, chain_to smallint, hash bytea NOT NULL, height int NOT NULL, block_timestamp bigint NOT NULL,
  target bytea NOT NULL, hashrate numeric(80,0) NOT NULL, tx_total bigint NOT NULL,
  epoch text NOT NULL, seq bigint NOT NULL,                                -- last announcement seen (09)
  PRIMARY KEY (chain_from, chain_to)) WITH (fillfactor = 50);

CREATE TABLE transactions (
  tx_id bigint PRIMARY KEY, hash bytea NOT NULL, version smallint NOT NULL, network_id smallint NOT NULL,
  coinbase boolean NOT NULL, script_execution_ok boolean NOT NULL, gas_amount int NOT NULL, gas_price numeric(78,0) NOT NULL,
  script_opt bytea, input_signatures bytea[], script_signatures bytea[]);

CREATE TABLE addresses (                                                   -- dimension and running totals
  address_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, address text NOT NULL UNIQUE,
  tx_count bigint NOT NULL DEFAULT 0, utxo_count bigint NOT NULL DEFAULT 0, balance numeric(78,0) NOT NULL DEFAULT 0,
  public_key bytea)                                                        -- set by the first P2PKH spend, never unset
  WITH (fillfactor = 70);

CREATE TABLE outputs (
  tx_id bigint, output_order smallint, key bytea NOT NULL,
  spent_by bigint,                                                         -- tx_id of the spender, null = unspent
  lock_time bigint, address_id bigint NOT NULL, hint int NOT NULL,         -- lock_time null when 0
  contract boolean NOT NULL, fixed boolean NOT NULL, amount numeric(78,0) NOT NULL, message bytea,
  token_ids int[], token_amounts numeric(78,0)[],                          -- parallel arrays, null when empty
  PRIMARY KEY (tx_id, output_order)) WITH (fillfactor = 85);

CREATE TABLE inputs (
  tx_id bigint, input_order smallint, key bytea NOT NULL, hint int NOT NULL, contract boolean NOT NULL,
  conflict boolean NOT NULL DEFAULT false,                                 -- its output is already spent by another applied tx
  ref_tx_id bigint, ref_output_order smallint,                             -- the output it spends, null = not (yet) known
  address_id bigint,                                                       -- only while unresolved: derived from the unlock script
  unlock_script bytea,                                                     -- null for contract inputs
  PRIMARY KEY (tx_id, input_order));

CREATE TABLE address_txs (address_id bigint, tx_id bigint, PRIMARY KEY (address_id, tx_id));

CREATE TABLE tokens (
  token_id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, token bytea NOT NULL UNIQUE, last_tx_id bigint NOT NULL,
  tx_count bigint NOT NULL DEFAULT 0, holder_count bigint NOT NULL DEFAULT 0,
  in_outputs numeric(78,0) NOT NULL DEFAULT 0,                             -- sum over unspent outputs
  interface_id text, category text, metadata_state smallint NOT NULL DEFAULT 0, metadata_retry_at bigint)
  WITH (fillfactor = 70);
CREATE TABLE token_txs (token_id int, tx_id bigint, PRIMARY KEY (token_id, tx_id));
CREATE TABLE address_tokens (address_id bigint, token_id int, balance numeric(78,0) NOT NULL, tx_count bigint NOT NULL,
  PRIMARY KEY (address_id, token_id)) WITH (fillfactor = 80);
CREATE TABLE address_token_txs (address_id bigint, token_id int, tx_id bigint, PRIMARY KEY (address_id, token_id, tx_id));

CREATE TABLE events (
  block_id bigint, event_order int, tx_id bigint NOT NULL, contract_id bigint NOT NULL,   -- address_id of the contract
  input_address_id bigint, event_index smallint NOT NULL, fields jsonb NOT NULL, PRIMARY KEY (block_id, event_order));
CREATE TABLE contracts (                                                   -- one row per creation; a destroyed contract can be created again
  contract_id bigint, creation_tx_id bigint, creation_order int, parent_id bigint, interface_guess bytea,
  destruction_tx_id bigint, destruction_order int, interface_id text, category text,
  metadata_state smallint NOT NULL DEFAULT 0, PRIMARY KEY (contract_id, creation_tx_id, creation_order));

CREATE TABLE fungible_metadata (token_id int PRIMARY KEY, symbol text NOT NULL, name text NOT NULL, decimals numeric(78,0) NOT NULL);
CREATE TABLE nft_metadata (token_id int PRIMARY KEY, token_uri text NOT NULL, collection bytea NOT NULL, nft_index numeric(78,0) NOT NULL);
CREATE TABLE nft_collection_metadata (contract_id bigint PRIMARY KEY, collection_uri text NOT NULL);

CREATE TABLE pending_txs (
  hash bytea PRIMARY KEY, chain_from smallint NOT NULL, chain_to smallint NOT NULL, gas_amount int NOT NULL,
  gas_price numeric(78,0) NOT NULL, last_seen bigint NOT NULL, inputs jsonb NOT NULL, outputs jsonb NOT NULL);
CREATE TABLE pending_tx_addresses (address text, hash bytea REFERENCES pending_txs ON DELETE CASCADE, PRIMARY KEY (address, hash));

CREATE TABLE chain_hours (bucket bigint, chain_from smallint, chain_to smallint, blocks int NOT NULL, txs bigint NOT NULL,
  PRIMARY KEY (bucket, chain_from, chain_to)) WITH (fillfactor = 50);
CREATE TABLE hashrate_hours (bucket bigint PRIMARY KEY, blocks int NOT NULL, total numeric(80,0) NOT NULL) WITH (fillfactor = 50);
CREATE TABLE supply_days (at bigint PRIMARY KEY, total numeric(78,0) NOT NULL, circulating numeric(78,0) NOT NULL,
  reserved numeric(78,0) NOT NULL, locked numeric(78,0) NOT NULL);

CREATE UNIQUE INDEX blocks_main_id     ON blocks (block_id) WHERE main_chain;
CREATE UNIQUE INDEX blocks_main_height ON blocks (chain_from, chain_to, height) WHERE main_chain;
CREATE INDEX blocks_side_height        ON blocks (chain_from, chain_to, height) WHERE NOT main_chain;
CREATE INDEX transactions_hash         ON transactions (hash);
CREATE INDEX addresses_rich            ON addresses (balance DESC, address_id) WHERE balance > 0;
CREATE INDEX outputs_key               ON outputs (key);
CREATE INDEX outputs_lock              ON outputs (address_id, lock_time) WHERE lock_time IS NOT NULL;
CREATE INDEX outputs_lock_time         ON outputs (lock_time) WHERE lock_time IS NOT NULL;
CREATE INDEX inputs_unresolved         ON inputs (key) WHERE ref_tx_id IS NULL;
CREATE INDEX inputs_conflict           ON inputs (key) WHERE conflict;
CREATE INDEX tokens_last               ON tokens (last_tx_id DESC, token_id DESC);
CREATE INDEX tokens_interface          ON tokens (interface_id, last_tx_id DESC, token_id DESC);
CREATE INDEX tokens_category           ON tokens (category, last_tx_id DESC, token_id DESC);
CREATE INDEX tokens_todo               ON tokens (metadata_retry_at) WHERE metadata_state = 0;
CREATE INDEX address_tokens_holders    ON address_tokens (token_id, balance DESC, address_id);
CREATE INDEX address_tokens_held       ON address_tokens (address_id, token_id) WHERE balance > 0;
CREATE INDEX events_tx                 ON events (tx_id);
CREATE INDEX events_contract           ON events (contract_id, block_id DESC, event_order);
CREATE INDEX events_contract_index     ON events (contract_id, event_index, block_id DESC, event_order);
CREATE INDEX events_contract_input     ON events (contract_id, input_address_id, block_id DESC, event_order) WHERE input_address_id IS NOT NULL;
CREATE INDEX contracts_parent          ON contracts (parent_id, creation_tx_id DESC, creation_order) WHERE parent_id IS NOT NULL;
CREATE INDEX contracts_destroyed       ON contracts (destruction_tx_id) WHERE destruction_tx_id IS NOT NULL;
CREATE INDEX contracts_interface       ON contracts (interface_id);
CREATE INDEX nft_collection_idx        ON nft_metadata (collection, nft_index);
CREATE INDEX fungible_symbol           ON fungible_metadata (lower(symbol) text_pattern_ops);
CREATE INDEX fungible_name             ON fungible_metadata (lower(name) text_pattern_ops);
CREATE INDEX pending_seen              ON pending_txs (last_seen DESC, hash);
CREATE INDEX pending_addr_hash         ON pending_tx_addresses (hash);
