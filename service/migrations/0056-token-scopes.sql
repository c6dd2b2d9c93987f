-- Tokens that end by themselves, and tokens for a part of the partner API. Earlier tokens keep all rights, without an end.
alter table api_tokens
  add column expires_at timestamptz,
  -- Null: every right.
  add column scopes text[] check (cardinality(scopes) > 0);
