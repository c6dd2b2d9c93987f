-- Indexes the hashes of source addresses and destination ids: 8 bytes per record instead of 40 to 80. Two values can
-- have the same hash, so each statement compares the values, too. Building these indexes blocks writes, which is
-- acceptable before the first release, because no ledger is large yet.
create index id_map_by_source_url_hash on id_map (hashtext(import_id), hashtext(source_url)) where source_url is not null;
create index id_map_by_destination_hash on id_map (hashtext(import_id), hashtext(destination_id))
  where destination_id is not null;
