-- Records that are about to be sent for the first time, one row for each lot. A lot that arrives becomes rows of the
-- ledger with its outcomes, and each of them is written once. Lots that remain when a worker is gone, when a sending
-- fails or when a run is stopped become rows with the state "intended".
create table announcements (
  import_id text not null references imports,
  id bigint generated always as identity,
  run_id text not null references runs,
  entity text not null,
  records json not null,
  sent_at timestamptz not null default clock_timestamp(),
  primary key (import_id, id)
);
-- It is there for a second: packing it would cost more than it saves.
alter table announcements alter column records set storage external;
