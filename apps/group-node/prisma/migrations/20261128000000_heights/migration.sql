-- Headers by chain and height: a group-node holds the newest heights of each chain in memory, and reads deeper ones here.
CREATE INDEX "block_header_chain_from_chain_to_height_idx" ON "block_header"("chain_from", "chain_to", "height");

-- The lowest height, below "p_below", whose canonical block is not older than "p_time": canonical timestamps rise.
CREATE FUNCTION "first_height"(p_from SMALLINT, p_to SMALLINT, p_time BIGINT, p_below INTEGER)
RETURNS INTEGER LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE
    low INTEGER := 0;
    high INTEGER := p_below;
    middle INTEGER;
    found BIGINT;
BEGIN
    WHILE low < high LOOP
        middle := (low + high) / 2;
        SELECT timestamp INTO STRICT found FROM block_header
        WHERE chain_from = p_from AND chain_to = p_to AND height = middle AND height_rank = 0;
        IF found < p_time THEN low := middle + 1; ELSE high := middle; END IF;
    END LOOP;
    RETURN low;
END $$;
