-- Who works on a run: the number of its process' presence lock, and its attempt of the slice's job. When nobody holds
-- that lock any more, another worker takes over at once.
alter table runs add column holder jsonb;

-- What a connector has changed in the destination for a while and not yet put back, such as a closed project that was
-- opened to write into it. Noted before the change is sent. Ids and states only, never what a record says.
create table leftovers (
  import_id text not null references imports,
  what jsonb not null,
  created_at timestamptz not null default now(),
  primary key (import_id, what)
);
