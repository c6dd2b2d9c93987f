create table imports (
  id text primary key,
  partner_id text not null references partners,
  source_tool text not null,
  destination_tool text not null,
  family text not null,
  destination_instance_url text,
  destination_username text,
  start_full boolean not null default false,
  sponsorship text not null check (sponsorship in ('undecided', 'accepted', 'rejected')),
  status text not null,
  sequence integer not null,
  paid_at timestamptz,
  full_started_at timestamptz,
  items jsonb not null default '{}',
  users jsonb not null default '{"source_tool": 0, "destination_tool": 0, "matched": 0}',
  progress jsonb not null default '{"done": 0, "total": null}',
  link_version integer not null default 1,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_as text check (ended_as in ('cancelled', 'archived')),
  check ((ended_at is null) = (ended_as is null))
);

-- The partner's list: newest first by id, which sorts by time of creation.
create index imports_by_destination_username on imports (partner_id, destination_username, id desc)
  where ended_at is null;

-- The same table of moves as imports/lifecycle.ts (a test compares them). The database holds it too, so that no
-- statement can make a move that the table does not have.
create table import_moves (
  from_status text not null,
  to_status text not null,
  primary key (from_status, to_status)
);
insert into import_moves (from_status, to_status) values
  ('collecting_credentials', 'waiting_to_start_sample_migration'),
  ('collecting_credentials', 'in_preparation'),
  ('waiting_to_start_sample_migration', 'sample_migration_in_progress'),
  ('sample_migration_in_progress', 'sample_migration_completed'),
  ('sample_migration_in_progress', 'undo_in_progress'),
  ('sample_migration_completed', 'sample_migration_in_progress'),
  ('sample_migration_completed', 'in_preparation'),
  ('sample_migration_completed', 'migration_in_progress'),
  ('sample_migration_completed', 'undo_in_progress'),
  ('in_preparation', 'migration_in_progress'),
  ('migration_in_progress', 'migration_completed'),
  ('migration_in_progress', 'undo_in_progress'),
  ('migration_completed', 'migration_in_progress'),
  ('migration_completed', 'undo_in_progress'),
  ('undo_in_progress', 'migration_cleaned'),
  ('migration_cleaned', 'waiting_to_start_sample_migration'),
  ('migration_cleaned', 'in_preparation');

create function refuse_unknown_move() returns trigger language plpgsql as $$
begin
  if not exists (select from import_moves where from_status = old.status and to_status = new.status) then
    raise exception 'import % cannot move from % to %', new.id, old.status, new.status
      using errcode = 'check_violation';
  end if;
  if old.ended_at is not null then
    raise exception 'import % has ended and cannot move', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger imports_refuse_unknown_move before update of status on imports
  for each row when (old.status is distinct from new.status) execute function refuse_unknown_move();

create table authorizations (
  import_id text not null references imports,
  role text not null check (role in ('source', 'destination')),
  sealed_credentials bytea not null,
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (import_id, role)
);

create table warnings (
  import_id text not null references imports,
  code text not null,
  entity text not null,
  message text not null,
  count integer not null check (count > 0),
  primary key (import_id, code, entity)
);

create table events (
  id text primary key,
  partner_id text not null references partners,
  import_id text not null references imports,
  sequence integer not null,
  status text not null,
  items jsonb not null,
  users jsonb not null,
  occurred_at timestamptz not null default now(),
  unique (import_id, sequence)
);

create table idempotency_keys (
  partner_id text not null references partners,
  key text not null,
  body_hash bytea not null,
  import_id text not null references imports,
  created_at timestamptz not null default now(),
  primary key (partner_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
