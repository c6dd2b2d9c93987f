/** In SQL: unexpected results come first, because some people read only the beginning. `record_change` has the same. */
export const warningOrder =
  "case when code like 'skipped:%' then 2 when code ~ '^(custom_)?field_not_taken:' then 1 else 0 end, code, entity"
