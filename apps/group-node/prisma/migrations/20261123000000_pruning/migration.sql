-- Deleting what only old world states need (protocol 04 §9.6).

-- One step: nodes that a state has replaced go unless they were written again since; finished states lose their change
-- list; the place says how far this is. Gives the number of nodes that went. The step is made anew should it be lost, so
-- that nobody waits for the disk.
CREATE FUNCTION "prune_states"(p_hash BYTEA[], p_before BIGINT[], p_finished BIGINT[], p_place JSONB)
RETURNS BIGINT LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    gone BIGINT;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    WITH deleted AS (
        DELETE FROM trie_node t USING unnest(p_hash, p_before) AS n(h, s) WHERE t.hash = n.h AND t.added_seq < n.s
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

-- As many nodes go as come: their room is to be used again soon (protocol 04 §9.7).
ALTER TABLE "trie_node" SET (autovacuum_vacuum_scale_factor = 0.02);
