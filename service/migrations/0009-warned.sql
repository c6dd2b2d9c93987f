-- Warnings to the customer about single records; the counts of the warnings are the sums of these.
alter table id_map add column warned text[];
create index id_map_warned on id_map (import_id, entity, source_id) where warned is not null;
