-- People who opened the portal of an import and told their name. The audit log names them by id, so that the name itself
-- can be forgotten with the import.
create table visitors (
  id text primary key,
  import_id text not null references imports,
  name text not null,
  created_at timestamptz not null default now()
);
create index visitors_by_import on visitors (import_id);
alter table mappings add column saved_by text references visitors on delete set null;
-- As the person was called then: a saved mapping outlives the import.
alter table saved_mappings add column saved_by text;

-- While a plan is made: what records would become one by in the destination, such as a name. A hash, nothing to read.
alter table plan_records add column united_by text;
create index plan_records_united on plan_records (import_id, united_by) where united_by is not null;
