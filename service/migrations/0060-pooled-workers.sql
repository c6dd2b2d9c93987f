-- Signs of life of workers behind a pooler, where nobody can hold a lock (service/src/db/presence.ts). Unlogged: after a
-- crash of the server the workers write them again within seconds.
create unlogged table pooled_workers (
  worker integer primary key,
  seen_at timestamptz not null default now()
);
