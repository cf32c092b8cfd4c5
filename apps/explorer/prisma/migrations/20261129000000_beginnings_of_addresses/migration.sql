-- Searches for the beginning of an address. The index of the unique column sorts as the database's language does.
CREATE INDEX addresses_beginning ON addresses (address COLLATE "C");
