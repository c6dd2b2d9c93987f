-- Customers are addressed in Spanish and French too.
alter table import_contacts
  drop constraint import_contacts_language_check,
  add constraint import_contacts_language_check check (language in ('en', 'de', 'es', 'fr'));
alter table mails
  drop constraint mails_language_check,
  add constraint mails_language_check check (language in ('en', 'de', 'es', 'fr'));
alter table payments
  drop constraint payments_language_check,
  add constraint payments_language_check check (language in ('en', 'de', 'es', 'fr'));
