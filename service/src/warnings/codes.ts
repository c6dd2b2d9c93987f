/**
 * Every warning code, with the words for partners. A new code needs a line here, words for customers in web/texts (the
 * compiler demands them in each language), and a line in docs/warnings.md (a test compares).
 */

/** Readers report these codes with a record. A source declares in `warns` which of them it reports. */
export const sourceWarnings = {
  audience_narrowed:
    'We could not tell who may see these records, or the destination has no such choice. Fewer people can see them now.',
  author_missing:
    'The authors of these records no longer have an account in the source. The copies are not under their names.',
  comments_left_out:
    'Readers commented on these articles. The comments were not copied; the count is that of the comments.',
  draft_left_out: 'These articles have a draft with changes that are not published yet. The draft was not copied.',
  duplicate_id: 'Several rows have the same id. Each became a record of its own.',
  email_only: 'These posts were only ever sent by e-mail and were never on the site.',
  field_unreadable: 'A field of these records holds something unexpected. It was left out.',
  file_lost: 'The source has lost the content of these files; only their names are left.',
  files_left_out:
    'Fields of these records hold files. This import has no place for files of such records. They were not copied.',
  follower_left_out: 'People who follow these records have no account as an agent and were left out.',
  followers_left_out: 'People follow these records in the source. Nobody follows the copies.',
  group_watcher_left_out: 'A group follows these records. Only single people were copied as followers.',
  image_missing: 'The featured image of these records was deleted in the source.',
  link_labels_left_out:
    'The source has labels at links of these records, such as a role. The links were copied without the labels.',
  link_left_out: 'These records link to a record that is deleted or that nobody can see. The link was left out.',
  messages_left_out:
    'The source keeps e-mails or chats with these records in a mailbox. These messages were not copied.',
  parent_not_moved:
    'These comments answer something that is not copied: it was deleted, is spam, or is of another kind.',
  plan_not_moved: 'These members pay for a plan. Their payments were not copied.',
  relation_delay_lost: 'These issues follow another one after some days. The number of days was not copied.',
  relations_left_out:
    'The source links these records to more records than the copies have room for. The other links were left out; the count is that of these links.',
  required_empty: 'These records lack a field that they should have.',
  row_skipped: 'These rows cannot be read. They were left out.',
  tiers_not_moved: 'Only some tiers of members can read these records in the source. The tiers were not copied.',
  value_unreadable: 'A value does not fit its column, such as a day that does not exist. It was left out.',
} as const

/** The engine and the mapping report these codes. */
export const engineWarnings = {
  back_in_source: 'These records were removed because the source no longer had them. Now the source has them again.',
  beyond_sample: 'These records were left out of the sample: the free number of records is used up.',
  deleted: 'Someone deleted these records in the destination after they were copied. They stay deleted.',
  deletion_not_checked: 'The source failed to say whether it still has these records.',
  differs: 'The destination does not hold these records as they were sent. The report names them.',
  doubled: 'These records are in the destination more than once: it did not let us remove the other one.',
  edited: 'Someone changed these records in the destination after they were copied. They stay as they are there.',
  entity_not_taken: 'The destination does not accept records of this kind.',
  fewer_than_counted: 'The source counted more records than it returned.',
  file_missing: 'These files are no longer in the source.',
  file_size_differs: 'These files have another length than the source says. Please compare them.',
  file_too_large: 'These files are larger than the destination accepts. They were not copied.',
  gone_from_source: 'The source no longer has these records. They stay in the destination until the customer decides.',
  held: 'These records belong to a record that is not in the destination. They wait for it.',
  kept: 'These records were not removed. The report says why.',
  link_not_rewritten:
    'Links in these texts still point to the source: the linked record came later or not at all, and the destination cannot change a text.',
  link_stray:
    'Links in these texts name no site, so we cannot tell which site they belonged to. They stay as they were.',
  link_to_source:
    'Links in these texts still point to the source: the linked pages were not copied. The report names the addresses.',
  list_withheld:
    'The source does not open a list of these records to us, for example because its plan does not include it. If the list has records, they were not copied.',
  merged:
    'Each of these records was merged with another copied record, such as one with the same name or address. The destination keeps one record for both.',
  not_paid: 'These records were not copied, because nobody has paid for them.',
  only_first_kept: 'The destination accepts one value where the source has several. The first was kept.',
  option_not_offered: 'These records have a choice that the destination does not offer. It was left empty.',
  refused: 'The destination refused these records. Their reasons are in the report.',
  relation_lost: 'A link to another record was left out, because that record was not copied.',
  not_protected:
    'More people could see these records in the destination than in the source. They were not copied; the customer can allow it in the plan.',
  parent_missing:
    'These records belong to a record that is not copied, such as a comment on a file. They were not copied.',
  shown_to_more:
    'More people can see these records in the destination than in the source. They were copied because the customer allowed it.',
  source_page_skipped: 'The source kept failing to return these records. They were skipped.',
  source_rest_skipped:
    'The source failed to return a page of records. Neither this page nor anything after it was read.',
  steps_not_applied:
    'These values are too long for the changes that the customer asked for. They were copied as they are.',
  text_cut: 'These texts are longer than the destination accepts. They were cut.',
  truncated_by_source:
    'The source does not return all parts of these records, such as older comments. The count is that of the missing parts.',
  unknown: 'We could not find out whether these records arrived. They were not sent again; please look for them.',
  unnamed_in_source: 'The source sent these records without an id. They were not copied.',
  user_kept_as_name:
    'These records name people who have no account in the destination yet. The records keep the names.',
  user_not_matched: 'These records name people who have no account in the destination. The copies do not name them.',
  user_replaced:
    'These records name people who have no account in the destination. The copies name the person whom the customer chose instead.',
  value_does_not_fit: 'A value does not fit the field of the destination. It was left empty.',
  vanished: 'These records vanished from the source before they were copied. They are not in the destination.',
  withheld_by_source:
    'The source has these records but does not return them, such as archived ones. They were not copied.',
} as const

