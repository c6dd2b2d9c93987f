-- Connectors from outside that kept a process busy. They are not called until their code changes or the operator admits
-- them (engine/set-aside.ts).
create table set_aside_connectors (
  tool text primary key,
  -- A hash of the connector's code.
  code text not null,
  reason text not null,
  since timestamptz not null default now()
);
