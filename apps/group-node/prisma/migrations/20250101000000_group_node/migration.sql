-- What a group-node remembers (protocol 04 §9). Amounts are numeric: they exceed 64 bits.

CREATE TABLE "node_meta" (
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    CONSTRAINT "node_meta_pkey" PRIMARY KEY ("key")
);

-- Rows of one block share "seq", the order of acceptance, which the one writer counts: an index that only grows at its
-- end, where hashes would land anywhere.
CREATE TABLE "block_header" (
    "seq" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "chain_from" SMALLINT NOT NULL,
    "chain_to" SMALLINT NOT NULL,
    "height" INTEGER NOT NULL,
    "height_rank" INTEGER NOT NULL,
    "weight" DECIMAL(80,0) NOT NULL,
    "timestamp" BIGINT NOT NULL,
    "raw" BYTEA NOT NULL,
    CONSTRAINT "block_header_pkey" PRIMARY KEY ("seq")
);
CREATE UNIQUE INDEX "block_header_hash_key" ON "block_header"("hash");

CREATE TABLE "block_body" (
    "block_seq" BIGINT NOT NULL,
    "raw" BYTEA NOT NULL,
    CONSTRAINT "block_body_pkey" PRIMARY KEY ("block_seq")
);
-- Signatures and hashes do not compress.
ALTER TABLE "block_body" ALTER COLUMN "raw" SET STORAGE EXTERNAL;

-- One row a chain, changed in place: this table never grows.
CREATE TABLE "chain_tip" (
    "chain_from" SMALLINT NOT NULL,
    "chain_to" SMALLINT NOT NULL,
    "hashes" BYTEA NOT NULL,
    CONSTRAINT "chain_tip_pkey" PRIMARY KEY ("chain_from", "chain_to")
) WITH (fillfactor = 50);

CREATE TABLE "transaction_location" (
    "tx_id" BYTEA NOT NULL,
    "block_seq" BIGINT NOT NULL,
    "tx_index" INTEGER NOT NULL,
    CONSTRAINT "transaction_location_pkey" PRIMARY KEY ("tx_id", "block_seq")
);

CREATE TABLE "world_state" (
    "block_seq" BIGINT NOT NULL,
    "output_root" BYTEA NOT NULL,
    "contract_root" BYTEA NOT NULL,
    "state_hash" BYTEA NOT NULL,
    "delta" BYTEA NOT NULL,
    "replaced_nodes" BYTEA NOT NULL,
    CONSTRAINT "world_state_pkey" PRIMARY KEY ("block_seq")
);
ALTER TABLE "world_state" ALTER COLUMN "delta" SET STORAGE EXTERNAL;
ALTER TABLE "world_state" ALTER COLUMN "replaced_nodes" SET STORAGE EXTERNAL;

CREATE TABLE "trie_node" (
    "hash" BYTEA NOT NULL,
    "data" BYTEA NOT NULL,
    "added_seq" BIGINT NOT NULL,
    CONSTRAINT "trie_node_pkey" PRIMARY KEY ("hash")
);

