-- When the requests so far would be through at an even pace, in milliseconds since 1970.
alter table account_buckets add column even_at double precision not null default 0;

-- As before, with two changes for windows of a minute or less. They are counted in sixtieths instead of tenths: of eleven
-- tenths only ten could ever be used. A part has at least 100 ms, because requests take different times to arrive. And
-- time that nobody used is made up for, up to a quarter of the window: an even pace that counted each tenth by itself lost
-- what a tenth had left.
create or replace function spend_buckets(
  account_ text, names text[], costs double precision[], limits double precision[], per_ms double precision[],
  aligned boolean[], is_sent boolean, out bucket text, out wait_ms double precision, out free_ms double precision
) language plpgsql as $$
declare
  ahead constant double precision := 0.25;
  shortest_slot_ms constant double precision := 100;
  b account_buckets;
  now_ms double precision;
  most double precision;
  total double precision;
  freed double precision;
  needed double precision;
  all_free double precision;
  length_ms double precision;
  slots integer;
  slot_now bigint;
  is_even boolean;
  gaps_ms double precision[] := '{}';
begin
  wait_ms := 0;
  free_ms := 0;
  insert into account_buckets (account, name) select account_, unnest(names) on conflict do nothing;
  perform from account_buckets a where a.account = account_ and a.name = any(names) order by a.name for update;
  now_ms := extract(epoch from clock_timestamp()) * 1000;
  for i in 1..cardinality(names) loop
    select * into b from account_buckets a where a.account = account_ and a.name = names[i];
    -- No answer is taken to tell of more than ten windows: that end was set by a clock that ran ahead.
    if b.told_until <= to_timestamp(now_ms / 1000) or b.told_until > to_timestamp((now_ms + 10 * per_ms[i] + 60000) / 1000)
    then
      if b.has_told_end then b.spent := '{}'; end if;
      b.told_left := null;
      b.told_until := null;
      b.has_told_end := false;
    end if;
    is_even := not aligned[i] and per_ms[i] <= 60000;
    slots := case when aligned[i] then 1
      when is_even then 1 + greatest(10, least(60, floor(per_ms[i] / shortest_slot_ms)))::integer
      else 11 end;
    length_ms := case when aligned[i] then per_ms[i] else per_ms[i] / (slots - 1) end;
    slot_now := floor(now_ms / length_ms)::bigint;
    b.slot := least(b.slot, slot_now);
    b.spent := (array_fill(0::double precision, array[least(slots, slot_now - b.slot)::integer]) || b.spent
      || array_fill(0::double precision, array[slots]))[1:slots];
    update account_buckets a set slot = slot_now, spent = b.spent, told_left = b.told_left, told_until = b.told_until,
      has_told_end = b.has_told_end, touched_at = clock_timestamp()
    where a.account = account_ and a.name = names[i];

    needed := 0;
    all_free := 0;
    most := coalesce(b.told_limit, limits[i]);
    if b.told_left is not null then
      if b.told_left < costs[i] then
        needed := extract(epoch from b.told_until) * 1000 - now_ms;
        all_free := needed;
      end if;
    elsif most is not null then
      select sum(s) into total from unnest(b.spent) s;
      if total > 0 and total + costs[i] > most then
        freed := 0;
        for k in reverse slots..1 loop
          freed := freed + b.spent[k];
          if needed = 0 or total - freed + b.spent[k] + costs[i] > most then
            needed := (slot_now - (k - 1) + slots) * length_ms - now_ms;
          end if;
          if b.spent[k] > 0 then all_free := (slot_now - (k - 1) + slots) * length_ms - now_ms; end if;
        end loop;
      end if;
    end if;
    -- Short windows are used evenly: a page in the middle is not given up for a wait that spreading avoids. What the pace
    -- allows within a slot is free when the slot begins. An end beyond the window was set by a clock that ran ahead.
    if is_even and most is not null and b.even_at < now_ms + 2 * per_ms[i] and b.even_at >= (slot_now + 1) * length_ms
    then
      needed := greatest(needed, floor(b.even_at / length_ms) * length_ms - now_ms);
    end if;
    gaps_ms := gaps_ms || case when is_even and most is not null then least(costs[i] / most, 1) * per_ms[i] else 0 end;
    if needed > wait_ms then
      wait_ms := needed;
      free_ms := greatest(needed, all_free);
      bucket := names[i];
    end if;
  end loop;
  if wait_ms > 0 and not is_sent then return; end if;
  update account_buckets a set spent[1] = a.spent[1] + c.cost, told_left = a.told_left - c.cost,
    even_at = c.gap_ms + case when a.even_at < now_ms + 2 * c.per_ms then greatest(a.even_at, now_ms - ahead * c.per_ms)
      else now_ms end
  from unnest(names, costs, per_ms, gaps_ms) as c (name, cost, per_ms, gap_ms)
  where a.account = account_ and a.name = c.name;
end $$;

-- As before, with two changes where no answer tells the end of the window. It began when our requests since then are what
-- the tool has counted, so it ends one window later. And a much higher rest tells that the next one has begun. Otherwise
-- the rest of the window in whose middle we came would count for a whole one.
create or replace function learn_bucket(
  account_ text, name_ text, limit_ double precision, left_ double precision, reset_ms double precision,
  per_ms double precision
) returns void language plpgsql as $$
declare
  b account_buckets;
  at timestamptz := clock_timestamp();
  ends timestamptz := at + coalesce(reset_ms, per_ms) * interval '1 ms';
  slack interval := least(1500, per_ms / 2) * interval '1 ms';
  slots integer;
  counted double precision := 0;
begin
  insert into account_buckets (account, name) values (account_, name_) on conflict do nothing;
  select * into b from account_buckets a where a.account = account_ and a.name = name_ for update;
  b.told_limit := coalesce(limit_, b.told_limit);
  if left_ is not null then
    if b.told_until is null or b.told_until <= at or (reset_ms is not null and b.has_told_end and ends > b.told_until + slack)
      -- Answers overtake each other, but not by a fifth of the limit.
      or (reset_ms is null and not b.has_told_end and left_ > b.told_left + greatest(20, b.told_limit / 5))
    then
      slots := coalesce(cardinality(b.spent), 0);
      if reset_ms is null and slots > 1 then
        for k in 1..slots - 1 loop
          counted := counted + b.spent[k];
          if counted >= b.told_limit - left_ then
            -- The first of these requests was sent in this slot, and arrived before the end of the next.
            ends := least(ends, to_timestamp(((b.slot - k + 3) * per_ms / (slots - 1) + per_ms) / 1000));
            exit;
          end if;
        end loop;
      end if;
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
