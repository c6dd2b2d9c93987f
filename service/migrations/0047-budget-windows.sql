-- Windows of a limit that ended without a page getting through, one after the other, and when the present one is free.
alter table runs
  add column budget_windows integer not null default 0,
  add column budget_free_at timestamptz;

-- When it was spent from last: a row is of no use once its window is over.
alter table account_buckets add column touched_at timestamptz not null default now();

drop function spend_buckets(text, text[], double precision[], double precision[], double precision[], boolean[]);

-- As before, and also answers when the bucket will be completely free. Amounts counted by a clock that ran ahead of the
-- present one count as spent now. `is_sent` counts finished requests, even beyond the limits.
create function spend_buckets(
  account_ text, names text[], costs double precision[], limits double precision[], per_ms double precision[],
  aligned boolean[], is_sent boolean, out bucket text, out wait_ms double precision, out free_ms double precision
) language plpgsql as $$
declare
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
    slots := case when aligned[i] then 1 else 11 end;
    length_ms := case when aligned[i] then per_ms[i] else per_ms[i] / 10 end;
    slot_now := floor(now_ms / length_ms)::bigint;
    b.slot := least(b.slot, slot_now);
    for k in 1..least(slots, slot_now - b.slot) loop b.spent := 0::double precision || b.spent; end loop;
    while cardinality(b.spent) < slots loop b.spent := b.spent || 0::double precision; end loop;
    b.spent := b.spent[1:slots];
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
    -- Short windows are used evenly: a page in the middle is not given up for a wait that spreading avoids.
    if most is not null and not aligned[i] and per_ms[i] <= 60000 and b.spent[1] > 0
      and b.spent[1] + costs[i] > ceil(most / 10)
    then
      needed := greatest(needed, (slot_now + 1) * length_ms - now_ms);
    end if;
    if needed > wait_ms then
      wait_ms := needed;
      free_ms := greatest(needed, all_free);
      bucket := names[i];
    end if;
  end loop;
  if wait_ms > 0 and not is_sent then return; end if;
  update account_buckets a set spent[1] = a.spent[1] + c.cost, told_left = a.told_left - c.cost
  from unnest(names, costs) as c (name, cost)
  where a.account = account_ and a.name = c.name;
end $$;
