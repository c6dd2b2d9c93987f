-- Since when the source no longer has the record: someone deleted or trashed it there after it was copied. Null while the
-- source has it. As long as `warned` holds "gone_from_source", the customer has not decided about it.
alter table id_map add column gone_from_source_at timestamptz;
create index id_map_gone on id_map (import_id, entity, source_id) where gone_from_source_at is not null;

-- `removal`: removes records from the destination that the source no longer has.
alter table runs drop constraint runs_kind_check;
alter table runs add constraint runs_kind_check
  check (kind in ('plan', 'sample', 'full', 'delta', 'retry', 'preview', 'removal', 'undo'));

-- `compare`: does the source still have the records of earlier runs? `guard`: what do records that stay refer to?
alter table run_stages drop constraint run_stages_stage_check;
alter table run_stages add constraint run_stages_stage_check check (stage in
  ('users', 'survey', 'choose', 'recheck', 'write', 'link', 'sweep', 'verify', 'compare', 'guard', 'inspect', 'remove', 'follow',
   'tidy'));
