-- Who works on a run: the number of its process' presence lock, and its attempt of the slice's job. When nobody holds
-- that lock any more, another worker takes over at once.
alter table runs add column holder jsonb;
