-- This installation's clients at tools that customers sign in to by OAuth 2. A self-hosted tool has one client per
-- instance, and our secret goes nowhere else; a tool with one service for all has an empty instance.
create table oauth_clients (
  tool text not null,
  instance text not null,
  client_id text not null,
  sealed_secret bytea,
  updated_at timestamptz not null default now(),
  primary key (tool, instance)
);

-- Customers who are at a tool's sign-in page. The row is found by the hash of `state`, is used once, and stays for a
-- while so that one who comes back with an old address can be told.
create table oauth_sign_ins (
  state_hash bytea primary key,
  import_id text not null references imports,
  role text not null check (role in ('source', 'destination')),
  -- Instance and code verifier; null once it was used.
  sealed_details bytea,
  expires_at timestamptz not null
);
create index oauth_sign_ins_by_import on oauth_sign_ins (import_id);
create index oauth_sign_ins_by_age on oauth_sign_ins (expires_at);
