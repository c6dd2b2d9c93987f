-- An upload consists of one or several files: each has its name, its size, and its received bytes. `uploads.size` and
-- `uploads.received` are their sums. Their chunks are stored under their number.
create table upload_files (
  upload_id text not null references uploads on delete cascade,
  number integer not null check (number between 0 and 9999),
  sealed_name bytea not null,
  size bigint not null check (size > 0),
  received bigint not null default 0 check (received between 0 and size),
  primary key (upload_id, number)
);
insert into upload_files (upload_id, number, sealed_name, size, received)
  select id, 0, sealed_name, size, received from uploads where sealed_name is not null;
alter table uploads drop column sealed_name;
-- A number is never given twice: chunks of a file that was removed are deleted later.
alter table uploads add column next_file integer not null default 1;
