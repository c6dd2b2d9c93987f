-- `check`: reads back everything that was written. Like a plan, it only looks, and may be under way beside a run that moves.
alter table runs drop constraint runs_kind_check;
alter table runs add constraint runs_kind_check
  check (kind in ('plan', 'sample', 'full', 'delta', 'retry', 'preview', 'check', 'removal', 'undo'));
drop index runs_under_way;
create unique index runs_under_way on runs (import_id, (kind in ('plan', 'preview', 'check')))
  where state in ('working', 'paused');

-- Finished records of the entity, in the stage that writes or removes them, or reads them back.
alter table run_stages add column done integer not null default 0;

-- Why the record is in the sample; null for what came along, and in samples made before this was kept.
alter table sample_records add column reason text;
