-- The feed for followers (protocol 09): the number of the last canonical change of each own chain. One row a chain,
-- changed in place. "hash" is the head: the newest block made canonical (protocol 03 §7.3). A chain
-- without a row has had no change since genesis, or since this migration.
CREATE TABLE "chain_change" (
    "chain_to" SMALLINT NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    CONSTRAINT "chain_change_pkey" PRIMARY KEY ("chain_to")
) WITH (fillfactor = 50);

CREATE FUNCTION "write_changes"(p_to SMALLINT[], p_seq BIGINT[], p_hash BYTEA[])
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO chain_change (chain_to, seq, hash) SELECT t, s, h FROM unnest(p_to, p_seq, p_hash) AS n(t, s, h)
    ON CONFLICT (chain_to) DO UPDATE SET seq = EXCLUDED.seq, hash = EXCLUDED.hash;
END $$;
