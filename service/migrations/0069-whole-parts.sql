-- The run that sent the record with all parts that the source shows. This run does not read these parts again.
alter table id_map add column whole_in text;
