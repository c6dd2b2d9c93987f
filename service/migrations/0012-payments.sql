-- The payer, as the partner has told the operator beforehand. The partner's own answer on an import outranks it.
alter table partners
  add column policy text not null default 'ask'
    check (policy in ('ask', 'customer_pays', 'sponsor_all', 'sponsor_up_to')),
  add column policy_limit integer check (policy_limit > 0),
  add column policy_beyond text check (policy_beyond in ('ask', 'customer_pays')),
  -- Address for customers who want the full migration before the payer is decided.
  add column full_page_url text,
  add check ((policy = 'sponsor_up_to') = (policy_limit is not null)),
  add check ((policy_limit is null) = (policy_beyond is null));

-- Who decided; for a policy, the facts that it decided by.
alter table imports
  add column sponsorship_by text check (sponsorship_by in ('partner', 'policy')),
  add column sponsorship_reason jsonb;
update imports set sponsorship_by = 'partner' where sponsorship <> 'undecided';

-- Of the records that a plan looked at, those that the customer's filters let through.
alter table plan_entities add column wanted integer not null default 0;

-- Every price list that there was; the newest counts.
create table prices (
  version integer primary key generated always as identity,
  document jsonb not null,
  created_at timestamptz not null default now()
);

-- The price of a full migration at the moment the customer went to pay. Amounts are in the smallest unit of the
-- currency.
create table quotes (
  id text primary key,
  import_id text not null references imports,
  prices_version integer references prices,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount > 0),
  -- Of the whole package; `amount` is less by what was paid before.
  price bigint not null,
  package jsonb not null,
  records integer not null,
  counted jsonb not null,
  is_estimated boolean not null,
  tax_note jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index quotes_by_import on quotes (import_id, id);

create table payments (
  id text primary key,
  import_id text not null references imports,
  quote_id text not null references quotes,
  provider text not null check (provider in ('stripe', 'invoice')),
  amount bigint not null check (amount > 0),
  currency text not null,
  -- Only `paid` opens the full migration. `refund_due`: the money is here and has to go back.
  state text not null check (state in ('open', 'paid', 'expired', 'cancelled', 'refund_due', 'refunded')),
  -- The provider's own id of it, and of the money that came.
  provider_id text unique,
  payment_intent text,
  checkout_url text,
  language text not null check (language in ('en', 'de')),
  billing jsonb,
  receipt_email text,
  -- Why it was cancelled or goes back.
  reason text,
  -- Payments that the operator should look at.
  attention text,
  -- The next task at the provider, and its time.
  task text check (task in ('check', 'expire', 'refund')),
  task_due_at timestamptz,
  task_failures integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  paid_at timestamptz,
  refunded_at timestamptz,
  check ((task is null) = (task_due_at is null))
);
create index payments_by_import on payments (import_id, id);
create index payments_by_intent on payments (payment_intent) where payment_intent is not null;
create unique index payments_open on payments (import_id) where state = 'open';
create index payments_to_do on payments (task_due_at) where task is not null;

-- Messages of a provider, each stored once, in any order. A payment's state follows from these.
create table payment_events (
  id text primary key,
  type text not null,
  payment_id text references payments,
  payment_intent text,
  fact text not null check (fact in ('paid', 'failed', 'expired', 'refunded', 'mismatch', 'none')),
  amount bigint,
  currency text,
  details jsonb not null default '{}',
  received_at timestamptz not null default now()
);
create index payment_events_by_payment on payment_events (payment_id);
create index payment_events_by_intent on payment_events (payment_intent) where payment_intent is not null;

-- Invoice numbers have no gaps: the next one is taken in the transaction that keeps the invoice.
create table invoice_book (
  only_row boolean primary key default true check (only_row),
  last_number integer not null default 0,
  issuer jsonb
);
insert into invoice_book default values;
create table invoices (
  number integer primary key,
  payment_id text not null unique references payments,
  issuer jsonb,
  pdf bytea not null,
  issued_at timestamptz not null,
  due_at timestamptz not null
);

-- The last lines of defence against any statement.
create function refuse_unpaid_move() returns trigger language plpgsql as $$
begin
  if new.status in ('in_preparation', 'migration_in_progress')
    and new.sponsorship <> 'accepted' and new.paid_at is null then
    raise exception 'import % is neither sponsored nor paid, so it cannot move to %', new.id, new.status
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger imports_refuse_unpaid_move before update of status on imports
  for each row when (old.status is distinct from new.status) execute function refuse_unpaid_move();

create function refuse_unpaid_run() returns trigger language plpgsql as $$
begin
  -- Locked, so that the word that it rests on cannot be taken back before this is committed.
  perform from imports where id = new.import_id and (sponsorship = 'accepted' or paid_at is not null) for share;
  if not found then
    raise exception 'import % is neither sponsored nor paid, so no % run can start', new.import_id, new.kind
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger runs_refuse_unpaid before insert on runs
  for each row when (new.kind in ('full', 'delta', 'retry')) execute function refuse_unpaid_run();

create function refuse_paid_without_payment() returns trigger language plpgsql as $$
begin
  if not exists (select from payments where import_id = new.id and state = 'paid') then
    raise exception 'import % has no payment, so it is not paid', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger imports_refuse_paid_without_payment before insert or update of paid_at on imports
  for each row when (new.paid_at is not null) execute function refuse_paid_without_payment();
