-- Somebody wants the run to leave out what it is stuck at. Cleared by the transaction that moves on.
alter table runs add column skip_asked_at timestamptz;
-- Number of the source's pages left out of this stage.
alter table run_stages add column skipped integer not null default 0;
