-- A record that was sent inside the one that it belongs to: as which part of its entity, counted from 0. Where a tool
-- cannot be searched for our keys, this place under its parent tells which record it is.
alter table id_map add column carried_at integer;
