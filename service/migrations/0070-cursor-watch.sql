-- By it the engine notices that the cursors of a source repeat. It holds one earlier cursor as a hash.
alter table run_stages add column cursor_watch jsonb;
