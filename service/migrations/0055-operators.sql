-- People who may open the console. An account has no password until its owner sets one with a code that is used once.
create table operators (
  id text primary key,
  name text not null,
  role text not null check (role in ('owner', 'support', 'reader')),
  password_hash text,
  sealed_totp bytea,
  -- The time step of the newest code that was accepted: no code opens twice.
  totp_step bigint,
  setup_hash bytea,
  setup_expires_at timestamptz,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  check ((setup_hash is null) = (setup_expires_at is null))
);
create unique index operators_by_name on operators (lower(name));
create unique index operators_by_setup on operators (setup_hash) where setup_hash is not null;

create table operator_sessions (
  id text primary key,
  operator_id text not null references operators,
  secret_hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text not null,
  agent text not null
);
create index operator_sessions_by_operator on operator_sessions (operator_id);
create index operator_sessions_by_end on operator_sessions (expires_at);

-- Failed attempts to sign in, by name and by network. The key is a hash: people type passwords into the wrong field.
create table sign_in_failures (
  key bytea primary key,
  failures integer not null,
  blocked_until timestamptz,
  last_at timestamptz not null default now()
);
create index sign_in_failures_by_time on sign_in_failures (last_at);

-- The console finds imports by the beginning of a user name.
create index imports_by_username on imports (lower(destination_username) text_pattern_ops);
-- And the ended ones of a partner. Not all of them: the planner would use that index for the partner's own requests too,
-- and read every import of the partner to find one user.
create index imports_ended on imports (partner_id, id) where ended_at is not null;
create index imports_open on imports (status) where ended_at is null;
create index audit_log_failed_sign_ins on audit_log (at) where act = 'console sign-in failed';
