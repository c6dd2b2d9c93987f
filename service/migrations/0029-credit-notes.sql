-- An invoice that is cancelled, or whose money went back, is taken back by a credit note. Its numbers have no gaps either.
alter table invoice_book add column last_credit_number integer not null default 0;
create table credit_notes (
  number integer primary key,
  payment_id text not null unique references payments,
  issuer jsonb,
  pdf bytea not null,
  issued_at timestamptz not null default now()
);
