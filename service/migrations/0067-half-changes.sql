-- A change that needs several requests may break off in the middle. Hashes of its fields, before and after, tell such a
-- record from one that people edited.
alter table id_map add column changing json;
