/** Warnings by severity: from records that are not copied to values that change slightly. */
export const worstFirst = [
  'refused',
  'row_skipped',
  'unnamed_in_source',
  'entity_not_taken',
  'file_too_large',
  'held',
  'parent_missing',
  'fewer_than_counted',
  'list_withheld',
  'withheld_by_source',
  'truncated_by_source',
  'option_not_offered',
  'user_not_matched',
  'field_not_taken',
  'value_does_not_fit',
  'value_unreadable',
  'merged',
  'relation_lost',
  'relations_left_out',
  'text_cut',
  'only_first_kept',
  'required_empty',
  'duplicate_id',
]

/** For these warnings, the count is of missing parts or links, not of records. */
export const countsParts = (kind: string) => ['relations_left_out', 'truncated_by_source'].includes(kind)

export const rankOf = (kind: string) => (worstFirst.includes(kind) ? worstFirst.indexOf(kind) : worstFirst.length)
