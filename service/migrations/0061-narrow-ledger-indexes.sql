-- Addresses and ids of the destination are found by their hash: 8 bytes for each record instead of 40 to 80. Two values
-- can have one hash, so each statement compares the values, too. Before the first release no ledger is so large that
-- building these indexes holds up writes.
create index id_map_by_source_url_hash on id_map (hashtext(import_id), hashtext(source_url)) where source_url is not null;
create index id_map_by_destination_hash on id_map (hashtext(import_id), hashtext(destination_id))
  where destination_id is not null;
