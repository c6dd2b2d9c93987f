-- API tokens can expire, and can be limited to a part of the partner API. Existing tokens keep all rights and never
-- expire.
alter table api_tokens
  add column expires_at timestamptz,
  -- Null: the token has every right.
  add column scopes text[] check (cardinality(scopes) > 0);
