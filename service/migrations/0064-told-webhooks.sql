-- Records a change of an import and its delivery (webhooks/record-event.ts). The delivery needs no job: NOTIFY names its
-- target to the workers that listen, and `due_targets` finds it for all others. The previous release calls `record_event`.
create function record_change(
  new_id text, the_partner text, the_import text, the_sequence integer, the_status text, the_items jsonb, the_users jsonb,
  the_request text, step text, most_warnings integer
) returns void language plpgsql as $$
declare
  new_state text;
begin
  insert into events (id, partner_id, import_id, sequence, status, items, users, warnings, request, trace_parent)
  values (
    new_id, the_partner, the_import, the_sequence, the_status, the_items, the_users,
    (select coalesce(jsonb_agg(jsonb_build_object(
        'code', w.code, 'message', w.message, 'entity', w.entity, 'count', w.count)), '[]')
      from (select * from warnings where import_id = the_import
        order by case when code like 'skipped:%' then 2 when code ~ '^(custom_)?field_not_taken:' then 1 else 0 end, code, entity
        limit most_warnings) w),
    the_request,
    -- The step at work, if it belongs to the import's own trace; the trace's id is in the first 35 characters.
    (select case when trace_parent is null or left(trace_parent, 35) = left(step, 35)
        then coalesce(step, trace_parent) else trace_parent end from imports where id = the_import));
  insert into deliveries (id, event_id, partner_id, state, settled_at, given_up_because)
  select new_id, new_id, the_partner,
    case when disabled_at is null then 'waiting' else 'given_up' end,
    case when disabled_at is not null then now() end,
    case when disabled_at is not null then 'the target is disabled' end
  from webhook_targets where partner_id = the_partner
  returning state into new_state;
  -- Without a target there is no delivery.
  if new_state = 'waiting' then
    perform pg_notify('wherry_webhooks', the_partner);
  end if;
end
$$;

-- Targets with deliveries that are due, among them claims of lost workers. The index of waiting deliveries leads from one
-- target to the next, so that neither a long backlog nor targets without deliveries cost anything.
create function due_targets(at timestamptz) returns setof text language sql stable as $$
  with recursive waiting (partner_id) as (
    (select partner_id from deliveries where state = 'waiting' order by partner_id limit 1)
    union all
    select (select d.partner_id from deliveries d where d.state = 'waiting' and d.partner_id > w.partner_id
      order by d.partner_id limit 1)
    from waiting w where w.partner_id is not null
  )
  -- Scalar subqueries are asked target by target, so that an "exists" ends with the first.
  select w.partner_id from waiting w
  where w.partner_id is not null
    and (select t.disabled_at is null and (t.paused_until is null or t.paused_until <= at)
      from webhook_targets t where t.partner_id = w.partner_id)
    and (select d.due_at <= at from deliveries d where d.partner_id = w.partner_id and d.state = 'waiting'
      order by d.due_at limit 1)
$$;

-- Room in each page for the end of an attempt, so that it needs no new entry in the index.
alter table attempts set (fillfactor = 70);

-- As before, with 'webhooks'.
create or replace function waiting_work() returns setof text language plpgsql stable as $$
begin
  return query
    select 'queue ' || q.name from pgboss.queue q where exists (
      select from pgboss.job j
      where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())
    union all
    select 'lost slices' where exists (
      select from pgboss.job j
      where j.name = 'run-slices' and j.policy = 'key_strict_fifo' and j.state in ('active', 'retry', 'failed')
        and j.state = 'active' and j.heartbeat_on + j.heartbeat_seconds * interval '1 second' < now())
    union all
    select 'held runs' where exists (select from runs where state in ('working', 'paused') and holder is not null)
    union all
    select 'audit lines' where exists (select from audit_log where seq is null)
    union all
    select 'webhooks' where exists (select from due_targets(now()))
    union all
    select 'payments' where exists (select from payments where task is not null and task_due_at <= now())
      or exists (select from runs where state = 'paused' and obstacle @> '{"is_covered": true}');
end
$$;
