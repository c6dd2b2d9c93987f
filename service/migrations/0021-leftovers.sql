-- The worker of a run: the number of its process' presence lock, and its attempt of the slice's job. When nobody holds
-- that lock any more, another worker takes over at once.
alter table runs add column holder jsonb;

-- A connector's temporary changes in the destination that are not yet restored, such as a closed project that was
-- opened to write into it. Noted before the change is sent. Ids and states only, never a record's content.
create table leftovers (
  import_id text not null references imports,
  what jsonb not null,
  created_at timestamptz not null default now(),
  primary key (import_id, what)
);
