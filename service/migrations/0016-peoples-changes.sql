-- `deleted`: somebody deleted the record in the destination. It stays deleted until the customer asks for it.
alter table id_map drop constraint id_map_state_check;
alter table id_map add constraint id_map_state_check
  check (state in ('intended', 'written', 'matched', 'refused', 'filtered', 'held', 'deleted', 'removed'));

-- The destination's form of the record when it was read back, without times: the base for finding people's edits where
-- a tool has no versions and changes the values that it gets.
alter table id_map add column stored_hash bytea;

-- Attempts in a row, within one run, that sent this record and were answered with an error.
alter table id_map add column failures integer not null default 0;

-- `recheck`: are the records of earlier runs still in the destination?
alter table run_stages drop constraint run_stages_stage_check;
alter table run_stages add constraint run_stages_stage_check check (stage in
  ('users', 'survey', 'choose', 'recheck', 'write', 'link', 'sweep', 'verify', 'inspect', 'remove', 'follow'));
