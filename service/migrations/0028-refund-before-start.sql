-- A purchase that is refunded before the full migration starts takes the import back to where it was.
insert into import_moves (from_status, to_status) values
  ('in_preparation', 'sample_migration_completed'),
  ('in_preparation', 'waiting_to_start_sample_migration');
