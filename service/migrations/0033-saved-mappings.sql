-- Mappings that are kept under a name for later imports of the same partner and tools. One with an account belongs to the
-- customer of that destination account, and nobody else sees it; one without is the partner's own, for all its customers.
create table saved_mappings (
  id text primary key,
  partner_id text not null references partners,
  family text not null,
  source_tool text not null,
  destination_tool text not null,
  destination_account text,
  name text not null,
  changes jsonb not null,
  saved_at timestamptz not null default now(),
  unique nulls not distinct (partner_id, family, source_tool, destination_tool, destination_account, name)
);
