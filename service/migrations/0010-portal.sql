-- What an account called itself when it last let us in.
alter table authorizations add column account_name text;

-- What the customer thinks of a record of the sample.
alter table id_map add column verdict text check (verdict in ('fine', 'flagged'));

-- How the portal looks to the partner's customers.
alter table partners
  add column accent text check (accent ~ '^#[0-9a-f]{6}$'),
  add column logo bytea,
  add column logo_type text check (logo_type in ('image/png', 'image/svg+xml')),
  add check ((logo is null) = (logo_type is null));
