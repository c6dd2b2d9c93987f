-- A message's content beyond the status, at that moment. `request` is a wish of the customer that came without a change
-- of status.
alter table events
  add column warnings jsonb not null default '[]',
  add column request text check (request in ('sponsorship'));
alter table imports add column sponsorship_requested_at timestamptz;

-- After a rotation the old secret signs along until it expires.
alter table webhook_secrets add column expires_at timestamptz;

-- `failures` counts failed tries since the last success. While the target is paused nothing is sent to it.
alter table webhook_targets
  add column failures integer not null default 0,
  add column failing_since timestamptz,
  add column paused_until timestamptz,
  add column disabled_at timestamptz;

-- One event to the partner's target. The row is the job: it is made in the transaction of the event, and workers
-- claim it. Its id is the event's; a test message has an id alone, and no event.
create table deliveries (
  id text primary key,
  event_id text references events check (event_id = id),
  partner_id text not null references partners,
  state text not null check (state in ('waiting', 'delivered', 'given_up')),
  -- When it may be tried next. For a claimed one: when the claim ends, should its worker be gone.
  due_at timestamptz not null default now(),
  is_claimed boolean not null default false,
  -- Tries begun so far; what a worker settles must carry the newest.
  attempts integer not null default 0,
  -- Failed tries on the present schedule.
  failures integer not null default 0,
  first_tried_at timestamptz,
  -- When it was made, or last replayed.
  waiting_since timestamptz not null default now(),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  given_up_because text
);
create index deliveries_waiting on deliveries (partner_id, due_at) where state = 'waiting';
create index deliveries_claimed on deliveries (partner_id) where is_claimed;
create index deliveries_given_up on deliveries (partner_id, id) where state = 'given_up';
create index deliveries_by_partner on deliveries (partner_id, id);
create index deliveries_by_age on deliveries (settled_at) where state <> 'waiting';

-- One HTTP try. Without an end it is under way, or its worker was lost.
create table attempts (
  delivery_id text not null references deliveries on delete cascade,
  number integer not null,
  url text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  status integer,
  error text,
  response text,
  primary key (delivery_id, number)
);
