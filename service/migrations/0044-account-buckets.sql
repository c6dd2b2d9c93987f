-- The used part of each limit that a tool sets, such as 400 requests a minute or 30,000 points a day. All processes
-- share it. Unlike a pace it is logged: a spent budget stays spent when the database restarts.
create table account_buckets (
  account text not null,
  name text not null,
  -- The newest stretch of time in which something was spent, and what was spent in it and in those before it.
  slot bigint not null default 0,
  spent double precision[] not null default '{}',
  -- The limit of a window and its rest, as the tool tells them. Requests meanwhile are subtracted.
  told_limit double precision,
  told_left double precision,
  told_until timestamptz,
  -- Whether the tool told the end of its window itself.
  has_told_end boolean not null default false,
  primary key (account, name)
);

-- Spends the costs from all buckets, or from none: then it answers which bucket to wait for, and for how long. The
-- tool's own numbers about its window have priority. Otherwise a window is counted in slots: the whole of it where
-- windows begin at full minutes, hours or days, or eleven tenths of it, so that no stretch of that length ever has more
-- than the limit. Names are sorted.
create function spend_buckets(
  account_ text, names text[], costs double precision[], limits double precision[], per_ms double precision[],
  aligned boolean[], out bucket text, out wait_ms double precision
) language plpgsql as $$
declare
  b account_buckets;
  now_ms double precision;
  most double precision;
  total double precision;
  freed double precision;
  needed double precision;
  length_ms double precision;
  slots integer;
  slot_now bigint;
begin
  wait_ms := 0;
  insert into account_buckets (account, name) select account_, unnest(names) on conflict do nothing;
  perform from account_buckets a where a.account = account_ and a.name = any(names) order by a.name for update;
  now_ms := extract(epoch from clock_timestamp()) * 1000;
  for i in 1..cardinality(names) loop
    select * into b from account_buckets a where a.account = account_ and a.name = names[i];
    if b.told_until <= to_timestamp(now_ms / 1000) then
      if b.has_told_end then b.spent := '{}'; end if;
      b.told_left := null;
      b.told_until := null;
      b.has_told_end := false;
    end if;
    slots := case when aligned[i] then 1 else 11 end;
    length_ms := case when aligned[i] then per_ms[i] else per_ms[i] / 10 end;
    slot_now := greatest(b.slot, floor(now_ms / length_ms)::bigint);
    for k in 1..least(slots, slot_now - b.slot) loop b.spent := 0::double precision || b.spent; end loop;
    while cardinality(b.spent) < slots loop b.spent := b.spent || 0::double precision; end loop;
    b.spent := b.spent[1:slots];
    update account_buckets a set slot = slot_now, spent = b.spent, told_left = b.told_left, told_until = b.told_until,
      has_told_end = b.has_told_end
    where a.account = account_ and a.name = names[i];

    needed := 0;
    most := coalesce(b.told_limit, limits[i]);
    if b.told_left is not null then
      if b.told_left < costs[i] then needed := extract(epoch from b.told_until) * 1000 - now_ms; end if;
    elsif most is not null then
      select sum(s) into total from unnest(b.spent) s;
      if total > 0 and total + costs[i] > most then
        freed := 0;
        for k in reverse slots..1 loop
          freed := freed + b.spent[k];
          needed := (slot_now - (k - 1) + slots) * length_ms - now_ms;
          exit when total - freed + costs[i] <= most;
        end loop;
      end if;
    end if;
    -- Short windows are used evenly: a page in the middle is not given up for a wait that spreading avoids.
    if most is not null and not aligned[i] and per_ms[i] <= 60000 and b.spent[1] > 0
      and b.spent[1] + costs[i] > ceil(most / 10)
    then
      needed := greatest(needed, (slot_now + 1) * length_ms - now_ms);
    end if;
    if needed > wait_ms then
      wait_ms := needed;
      bucket := names[i];
    end if;
  end loop;
  if wait_ms > 0 then return; end if;
  update account_buckets a set spent[1] = a.spent[1] + c.cost, told_left = a.told_left - c.cost
  from unnest(names, costs) as c (name, cost)
  where a.account = account_ and a.name = c.name;
end $$;

-- Takes over what an answer told. An answer about a window that is over by now says nothing; within one window the lowest
-- counts, because answers overtake each other.
create function learn_bucket(
  account_ text, name_ text, limit_ double precision, left_ double precision, reset_ms double precision,
  per_ms double precision
) returns void language plpgsql as $$
declare
  b account_buckets;
  at timestamptz := clock_timestamp();
  ends timestamptz := at + coalesce(reset_ms, per_ms) * interval '1 ms';
  slack interval := least(1500, per_ms / 2) * interval '1 ms';
begin
  insert into account_buckets (account, name) values (account_, name_) on conflict do nothing;
  select * into b from account_buckets a where a.account = account_ and a.name = name_ for update;
  b.told_limit := coalesce(limit_, b.told_limit);
  if left_ is not null then
    if b.told_until is null or b.told_until <= at or (reset_ms is not null and b.has_told_end and ends > b.told_until + slack) then
      b.told_left := left_;
      b.told_until := ends;
      b.has_told_end := reset_ms is not null;
    elsif reset_ms is null or not b.has_told_end or ends >= b.told_until - slack then
      b.told_left := least(b.told_left, left_);
      if reset_ms is not null and not b.has_told_end then
        b.told_until := ends;
        b.has_told_end := true;
      end if;
    end if;
  end if;
  update account_buckets a
  set told_limit = b.told_limit, told_left = b.told_left, told_until = b.told_until, has_told_end = b.has_told_end
  where a.account = account_ and a.name = name_;
end $$;
