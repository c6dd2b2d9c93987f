-- The indexes of 0061 replace these two. An older release would need to read a whole import to find a record by
-- address.
drop index id_map_by_source_url;
drop index id_map_by_destination;
