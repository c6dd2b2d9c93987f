-- Every line of the audit log gets a number, the hash of the line before and its own hash. The act's transaction inserts
-- the line without them; sealing (service/src/audit-chain.ts) adds them in order, once the line is committed.
alter table audit_log
  add column seq bigint,
  add column previous_hash text,
  add column hash text,
  add constraint audit_log_is_sealed_whole check (
    num_nonnulls(seq, previous_hash, hash) in (0, 3)
    and seq > 0 and previous_hash ~ '^[0-9a-f]{64}$' and hash ~ '^[0-9a-f]{64}$'
  );
create unique index audit_log_by_seq on audit_log (seq);
create index audit_log_unsealed on audit_log (id) where seq is null;

-- One row: the end of the chain. A process that seals lines locks this row, so the chain cannot fork.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  seq bigint not null,
  hash text not null
);
insert into audit_head (seq, hash) values (0, repeat('0', 64));

drop trigger audit_log_is_append_only on audit_log;
create trigger audit_log_is_append_only before delete or truncate on audit_log
  for each statement execute function refuse_change_of_audit_log();

-- The one change that is allowed: a line without a number gets its place in the chain.
create function allow_only_sealing_of_audit_log() returns trigger language plpgsql as $$
begin
  if old.seq is not null or new.seq is null
    or (new.id, new.at, new.actor, new.act, new.subject, new.details)
      is distinct from (old.id, old.at, old.actor, old.act, old.subject, old.details) then
    raise exception 'the audit log is append-only';
  end if;
  return new;
end $$;
create trigger audit_log_is_sealed_once before update on audit_log
  for each row execute function allow_only_sealing_of_audit_log();

create function refuse_sealed_insert_into_audit_log() returns trigger language plpgsql as $$
begin
  if new.seq is not null then
    raise exception 'the audit log is append-only: a new line has no place in the chain yet';
  end if;
  return new;
end $$;
create trigger audit_log_is_inserted_unsealed before insert on audit_log
  for each row execute function refuse_sealed_insert_into_audit_log();

create function allow_only_advance_of_audit_head() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'the head of the audit log stays';
  end if;
  if new.seq <= old.seq then
    raise exception 'the head of the audit log only moves forward';
  end if;
  return new;
end $$;
create trigger audit_head_only_advances before update on audit_head
  for each row execute function allow_only_advance_of_audit_head();
create trigger audit_head_stays before delete or truncate on audit_head
  for each statement execute function allow_only_advance_of_audit_head();
