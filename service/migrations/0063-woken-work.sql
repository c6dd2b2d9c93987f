-- A new job wakes the workers of its queue at once: pg-boss listens on a channel named after its schema. A job for later
-- wakes nobody; the look below finds it when it is due.
create function wake_queue(queue_name text) returns void language sql as $$
  select pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), queue_name)
$$;

create or replace function send_job(queue_name text, job_data jsonb, begin_at timestamptz default now()) returns void
language plpgsql as $$
begin
  insert into pgboss.job (
    name, data, start_after, keep_until, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max,
    expire_seconds, deletion_seconds, heartbeat_seconds, dead_letter)
  select name, job_data, begin_at, begin_at + make_interval(secs => retention_seconds), policy, retry_limit,
    retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, heartbeat_seconds, dead_letter
  from pgboss.queue where name = queue_name;
  if not found then
    raise exception 'there is no queue %', queue_name;
  end if;
  if begin_at <= now() then
    perform wake_queue(queue_name);
  end if;
end
$$;

-- Records a change of an import, its delivery and the job that looks at the target (webhooks/record-event.ts). A function,
-- because planning the statement anew for each event cost as much as executing it.
create function record_event(
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
    perform send_job('webhook-deliveries', jsonb_build_object('partnerId', the_partner));
  end if;
end
$$;

-- Everything that a worker may have to do, found by one look: 'queue <name>' has due jobs, 'lost slices' are jobs of runs
-- without a heartbeat. plpgsql keeps the plan, so that a look each second costs next to nothing.
create function waiting_work() returns setof text language plpgsql stable as $$
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
    select 'payments' where exists (select from payments where task is not null and task_due_at <= now())
      or exists (select from runs where state = 'paused' and obstacle @> '{"is_covered": true}');
end
$$;

-- With the policy 'singleton', pg-boss tells uploads under way from a copy that each process keeps for a minute. With this
-- one it looks at the jobs themselves, as it does for runs. Of two jobs of an upload that are under way one is enough.
update pgboss.queue set policy = 'key_strict_fifo' where name = 'uploads';
update pgboss.job j set policy = 'key_strict_fifo'
where name = 'uploads' and (state = 'created' or state in ('retry', 'active') and not exists (
  select from pgboss.job other
  where other.name = j.name and other.singleton_key = j.singleton_key and other.state in ('retry', 'active')
    and (other.state, other.id) > (j.state, j.id)));
