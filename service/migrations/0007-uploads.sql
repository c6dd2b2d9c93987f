-- Files that customers upload as the source of an import. Everything of an upload is sealed with a key of its own, so
-- that taking the key away makes all of it unreadable at once, however large it is; the chunks themselves go later,
-- some at a time.
create table uploads (
  id text primary key,
  import_id text not null references imports,
  state text not null check (state in ('receiving', 'reading', 'ready', 'refused', 'erased')),
  size bigint not null check (size > 0),
  received bigint not null default 0 check (received between 0 and size),
  sealed_key bytea,
  sealed_name bytea,
  sealed_findings bytea,
  -- The files that count, by number; 0 is what the customer sent. Chunks of any other were left by an attempt that failed.
  files integer[] not null default '{0}',
  -- Counts those who have taken up the reading: what one of them commits must carry the newest.
  epoch integer not null default 0,
  attempts integer not null default 0,
  trouble text,
  has_leftovers boolean not null default false,
  connected_at timestamptz,
  touched_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  check ((state = 'erased') = (sealed_key is null))
);
create index uploads_by_import on uploads (import_id, id);
create index uploads_with_leftovers on uploads (id) where has_leftovers;
create index uploads_not_connected on uploads (touched_at) where connected_at is null and state <> 'erased';

create table upload_chunks (
  upload_id text not null references uploads,
  file integer not null,
  position integer not null,
  sealed_bytes bytea not null,
  primary key (upload_id, file, position)
);
-- Sealed bytes cannot be compressed; trying costs time.
alter table upload_chunks alter column sealed_bytes set storage external;
