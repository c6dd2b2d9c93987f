-- The number of parallel requests that a tool's account accepts, learned from its answers, and each run's present
-- share. All processes share it. Losing it costs nothing but learning again, so it needs no log.
create unlogged table account_paces (
  account text primary key,
  -- Requests at once, of all processes together.
  allowed real not null,
  blocked_until timestamptz not null default '-infinity'
);
create unlogged table account_holders (
  account text not null,
  holder text not null,
  slots integer not null,
  expires_at timestamptz not null,
  primary key (account, holder)
);

-- Takes part in an account, or stays in it: learns (`factor` and `step` change what is allowed, never beyond `ceiling`),
-- waits where the tool asked for it, and answers how many requests at once this holder may make. The row of the account
-- is locked first, so holders take turns and never have more than is allowed together: what a holder has under way
-- (`busy`) counts until it is over, even if its share has become smaller.
create function hold_account(
  account_ text, holder_ text, busy_ integer, ceiling_ real, factor_ real, step_ real, blocked_ms integer,
  lease_ms integer, out slots integer, out allowed real, out wait_ms double precision
) language plpgsql as $$
declare
  others integer;
  taken integer;
  hungry integer;
  is_new boolean;
begin
  insert into account_paces as p (account, allowed, blocked_until)
  values (account_, greatest(1, ceiling_ * factor_), clock_timestamp() + blocked_ms * interval '1 ms')
  on conflict (account) do update set
    -- Answers during a pause belong to earlier requests, and say nothing about the account's limit.
    allowed = least(ceiling_, greatest(1,
      p.allowed * factor_ + case when p.blocked_until > clock_timestamp() then 0 else step_ end)),
    blocked_until = greatest(p.blocked_until, excluded.blocked_until)
  returning p.allowed, extract(epoch from p.blocked_until - clock_timestamp()) * 1000 into allowed, wait_ms;
  delete from account_holders h where h.account = account_ and h.expires_at < clock_timestamp();
  delete from account_holders h where h.account = account_ and h.holder = holder_;
  is_new := not found;
  select count(*), coalesce(sum(h.slots), 0), count(*) filter (where h.slots = 0) into others, taken, hungry
  from account_holders h where h.account = account_;
  -- A fair share, as far as the others have left it free. A new run does not go before runs that still have nothing.
  slots := greatest(0, least(
    greatest(1, floor(allowed / (others + 1))),
    floor(allowed) - taken - case when is_new then hungry else 0 end
  ));
  insert into account_holders
  values (account_, holder_, greatest(slots, busy_), clock_timestamp() + lease_ms * interval '1 ms');
end $$;
