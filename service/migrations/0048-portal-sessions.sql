-- Browsers that have opened an import by its link. The cookie holds the secret and this table its SHA-256, so that a copy
-- of the database opens no portal; 256 random bits need no slow hash. A row counts while its `link_version` is the import's.
create table portal_sessions (
  id text primary key,
  import_id text not null references imports,
  secret_hash bytea not null unique,
  link_version integer not null,
  -- Such as "Firefox on Linux".
  browser text,
  created_at timestamptz not null default now(),
  -- Written at most once a minute.
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days'
);
create index portal_sessions_by_import on portal_sessions (import_id, id);
create index portal_sessions_by_expiry on portal_sessions (expires_at);