-- The unspent asset outputs of the group at the head of the projection. "owner" is the first half of the hash of the
-- lockup script. "may_be_locked": the lock time was in the future when the output entered the state.
CREATE TABLE "utxo" (
    "key" BYTEA NOT NULL,
    "hint" INTEGER NOT NULL,
    "owner" UUID NOT NULL,
    "amount" DECIMAL(78,0) NOT NULL,
    "lock_time" BIGINT NOT NULL,
    "may_be_locked" BOOLEAN NOT NULL,
    "token_id" BYTEA,
    "token_amount" DECIMAL(78,0),
    "additional_data" BYTEA NOT NULL,
    CONSTRAINT "utxo_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "utxo_without_token" ON "utxo"("owner", "amount", "key") WHERE "token_id" IS NULL;
CREATE INDEX "utxo_with_token" ON "utxo"("owner", "amount", "key") WHERE "token_id" IS NOT NULL;
CREATE INDEX "utxo_token" ON "utxo"("owner", "token_id", "token_amount", "amount", "key") WHERE "token_id" IS NOT NULL;
CREATE INDEX "utxo_locked" ON "utxo"("owner", "lock_time") WHERE "may_be_locked";

-- Sums over "utxo"; the token id of the coin is 32 zero bytes.
CREATE TABLE "address_balance" (
    "owner" UUID NOT NULL,
    "token_id" BYTEA NOT NULL,
    "amount" DECIMAL(98,0) NOT NULL,
    "utxo_count" BIGINT NOT NULL,
    CONSTRAINT "address_balance_pkey" PRIMARY KEY ("owner", "token_id")
) WITH (fillfactor = 80);

CREATE TABLE "projection_head" (
    "id" INTEGER NOT NULL,
    "block_hash" BYTEA NOT NULL,
    "timestamp" BIGINT NOT NULL,
    CONSTRAINT "projection_head_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "projection_head_one_row" CHECK ("id" = 0)
) WITH (fillfactor = 50);

CREATE TABLE "pending_transaction" (
    "tx_id" BYTEA NOT NULL,
    "chain_from" SMALLINT NOT NULL,
    "chain_to" SMALLINT NOT NULL,
    "first_seen" BIGINT NOT NULL,
    "raw" BYTEA NOT NULL,
    CONSTRAINT "pending_transaction_pkey" PRIMARY KEY ("tx_id")
);

CREATE TABLE "dropped_transaction" (
    "tx_id" BYTEA NOT NULL,
    "code" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "conflicting_tx_id" BYTEA,
    "dropped_at" BIGINT NOT NULL,
    CONSTRAINT "dropped_transaction_pkey" PRIMARY KEY ("tx_id")
);
CREATE INDEX "dropped_transaction_dropped_at_idx" ON "dropped_transaction"("dropped_at");

-- The writes of a commit, one function a table family. A commit is one SELECT over those that it needs: one statement,
-- hence one transaction and one round trip, with every plan already made.

CREATE FUNCTION "write_headers"(
    p_seq BIGINT[], p_hash BYTEA[], p_from SMALLINT[], p_to SMALLINT[], p_height INTEGER[], p_rank INTEGER[],
    p_weight TEXT[], p_timestamp BIGINT[], p_raw BYTEA[]
) RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO block_header (seq, hash, chain_from, chain_to, height, height_rank, weight, timestamp, raw)
    SELECT s, h, f, t, e, r, w::numeric, z, b
    FROM unnest(p_seq, p_hash, p_from, p_to, p_height, p_rank, p_weight, p_timestamp, p_raw)
        AS n(s, h, f, t, e, r, w, z, b);
END $$;

CREATE FUNCTION "write_ranks"(p_hash BYTEA[], p_rank INTEGER[])
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    UPDATE block_header b SET height_rank = n.r FROM unnest(p_hash, p_rank) AS n(h, r)
    WHERE b.hash = n.h AND b.height_rank <> n.r;
END $$;

CREATE FUNCTION "write_tips"(p_from SMALLINT[], p_to SMALLINT[], p_hashes BYTEA[])
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO chain_tip (chain_from, chain_to, hashes)
    SELECT f, t, h FROM unnest(p_from, p_to, p_hashes) AS n(f, t, h)
    ON CONFLICT (chain_from, chain_to) DO UPDATE SET hashes = EXCLUDED.hashes;
END $$;

CREATE FUNCTION "write_bodies"(p_seq BIGINT[], p_raw BYTEA[])
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO block_body (block_seq, raw) SELECT s, b FROM unnest(p_seq, p_raw) AS n(s, b);
END $$;

CREATE FUNCTION "write_locations"(p_id BYTEA[], p_seq BIGINT[], p_index INTEGER[])
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO transaction_location (tx_id, block_seq, tx_index)
    SELECT i, s, x FROM unnest(p_id, p_seq, p_index) AS n(i, s, x)
    ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION "write_states"(
    p_seq BIGINT[], p_output BYTEA[], p_contract BYTEA[], p_state BYTEA[], p_delta BYTEA[], p_replaced BYTEA[]
) RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO world_state (block_seq, output_root, contract_root, state_hash, delta, replaced_nodes)
    SELECT s, o, c, h, d, r FROM unnest(p_seq, p_output, p_contract, p_state, p_delta, p_replaced)
        AS n(s, o, c, h, d, r);
END $$;

-- A node that is written again is not old any more (protocol 04 §9.6).
CREATE FUNCTION "write_nodes"(p_hash BYTEA[], p_data BYTEA[], p_seq BIGINT)
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO trie_node (hash, data, added_seq) SELECT h, d, p_seq FROM unnest(p_hash, p_data) AS n(h, d)
    ON CONFLICT (hash) DO UPDATE SET added_seq = EXCLUDED.added_seq;
END $$;

-- Spends and creates outputs of the projection and keeps the sums. An output that is not there, or is there already,
-- ends the transaction: the projection would not be that of its head.
CREATE FUNCTION "change_utxos"(
    p_spent BYTEA[], p_key BYTEA[], p_hint INTEGER[], p_owner UUID[], p_amount TEXT[], p_lock BIGINT[],
    p_locked BOOLEAN[], p_token BYTEA[], p_token_amount TEXT[], p_data BYTEA[]
) RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    gone BIGINT;
BEGIN
    WITH spent AS (
        DELETE FROM utxo WHERE key = ANY (p_spent) RETURNING owner, amount, token_id, token_amount
    ), changes AS (
        SELECT owner, decode(repeat('00', 32), 'hex') AS token_id, -amount AS amount, -1 AS number FROM spent
        UNION ALL SELECT owner, token_id, -token_amount, -1 FROM spent WHERE token_id IS NOT NULL
        UNION ALL SELECT o, decode(repeat('00', 32), 'hex'), a::numeric, 1 FROM unnest(p_owner, p_amount) AS n(o, a)
        UNION ALL SELECT o, t, a::numeric, 1 FROM unnest(p_owner, p_token, p_token_amount) AS n(o, t, a) WHERE t IS NOT NULL
    ), sums AS (
        INSERT INTO address_balance (owner, token_id, amount, utxo_count)
        SELECT owner, token_id, sum(amount), sum(number) FROM changes GROUP BY owner, token_id
        ON CONFLICT (owner, token_id) DO UPDATE SET
            amount = address_balance.amount + EXCLUDED.amount,
            utxo_count = address_balance.utxo_count + EXCLUDED.utxo_count
    )
    SELECT count(*) INTO gone FROM spent;
    IF gone <> cardinality(p_spent) THEN
        RAISE EXCEPTION 'the projection lacks % of % spent outputs', cardinality(p_spent) - gone, cardinality(p_spent);
    END IF;
    INSERT INTO utxo (key, hint, owner, amount, lock_time, may_be_locked, token_id, token_amount, additional_data)
    SELECT k, h, o, a::numeric, l, f, t, ta::numeric, d
    FROM unnest(p_key, p_hint, p_owner, p_amount, p_lock, p_locked, p_token, p_token_amount, p_data)
        AS n(k, h, o, a, l, f, t, ta, d);
END $$;

CREATE FUNCTION "write_head"(p_hash BYTEA, p_timestamp BIGINT)
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO projection_head (id, block_hash, timestamp) VALUES (0, p_hash, p_timestamp)
    ON CONFLICT (id) DO UPDATE SET block_hash = EXCLUDED.block_hash, timestamp = EXCLUDED.timestamp;
END $$;

CREATE FUNCTION "remove_pending"(p_id BYTEA[])
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM pending_transaction WHERE tx_id = ANY (p_id);
END $$;

CREATE FUNCTION "add_pending"(p_id BYTEA[], p_from SMALLINT[], p_to SMALLINT[], p_seen BIGINT[], p_raw BYTEA[])
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO pending_transaction (tx_id, chain_from, chain_to, first_seen, raw)
    SELECT i, f, t, s, r FROM unnest(p_id, p_from, p_to, p_seen, p_raw) AS n(i, f, t, s, r)
    ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION "write_dropped"(p_id BYTEA[], p_code TEXT[], p_detail TEXT[], p_conflict BYTEA[], p_at BIGINT[])
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM pending_transaction WHERE tx_id = ANY (p_id);
    INSERT INTO dropped_transaction (tx_id, code, detail, conflicting_tx_id, dropped_at)
    SELECT i, c, d, x, a FROM unnest(p_id, p_code, p_detail, p_conflict, p_at) AS n(i, c, d, x, a)
    ON CONFLICT (tx_id) DO UPDATE SET code = EXCLUDED.code, detail = EXCLUDED.detail,
        conflicting_tx_id = EXCLUDED.conflicting_tx_id, dropped_at = EXCLUDED.dropped_at;
END $$;
