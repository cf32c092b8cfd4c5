-- What contracts leave behind beside the trie (protocol 04 §4.3, §6).

-- Immutable states and code, by hash; "data" starts with the byte that tells them apart. Never removed.
CREATE TABLE "contract_immutable" (
    "hash" BYTEA NOT NULL,
    "data" BYTEA NOT NULL,
    CONSTRAINT "contract_immutable_pkey" PRIMARY KEY ("hash")
);

-- The blocks in which a contract has events, numbered from 0 in the order of acceptance, on whatever branch.
CREATE TABLE "event_page" (
    "contract_id" BYTEA NOT NULL,
    "page" INTEGER NOT NULL,
    "block_seq" BIGINT NOT NULL,
    CONSTRAINT "event_page_pkey" PRIMARY KEY ("contract_id", "page")
);
CREATE UNIQUE INDEX "event_page_contract_id_block_seq_key" ON "event_page"("contract_id", "block_seq");

-- "position": order of emission in the block. "fields": an encoded list of values, the event index apart.
CREATE TABLE "event" (
    "block_seq" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "contract_id" BYTEA NOT NULL,
    "tx_id" BYTEA NOT NULL,
    "event_index" SMALLINT NOT NULL,
    "fields" BYTEA NOT NULL,
    CONSTRAINT "event_pkey" PRIMARY KEY ("block_seq", "position")
);
CREATE INDEX "event_contract_id_block_seq_position_idx" ON "event"("contract_id", "block_seq", "position");
CREATE INDEX "event_tx_id_block_seq_position_idx" ON "event"("tx_id", "block_seq", "position");

CREATE FUNCTION "write_immutables"(p_hash BYTEA[], p_data BYTEA[])
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO contract_immutable (hash, data) SELECT h, d FROM unnest(p_hash, p_data) AS n(h, d)
    ON CONFLICT DO NOTHING;
END $$;

-- A pair of block and contract is given once, blocks in their order: the next number of the contract is the page.
CREATE FUNCTION "write_event_pages"(p_seq BIGINT[], p_contract BYTEA[])
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    FOR i IN 1 .. cardinality(p_contract) LOOP
        INSERT INTO event_page (contract_id, page, block_seq)
        SELECT p_contract[i], coalesce(max(page) + 1, 0), p_seq[i] FROM event_page WHERE contract_id = p_contract[i];
    END LOOP;
END $$;

CREATE FUNCTION "write_events"(
    p_seq BIGINT[], p_position INTEGER[], p_contract BYTEA[], p_tx BYTEA[], p_index SMALLINT[], p_fields BYTEA[]
) RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO event (block_seq, position, contract_id, tx_id, event_index, fields)
    SELECT s, p, c, t, i, f FROM unnest(p_seq, p_position, p_contract, p_tx, p_index, p_fields) AS n(s, p, c, t, i, f);
END $$;
