-- One execution of an import. `epoch` counts the workers that have taken it over: what a worker commits must carry the
-- newest, so one that was frozen and wakes up late changes nothing.
create table runs (
  id text primary key,
  import_id text not null references imports,
  kind text not null check (kind in ('sample', 'full', 'delta', 'undo')),
  state text not null check (state in ('working', 'paused', 'finished', 'stopped')),
  epoch integer not null default 0,
  -- For a delta: only what changed after this moment.
  since timestamptz,
  obstacle jsonb,
  failures integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index runs_by_import on runs (import_id, id);
-- An import has one run at a time.
create unique index runs_under_way on runs (import_id) where state in ('working', 'paused');

-- The stages of a run, in order. `cursor` is the checkpoint: the tool's own position after the last committed page.
create table run_stages (
  run_id text not null references runs,
  position integer not null,
  stage text not null check (stage in ('users', 'choose', 'write', 'link', 'verify', 'remove')),
  entity text,
  cursor text,
  is_done boolean not null default false,
  primary key (run_id, position)
);

-- The ledger: one row per source record of an import. The one truth for counters, retry, verification, undo and delta.
create table id_map (
  import_id text not null references imports,
  entity text not null,
  source_id text not null,
  state text not null check (state in ('intended', 'written', 'matched', 'refused', 'filtered', 'held', 'removed')),
  run_id text not null references runs,
  destination_id text,
  destination_url text,
  destination_version text,
  source_url text,
  parent_entity text,
  parent_source_id text,
  written_hash bytea,
  is_verified boolean not null default false,
  -- Something it refers to was not known yet when it was written; the link stage writes it again.
  is_incomplete boolean not null default false,
  attempts integer not null default 0,
  code text,
  message text,
  primary key (import_id, entity, source_id)
);
create index id_map_by_state on id_map (import_id, entity, state, source_id);
create index id_map_by_source_url on id_map (import_id, source_url) where source_url is not null;
create index id_map_incomplete on id_map (import_id, entity) where is_incomplete;

-- The records that a sample copies, of the entities it chooses from.
create table sample_records (
  import_id text not null references imports,
  entity text not null,
  source_id text not null,
  primary key (import_id, entity, source_id)
);

-- People of the source and their matches in the destination.
create table user_map (
  import_id text not null references imports,
  source_user_id text not null,
  name text not null,
  email text,
  destination_user_id text,
  primary key (import_id, source_user_id)
);
