-- The account's own name at the last sign-in.
alter table authorizations add column account_name text;

-- The customer's opinion of a record of the sample.
alter table id_map add column verdict text check (verdict in ('fine', 'flagged'));

-- The portal's look for the partner's customers.
alter table partners
  add column accent text check (accent ~ '^#[0-9a-f]{6}$'),
  add column logo bytea,
  add column logo_type text check (logo_type in ('image/png', 'image/svg+xml')),
  add check ((logo is null) = (logo_type is null));
