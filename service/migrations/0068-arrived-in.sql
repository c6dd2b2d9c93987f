-- The later run that brought a record into the destination. This run also reads the older records below it.
alter table id_map add column arrived_in text;
