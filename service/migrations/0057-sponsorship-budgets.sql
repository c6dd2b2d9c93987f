-- A partner's limit for sponsored migrations in a calendar month (UTC), in the smallest unit of the currency of the
-- prices. Null: no limit. The partner's row is locked while a start is counted against it.
alter table partners
  add column budget bigint check (budget >= 0),
  add column budget_currency text check (budget_currency ~ '^[A-Z]{3}$'),
  add check ((budget is null) = (budget_currency is null));

-- Costs of sponsored migrations for their partners: the price of the package, counted by the transaction that starts
-- the full migration. An import that later needs a larger package gets one more row with the difference.
create table sponsorship_charges (
  id bigint primary key generated always as identity,
  partner_id text not null references partners,
  import_id text not null references imports,
  -- The first day of the month, in UTC.
  month date not null,
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  records integer not null,
  created_at timestamptz not null default now()
);
create index sponsorship_charges_by_partner on sponsorship_charges (partner_id, month);
create index sponsorship_charges_by_import on sponsorship_charges (import_id);
