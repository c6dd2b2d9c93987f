create table partners (
  id text primary key,
  name text not null,
  destination_tool text not null,
  families text[] not null check (cardinality(families) > 0),
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

-- Only the SHA-256 of a token is kept: tokens carry 256 random bits, so a slow hash would add nothing.
create table api_tokens (
  id text primary key,
  partner_id text not null references partners,
  token_hash bytea not null unique,
  label text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_tokens_by_partner on api_tokens (partner_id, id);

-- The moments of the newest accepted requests of a partner, oldest first. Unlogged: it is written on every
-- request, is worth nothing after a crash, and an unlogged commit does not wait for the disk.
create unlogged table rate_windows (
  partner_id text primary key,
  accepted_at timestamptz[] not null
) with (fillfactor = 50);

create table webhook_targets (
  partner_id text primary key references partners,
  url text not null,
  created_at timestamptz not null default now()
);

create table webhook_secrets (
  id text primary key,
  partner_id text not null references partners,
  sealed_secret bytea not null,
  created_at timestamptz not null default now()
);
create index webhook_secrets_by_partner on webhook_secrets (partner_id, id);