/**
 * Losses and changes of a text's conversion; as warnings they begin with `text_`. For several of a kind in one record,
 * a second code has the number (`text_video_linked*2`), so that the warning counts the things and not the records.
 */
export const textLosses = {
  anchor_removed: 'Links within these texts do not work in the destination. Their words are still there.',
  audio_linked: 'Sounds in these texts became links.',
  caption_moved: 'Captions in these texts became paragraphs: the destination has none.',
  code_simplified: 'Code in these texts arrived line by line: the destination would have taken it for markup.',
  details_opened: 'Parts of these texts that could be folded are always shown.',
  embed_linked: 'Embedded content in these texts, such as a map, became links.',
  embed_removed: 'Embedded content without an address was taken out of these texts.',
  form_removed: 'A form was taken out of these texts. Its words are still there.',
  formatting_removed:
    'The destination cannot format some words of these texts as they were, such as underlined or within a word.',
  highlight_removed: 'Words in these texts were highlighted. The destination cannot show that.',
  image_removed: 'Images that the destination cannot show were taken out of these texts.',
  link_as_text:
    'Links in these texts are now plain text beside their words: the destination cannot link to such an address.',
  link_removed: 'Links without a usable address were taken out of these texts. Their words are still there.',
  list_flattened: 'Lists in these texts held more than lines. Everything in them became lines.',
  list_start_removed: 'Numbered lists in these texts began with another number than 1. The destination begins with 1.',
  markup_kept_as_text: 'The markup of these texts could not be read. It arrived as it was typed.',
  nesting_flattened: 'These texts were nested very deeply. Their inner levels were joined.',
  plain_only: 'These texts lost their formatting: the destination keeps only plain text.',
  script_removed: 'A script was taken out of these texts.',
  style_removed: 'Colors, sizes and other styles were taken out of these texts.',
  table_flattened: 'Cells of tables in these texts held more than lines. Everything in them became lines.',
  table_span_removed: 'Tables in these texts had joined cells. They arrived as single cells.',
  tag_removed: 'An unknown element was taken out of these texts. Its words are still there.',
  terms_listed: 'Lists of terms in these texts became plain lists.',
  too_complex: 'These texts took too long to convert. Their words arrived as plain text, without formatting.',
  video_linked: 'Videos in these texts became links.',
} as const

