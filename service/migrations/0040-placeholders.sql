-- Somebody without an account in the destination whose name stands in the records until the person is invited there.
alter table user_map add column keeps_name boolean not null default false;
