-- Lag of the source's clock behind ours at the beginning of the run, by its own answers. A delta reaches back that much
-- further.
alter table runs add column source_lag_seconds integer not null default 0;

-- Identity of the accounts: keyed hashes of an account's own id, or of its credentials. They stay when an import has
-- ended, and show when another one copies the same. Null until an account is connected.
alter table imports add column source_account text, add column destination_account text;
create index imports_by_accounts on imports (partner_id, source_account, destination_account)
  where source_account is not null and destination_account is not null;

-- Until when the tool itself asked us to wait, however long that is; `blocked_until` is when we ask again.
alter table account_paces add column asked_until timestamptz not null default '-infinity';

-- People are read page by page, then matched here. The plain forms are what they are compared by; `seen_in` is the run
-- that met them last.
alter table user_map add column plain_email text, add column plain_name text, add column seen_in text;
alter table destination_users add column plain_email text, add column plain_name text, add column seen_in text;
-- In the order in which one of several is taken, so that a thousand people of one name cost no more than one.
create index destination_users_by_email on destination_users (import_id, plain_email, is_active desc, user_id)
  where plain_email is not null;
create index destination_users_by_name on destination_users (import_id, plain_name, is_active desc, user_id)
  where plain_name is not null;
