-- Rows of the ledger are looked up by their key, thousands at a time. An index that holds all of them under other columns
-- is one more to keep, and tempts the planner to read all of an import; what is asked for by state is all but "written".
drop index id_map_by_state;
create index id_map_by_state on id_map (import_id, entity, state, source_id) where state <> 'written';

-- They are written in transactions that hold their run's row, so its existence needs no check for each of them.
alter table id_map drop constraint id_map_import_id_fkey, drop constraint id_map_run_id_fkey;
