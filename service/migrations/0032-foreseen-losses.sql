-- Losses of the records that a plan looked at, found by mapping them.
alter table plan_entities
  -- Kinds of loss, each with its number, the values behind it and some examples.
  add column losses jsonb not null default '[]',
  -- Of the records looked at: how many would be copied or tried, lose nothing, and lose something that the customer can
  -- decide about.
  add column mapped integer not null default 0,
  add column whole integer not null default 0,
  add column undecided integer not null default 0,
  -- The source had no further page.
  add column is_read_whole boolean not null default false;

-- While a plan is made: what would become of each record that it has met. Emptied when the plan is done.
create table plan_records (
  import_id text not null references imports,
  entity text not null,
  source_id text not null,
  fate text not null check (fate in ('sent', 'refused', 'held', 'filtered')),
  source_url text,
  -- It refers to records that were not met yet, so it is mapped once more at the end.
  is_open boolean not null default false,
  primary key (import_id, entity, source_id)
);
create index plan_records_open on plan_records (import_id, entity, source_id) where is_open;
create index plan_records_by_url on plan_records (import_id, source_url) where source_url is not null;

alter table plans
  -- The same accounts were looked at before; what was found then is shown until it is found anew.
  add column is_again boolean not null default false,
  -- Since then the customer has chosen other people than those the plan was made with.
  add column people_changed_at timestamptz;

alter table user_map
  -- Records that name the person, of those that the plan looked at.
  add column named_in integer not null default 0,
  -- The source does not list the person any more; only records name them.
  add column is_listed boolean not null default true,
  -- Initial and last name, for suggestions.
  add column short_name text;
alter table destination_users add column short_name text;
create index destination_users_by_short_name on destination_users (import_id, short_name, is_active desc, user_id)
  where short_name is not null;
create index user_map_open on user_map (import_id, named_in desc, source_user_id) where destination_user_id is null;
