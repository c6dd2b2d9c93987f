-- The indexes of 0061 take their place. Older releases would find nothing by address but by reading a whole import.
drop index id_map_by_source_url;
drop index id_map_by_destination;
