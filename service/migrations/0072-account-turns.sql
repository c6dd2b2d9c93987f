-- Changes in an account of a tool that may be made by one import at a time, such as those of a field's choices. A row whose
-- time has passed counts as gone. Losing the table costs nothing unless a change is under way, so it needs no log.
create unlogged table account_turns (
  account text not null,
  name text not null,
  holder text not null,
  expires_at timestamptz not null,
  primary key (account, name)
);
