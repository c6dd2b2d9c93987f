-- The trace of the partner's request that created the import (W3C "traceparent"). Its runs and messages belong to it.
alter table imports add column trace_parent text;
-- The step of the trace that caused the message.
alter table events add column trace_parent text;
