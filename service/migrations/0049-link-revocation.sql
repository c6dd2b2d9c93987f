-- While it is set, no link opens the portal of the import; issuing a new one clears it.
alter table imports add column link_revoked_at timestamptz;
