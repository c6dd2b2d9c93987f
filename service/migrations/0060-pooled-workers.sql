-- Signs of life of workers behind a pooler, where a worker cannot hold a lock (service/src/db/presence.ts). The table
-- is unlogged: after a crash of the server, workers write their rows again within seconds.
create unlogged table pooled_workers (
  worker integer primary key,
  seen_at timestamptz not null default now()
);
