-- Records that a connector made in the destination because others needed them, such as a member for a comment. Noted
-- before the request leaves; the last stage of an undo removes them. Marks, ids and versions, never what a record says.
create table side_records (
  import_id text not null references imports,
  kind text not null,
  mark text not null,
  destination_id text,
  version text,
  created_at timestamptz not null default now(),
  primary key (import_id, kind, mark)
);

alter table run_stages drop constraint run_stages_stage_check;
alter table run_stages add constraint run_stages_stage_check check (stage in
  ('users', 'survey', 'choose', 'recheck', 'write', 'link', 'sweep', 'verify', 'inspect', 'remove', 'follow', 'tidy'));

-- Which records of an import are one in the destination, and what kept records refer to.
create index id_map_by_destination on id_map (import_id, destination_id) where destination_id is not null;