/** Parts of a written record that the destination did not accept; as warnings they begin with `lost:`. */
export const writeLosses = {
  address_refused: 'The destination does not accept an e-mail address of these people. They arrived without it.',
  assignee_refused:
    'The destination did not take the assignees of these records. New records are unassigned, others keep their assignee.',
  author_not_kept: 'The destination shows another author for these texts. A line in each text says who wrote it.',
  author_replaced:
    'The authors of these records are unknown or have no account in the destination. The copies name the user of the connected account, or the owner of the site.',
  comment_simplified:
    'The destination keeps little or no formatting in these texts. Lists, headings or images became lines or links.',
  custom_value_refused: 'The destination did not accept a value of a custom field.',
  domain_refused: 'The destination does not accept a domain of these organizations. They arrived without domains.',
  due_kept_as_draft: 'These records were to be published at a time that has passed. They arrived as drafts.',
  kept_for_agents:
    'Customers could see these messages or files in the source. They arrived as internal notes, which only agents see.',
  milestone_refused: 'The destination did not accept the milestone of these records.',
  moment_not_kept: 'The destination cannot keep a moment of these records, such as one before 1970.',
  parent_refused: 'The destination did not accept the parent of these records.',
  person_chosen:
    'No owner or author was known for these records. The destination requires one, so the copies name the user of the connected account.',
  person_replaced:
    'The destination refused the owner or the author of these records. The copies name the user of the connected account.',
  phone_refused: 'The destination does not accept a phone number of these people. They arrived without it.',
  picture_hidden:
    'Pictures in these public texts were for agents alone. They were taken out of the texts and arrive as internal notes.',
  private_kept_as_draft:
    'These records were private. The destination could not keep them private, so they are drafts there.',
  probability_adjusted:
    'The destination does not accept the probability of these stages. They arrived with the nearest one that it accepts.',
  relation_refused: 'The destination did not accept a link between these records.',
  stage_chosen: 'These deals had no stage. The destination requires one, so they arrived in the first stage.',
  status_refused: 'The destination did not accept the status of these records.',
  tags_left_out: 'The destination does not accept all tags of these records. Some or all of them were left out.',
  text_shortened: 'The destination kept only the beginning of these long texts.',
  watcher_refused: 'The destination refused followers of these records. They arrived without them.',
} as const

/** Fields of an entity that no record can keep; as warnings they end with `:` and the field. */
export const fieldWarnings = {
  custom_field_not_protected: (field: string) =>
    `Only some people could see the custom field "${field}" in the source. Everyone who sees the record would see it in the destination, so it was not copied; the customer can allow it in the mapping.`,
  custom_field_not_taken: (field: string) => `The destination has no field for the custom field "${field}".`,
  field_not_taken: (field: string) => `The destination has no field for "${field}".`,
} as const

/**
 * Kinds of records that no run copies, on purpose; as warnings they begin with `skipped:`. Each has the entity that the
 * warning names, one of the family if possible. A source declares in `skips` which kinds it counts.
 */
export const skippedKinds = {
  account_links: [
    'accounts',
    'Links of these companies to other companies, if there are any, were not copied: the source lists them for one company at a time only.',
  ],
  activities_elsewhere: ['activities', 'Calls, meetings and tasks were not copied: this import has no place for them.'],
  approvals: ['tickets', 'Approvals were not copied.'],
  article_translations: [
    'articles',
    'Translations of articles were not copied: each article came in the language in which it was written.',
  ],
  articles: ['articles', 'Articles of the knowledge base were not copied.'],
  assets: ['assets', 'Assets were not copied.'],
  call_logs: ['activities', 'Call logs were not copied.'],
  community_posts: ['posts', 'Posts of the community forum were not copied.'],
  custom_posts: ['posts', 'Content of other types than posts and pages was not copied.'],
  custom_records: ['custom objects', 'Records of custom objects were not copied.'],
  deleted_tickets: ['tickets', 'Tickets that were deleted in the source were not copied.'],
  files_elsewhere: ['attachments', 'Files of records of other kinds were not copied.'],
  forum_topics: ['forums', 'Topics of forums were not copied.'],
  history_entries: ['history', 'Entries of the history, such as changes of a status, were not copied.'],
  invoices: ['invoices', 'Invoices were not copied.'],
  leads: ['leads', 'Leads were not copied.'],
  line_items: ['products', 'Line items, such as the products of a deal, were not copied.'],
  menu_items: ['menus', 'Menu items were not copied.'],
  messages: ['messages', 'Messages other than e-mails, such as SMS, WhatsApp and letters, were not copied.'],
  news: ['news', 'News items were not copied.'],
  newsletters: ['newsletters', 'Newsletters were not copied.'],
  note_comments: [
    'notes',
    'Comments on these notes, if there are any, were not copied: the source lists them for one note at a time only.',
  ],
  notes_elsewhere: ['notes', 'Notes on records of other kinds were not copied.'],
  offers: ['offers', 'Offers to members were not copied.'],
  other_help_centers: ['articles', 'Help Centers of other brands were not copied.'],
  pingbacks: ['comments', 'Pingbacks and trackbacks were not copied.'],
  products: ['products', 'Products were not copied.'],
  projects_elsewhere: ['projects', 'Projects were not copied: this import has no place for them.'],
  quotes: ['quotes', 'Quotes were not copied.'],
  reminders: ['tickets', 'Reminders were not copied.'],
  reusable_blocks: ['posts', 'Reusable blocks were not copied by themselves. Texts that use them have their content.'],
  revisions: ['posts', 'Earlier revisions of texts were not copied.'],
  sales: ['sales', 'Sales were not copied.'],
  satisfaction_ratings: ['tickets', 'Ratings by which customers judged the help they got were not copied.'],
  saved_queries: ['queries', 'Saved queries were not copied.'],
  sensitive_fields: [
    'custom fields',
    'Fields for sensitive data were not copied: the source gives their values to special apps only.',
  ],
  spam_comments: ['comments', 'Comments marked as spam were not copied.'],
  spam_tickets: ['tickets', 'Tickets marked as spam were not copied.'],
  suspended_tickets: [
    'tickets',
    'Suspended tickets, such as suspected spam, were not copied: the source has not made them tickets yet.',
  ],
  system_users: ['contacts', 'Users of the system itself were not copied.'],
  tickets_elsewhere: ['tickets', 'Tickets were not copied: this import has no place for them.'],
  tiers: ['tiers', 'Paid tiers were not copied.'],
  time_entries: ['tickets', 'Time entries, the time that people spent on tickets, were not copied.'],
  trashed_comments: ['comments', 'Comments in the trash were not copied.'],
  trashed_pages: ['pages', 'Pages in the trash were not copied.'],
  trashed_posts: ['posts', 'Posts in the trash were not copied.'],
} as const satisfies Record<string, readonly [entity: string, words: string]>

