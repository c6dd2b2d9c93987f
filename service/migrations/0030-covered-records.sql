-- The number of records that are paid for, enforced where records are written.
alter table partners
  -- Records that samples of an import may write before anyone pays, over the whole life of the import.
  add column sample_records integer not null default 60 check (sample_records >= 1);

alter table imports
  -- Records that the partner's policy pays for; null: any number.
  add column sponsored_records integer check (sponsored_records >= 0),
  -- The number of rows of id_map with is_counted.
  add column moved_records integer not null default 0 check (moved_records >= 0);

-- The record counts for the price and was sent at least once. Neither a refusal nor an undo changes that.
alter table id_map add column is_counted boolean not null default false;

update imports set sponsored_records = (sponsorship_reason->>'limit')::integer
where sponsorship = 'accepted' and sponsorship_by = 'policy' and sponsorship_reason->>'policy' = 'sponsor_up_to';

update id_map set is_counted = true
where entity in ('organizations', 'contacts', 'tickets', 'articles', 'accounts', 'deals', 'projects', 'issues',
    'wiki_pages', 'posts', 'pages', 'subscribers')
  and (state in ('intended', 'written', 'deleted', 'refused') or (state = 'removed' and code is distinct from 'never_there'));

update imports i set moved_records = m.records
from (select import_id, count(*)::integer as records from id_map where is_counted group by import_id) m
where m.import_id = i.id;

-- Runs that waited for somebody to pay, and can go on.
create index runs_covered on runs (id) where state = 'paused' and obstacle @> '{"is_covered": true}';
