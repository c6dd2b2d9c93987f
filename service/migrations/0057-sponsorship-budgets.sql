-- A partner's limit for sponsored migrations per calendar month (UTC), in the smallest unit of the price list's
-- currency. Null: no limit. A transaction that starts a sponsored migration locks the partner's row while it checks the
-- limit.
alter table partners
  add column budget bigint check (budget >= 0),
  add column budget_currency text check (budget_currency ~ '^[A-Z]{3}$'),
  add check ((budget is null) = (budget_currency is null));

-- The partner's cost of each sponsored migration: the price of its package. The transaction that starts the full
-- migration inserts the row. If the import later needs a larger package, one more row holds the difference.
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
