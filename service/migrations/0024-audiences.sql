-- How many of the records that a plan looked at may be seen by whom: values of the fields that tell it, as JSON, with
-- their number. What a destination cannot keep from more people is counted from it before anything is sent.
alter table plan_entities add column audiences jsonb not null default '{}';
