-- The keys that sign certificates. The public part is published; the private part is sealed with the key ring.
create table certificate_keys (
  kid text primary key,
  public_key jsonb not null,
  sealed_key bytea not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);
-- Of two processes that make the first key at once, one wins.
create unique index certificate_keys_one_active on certificate_keys (is_active) where is_active;

-- Signed result of a run, made when it ended. Counts and ids only, so a certificate stays when its import is erased: it
-- refers to no row.
create table certificates (
  run_id text primary key,
  import_id text not null,
  kid text not null references certificate_keys,
  certificate jsonb not null,
  signature text not null,
  issued_at timestamptz not null default now()
);
create index certificates_by_import on certificates (import_id);
