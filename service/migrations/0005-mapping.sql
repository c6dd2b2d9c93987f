-- Two kinds of run only look: a plan reads the source, a preview asks the destination what an undo would meet. They move
-- no status, and one may be under way beside a run that does.
alter table runs drop constraint runs_kind_check;
alter table runs add constraint runs_kind_check
  check (kind in ('plan', 'sample', 'full', 'delta', 'retry', 'preview', 'undo'));
-- The customer's wishes for this run, and its mapping.
alter table runs add column options jsonb not null default '{}';
alter table runs add column mapping_version integer not null default 0;
drop index runs_under_way;
create unique index runs_under_way on runs (import_id, (kind in ('plan', 'preview')))
  where state in ('working', 'paused');

alter table run_stages drop constraint run_stages_stage_check;
alter table run_stages add constraint run_stages_stage_check
  check (stage in ('users', 'survey', 'choose', 'write', 'link', 'sweep', 'verify', 'inspect', 'remove', 'follow'));
-- Times that the entity was read: once more when the source counts more records than we met.
alter table run_stages add column passes integer not null default 0;

-- When it was last sent; null when it surely was not. Its outcome may be unknown until the state says it.
alter table id_map add column sent_at timestamptz;
-- The sent content, until its outcome is known; `written_hash` is the stored content.
alter table id_map add column sent_hash bytea;
-- It was sent again although nobody could be sure that the first time had failed; the sweep looks for doubles.
alter table id_map add column is_doubtful boolean not null default false;
create index id_map_doubtful on id_map (import_id, entity, source_id) where is_doubtful;
-- Findings of the last preview of an undo.
alter table id_map add column undo_finding text check (undo_finding in ('removable', 'edited', 'missing', 'unknown'));
create index id_map_by_undo_finding on id_map (import_id, undo_finding, entity, source_id)
  where undo_finding is not null;
drop index id_map_incomplete;
create index id_map_incomplete on id_map (import_id, entity, source_id) where is_incomplete;

-- The customer's changes of the suggested mapping. Versions are kept: a run names its own.
create table mappings (
  import_id text not null references imports,
  version integer not null,
  changes jsonb not null,
  created_at timestamptz not null default now(),
  primary key (import_id, version)
);

-- Findings of a plan: the destination's description of itself, and problems to solve first.
create table plans (
  import_id text primary key references imports,
  run_id text not null references runs,
  destination jsonb not null,
  checks jsonb not null,
  custom_fields jsonb not null,
  made_at timestamptz not null default now()
);

-- Per entity: how many there are, from when to when, and how the fields of those looked at are filled.
create table plan_entities (
  import_id text not null references imports,
  entity text not null,
  total integer,
  looked_at integer not null default 0,
  oldest timestamptz,
  newest timestamptz,
  fields jsonb not null default '{}',
  primary key (import_id, entity)
);

-- The destination's people, for choosing whom someone of the source becomes.
create table destination_users (
  import_id text not null references imports,
  user_id text not null,
  name text not null,
  email text,
  is_active boolean not null,
  primary key (import_id, user_id)
);
alter table user_map add column is_chosen boolean not null default false;
-- Somebody of the same name; it takes the customer's word to make it a match.
alter table user_map add column suggested_user_id text;