export type SourceWarning = keyof typeof sourceWarnings
export type EngineWarning = keyof typeof engineWarnings
export type TextLoss = keyof typeof textLosses
export type WriteLoss = keyof typeof writeLosses
export type FieldWarning = keyof typeof fieldWarnings
export type SkippedKind = keyof typeof skippedKinds

/** Codes with words of their own; all other codes are named after a field or a loss. */
export type PlainWarning = SourceWarning | EngineWarning | `text_${TextLoss}`

/** Counted separately, beside the codes that name the addresses: `link_to_source:https://old.example/a`. */
export type LinkWarning = 'link_stray' | 'link_to_source'

/** Counted by the things that are missing, not by the records that miss them. */
export const countedWarnings = ['relations_left_out', 'truncated_by_source'] as const
export type CountedWarning = (typeof countedWarnings)[number]
export const isCounted = (code: string): code is CountedWarning => countedWarnings.some((one) => one === code)

export type WarningCode =
  | PlainWarning
  | `text_${TextLoss}*${number}`
  | `${CountedWarning}*${number}`
  | `lost:${WriteLoss}`
  | `skipped:${SkippedKind}`
  | `${FieldWarning}:${string}`
  | `${LinkWarning}:${string}`

export const namesAddress = (code: string): code is `${LinkWarning}:${string}` =>
  /^link_(?:stray|to_source):/.test(code)

/** `code*3` comes in addition to the code itself, which already counts one. */
export function readTimes(code: WarningCode): [code: WarningCode, times: number] {
  const [, name, times] = /^(text_.+|relations_left_out|truncated_by_source)\*(\d+)$/.exec(code) ?? []
  return name === undefined ? [code, 1] : [name as WarningCode, Number(times) - 1]
}

/** One of the codes above; another version stored any other code. */
export function describeWarning(code: string): string {
  const [kind = '', ...rest] = code.split(':')
  const name = rest.join(':')
  if (kind === 'lost') return find(writeLosses, name) ?? code
  if (kind === 'skipped') return find<readonly string[]>(skippedKinds, name)?.[1] ?? code
  const aboutField = find(fieldWarnings, kind)
  if (aboutField) return aboutField(name)
  return (
    find(engineWarnings, kind) ?? find(sourceWarnings, kind) ?? find(textLosses, kind.replace(/^text_/, '')) ?? code
  )
}

/** Reported once for the field, not with each record. */
export const isAboutField = (code: string): boolean =>
  /^(?:(?:custom_)?field_not_taken|custom_field_not_protected):/.test(code)

/** Told of an entity: the source has these records and keeps them. */
export const isWithheld = (code: string): boolean => code === 'list_withheld' || code === 'withheld_by_source'

export const isSkipped = (code: string): boolean => code.startsWith('skipped:')

const find = <T>(words: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined
