-- Other imports of an account, whose grants a revocation would end (authorizations/revoke-access.ts).
create index imports_by_source_account on imports (source_account) where source_account is not null;
create index imports_by_destination_account on imports (destination_account) where destination_account is not null;
