-- Nodes of the state trie are found by the first 7 bytes of their hash: with its length such a key fills 8 bytes, and the
-- index takes 30 bytes a node instead of 60. A block of contract calls writes some thousand nodes in random places of it,
-- and each page that it touches first after a checkpoint goes into the log whole. Nodes may share a key, so that every
-- statement compares the whole hash, too. That a hash is there once is up to "write_nodes": a group has one writer, and a
-- key that need not be unique is a third cheaper to write.
--
-- On a database with data: one pass over the table, some 3 s for 2.7 million nodes, while nothing else can use it. The space
-- of the old index is free at the end.
CREATE INDEX "trie_node_hash_start" ON "trie_node" (substr("hash", 1, 7));
ALTER TABLE "trie_node" DROP CONSTRAINT "trie_node_pkey";
ANALYZE "trie_node";

-- A node that is written again is not old any more (protocol 04 §9.6). Plans may be made while the table is tiny, or before
-- anybody has counted the keys of the index, which then seem to have hundreds of rows each: so the functions are told to
-- look the nodes up, and not to compile for that. A list of keys can be looked up in no other way; a join could be made by
-- reading the whole index for each list.
CREATE OR REPLACE FUNCTION "write_nodes"(p_hash BYTEA[], p_data BYTEA[], p_seq BIGINT)
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
BEGIN
    WITH known AS (
        UPDATE trie_node SET added_seq = p_seq
        WHERE substr(hash, 1, 7) = ANY (ARRAY(SELECT substr(h, 1, 7) FROM unnest(p_hash) AS n(h))) AND hash = ANY (p_hash)
        RETURNING hash
    )
    INSERT INTO trie_node (hash, data, added_seq) SELECT h, d, p_seq FROM unnest(p_hash, p_data) AS n(h, d)
    WHERE h NOT IN (SELECT hash FROM known);
END $$;

-- The nodes that are there.
CREATE FUNCTION "read_nodes"(p_hash BYTEA[])
RETURNS SETOF "trie_node" LANGUAGE plpgsql STABLE SET search_path FROM CURRENT
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
BEGIN
    RETURN QUERY SELECT * FROM trie_node
    WHERE substr(hash, 1, 7) = ANY (ARRAY(SELECT substr(h, 1, 7) FROM unnest(p_hash) AS n(h))) AND hash = ANY (p_hash);
END $$;

-- As before, by the new index.
CREATE OR REPLACE FUNCTION "prune_states"(p_hash BYTEA[], p_before BIGINT[], p_finished BIGINT[], p_place JSONB)
RETURNS BIGINT LANGUAGE plpgsql SET search_path FROM CURRENT
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
    gone BIGINT;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    WITH deleted AS (
        DELETE FROM trie_node t USING unnest(p_hash, p_before) AS n(h, s)
        WHERE substr(t.hash, 1, 7) = ANY (ARRAY(SELECT substr(h, 1, 7) FROM unnest(p_hash) AS k(h)))
            AND t.hash = n.h AND t.added_seq < n.s
        RETURNING 1
    )
    SELECT count(*) INTO gone FROM deleted;
    UPDATE world_state SET delta = '', replaced_nodes = ''
    WHERE block_seq = ANY (p_finished) AND (delta <> '' OR replaced_nodes <> '');
    INSERT INTO node_meta (key, value) VALUES ('pruning', p_place)
    ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value
    -- It never moves back: what is gone stays gone.
    WHERE ((node_meta.value ->> 'height')::bigint, (node_meta.value ->> 'isComplete')::boolean)
        <= ((EXCLUDED.value ->> 'height')::bigint, (EXCLUDED.value ->> 'isComplete')::boolean);
    RETURN gone;
END $$;
