-- Audiences of the records that a plan looked at: values of the fields about visibility, as JSON, with their number.
-- From it the service counts records that a destination would show to more people, before anything is sent.
alter table plan_entities add column audiences jsonb not null default '{}';
