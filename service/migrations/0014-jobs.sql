-- Puts a job into the queue from any statement, in its transaction: the same as pg-boss's own send(), for code without
-- a queue at hand.
create function send_job(queue_name text, job_data jsonb, begin_at timestamptz default now()) returns void
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
end
$$;
