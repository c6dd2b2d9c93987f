-- Address for mails about an import while nobody looks. The customer chooses it.
create table import_contacts (
  import_id text primary key references imports,
  address text not null,
  language text not null check (language in ('en', 'de'))
);

-- Mails to be sent, and what became of them. The words are made from `template` and `values` when they are needed, and
-- the customer's link is never kept: a copy of the database opens no portal.
create table mails (
  id text primary key,
  import_id text not null references imports,
  address text not null,
  language text not null check (language in ('en', 'de')),
  template text not null,
  values jsonb not null default '{}',
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'given_up')),
  -- When it may be tried next. For a claimed one: when the claim ends, should its worker be gone.
  due_at timestamptz not null default now(),
  -- Tries begun so far; a failure that a worker settles must carry the newest.
  attempts integer not null default 0,
  trouble text,
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create index mails_waiting on mails (due_at) where state = 'waiting';
create index mails_by_import on mails (import_id, id);
create index mails_by_age on mails (created_at);
