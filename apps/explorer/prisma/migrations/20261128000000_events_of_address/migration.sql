-- Events of all contracts in transactions of an address (protocol 08 §5.8).
CREATE INDEX events_input ON events (input_address_id, block_id DESC, event_order) WHERE input_address_id IS NOT NULL;
