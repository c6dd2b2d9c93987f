-- Time that data of finished imports is kept. A change counts for imports that are completed after it: customers were
-- told a date.
alter table partners
  add column undo_days integer not null default 30 check (undo_days between 1 and 3650),
  add column ledger_days integer not null default 90 check (ledger_days between 1 and 3650);

alter table imports
  -- The end of the time in which a completed import can be undone.
  add column undo_until timestamptz,
  -- When access to both accounts, and texts of records, are to be erased; null once it is done.
  add column credentials_due_at timestamptz,
  add column texts_due_at timestamptz,
  -- When all personal data was erased: the row is a tombstone.
  add column erased_at timestamptz;
create index imports_credentials_due on imports (credentials_due_at) where credentials_due_at is not null;
create index imports_texts_due on imports (texts_due_at) where texts_due_at is not null;

-- Nobody was told a date before, so the whole time begins now.
update imports set
  undo_until = now() + interval '30 days',
  credentials_due_at = now() + interval '30 days',
  texts_due_at = now() + interval '90 days'
where ended_at is null and status in ('migration_completed', 'migration_cleaned');
update imports set texts_due_at = ended_at + interval '90 days' where ended_at is not null;

-- Access that no import uses any more, until a worker has asked the tool to revoke it. Then the row is deleted.
create table withdrawn_access (
  id bigint generated always as identity primary key,
  import_id text not null references imports,
  role text not null check (role in ('source', 'destination')),
  tool text not null,
  sealed_credentials bytea not null,
  withdrawn_at timestamptz not null default now()
);
create index withdrawn_access_by_import on withdrawn_access (import_id);
