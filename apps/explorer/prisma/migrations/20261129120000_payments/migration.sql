-- Lists without block rewards: an idle network has thousands of blocks between two payments.
CREATE INDEX transactions_payments ON transactions (tx_id) WHERE NOT coinbase;
CREATE INDEX blocks_payments ON blocks (block_id) WHERE main_chain AND tx_count > 1;
