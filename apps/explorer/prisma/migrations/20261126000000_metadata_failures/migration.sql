-- Contracts wait for another try as tokens do; the pause doubles with each failure (protocol 08 §4.11).
ALTER TABLE tokens ADD COLUMN metadata_failures smallint NOT NULL DEFAULT 0;
ALTER TABLE contracts ADD COLUMN metadata_failures smallint NOT NULL DEFAULT 0;
ALTER TABLE contracts ADD COLUMN metadata_retry_at bigint;
CREATE INDEX contracts_todo ON contracts (metadata_retry_at) WHERE metadata_state = 0;
