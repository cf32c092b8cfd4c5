-- How far the supply audit is, and what it found (protocol 08 §4.13). Genesis blocks need none: they are those of the network.
ALTER TABLE chain_heads ADD COLUMN audited_height int NOT NULL DEFAULT 0;
CREATE TABLE audit_findings (
  block_hash bytea, rule text, chain_from smallint NOT NULL, chain_to smallint NOT NULL,
  height int,                                                              -- null: no group-node shows the block
  found_at bigint NOT NULL, detail text NOT NULL, PRIMARY KEY (block_hash, rule));
