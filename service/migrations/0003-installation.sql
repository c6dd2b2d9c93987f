-- One row: what belongs to this installation as a whole. The sealed secret also proves at start that the
-- key ring at hand is the one that sealed this database.
create table installation (
  only_row boolean primary key default true check (only_row),
  sealed_secret bytea not null,
  created_at timestamptz not null default now()
);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  act text not null,
  subject text not null,
  details jsonb not null default '{}'
);
create index audit_log_by_subject on audit_log (subject, id);

create function refuse_change_of_audit_log() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change_of_audit_log();
