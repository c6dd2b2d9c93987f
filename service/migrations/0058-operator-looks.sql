-- An operator may look at the portal as the customer sees it, for some minutes, and change nothing there. The look ends
-- with the operator's own session.
alter table portal_sessions add column operator_session_id text references operator_sessions on delete cascade;
create index portal_sessions_by_operator on portal_sessions (operator_session_id)
  where operator_session_id is not null;
