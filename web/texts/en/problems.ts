import type { EngineWarning, SourceWarning, TextLoss, WriteLoss } from '../../../service/src/warnings/codes.ts'

export interface ProblemWords {
  what: string
  fix: string
}

/**
 * `{source}` and `{destination}` are replaced by the names of the two tools. The screen shows the number of records
 * below.
 */
export const problems = {
  byCode: {
    author_missing: {
      what: 'The authors of these records no longer have an account in {source}. The copies are not under their names.',
      fix: 'Choose an author in {destination}, if it matters.',
    },
    comments_left_out: {
      what: 'Readers commented on these articles in {source}. The comments were not copied.',
      fix: 'They stay in {source}. Keep access to it for as long as you need them.',
    },
    deleted: {
      what: 'Someone deleted these records in {destination} after they were copied.',
      fix: 'They stay deleted. You can bring them back below.',
    },
    deletion_not_checked: {
      what: '{source} failed to say whether it still has these records.',
      fix: 'Copy the changes again later: then {source} is asked once more.',
    },
    differs: {
      what: '{destination} does not hold these records as they were sent.',
      fix: 'Compare them record by record: {destination} has changed something by a rule of its own.',
    },
    doubled: {
      what: 'These records are in {destination} more than once.',
      fix: '{destination} did not let us remove the second copy. Please remove it there by hand. The list names each record.',
    },
    draft_left_out: {
      what: 'These articles have a draft in {source} with changes that are not published yet. The draft was not copied.',
      fix: 'Publish the draft in {source} and start another run, or copy its text by hand.',
    },
    duplicate_id: {
      what: 'Several rows have the same id. Each became a record of its own.',
      fix: 'Remove the ones that you do not need in {destination}.',
    },
    edited: {
      what: 'Someone changed these records in {destination} after they were copied.',
      fix: 'They stay unchanged there.',
    },
    email_only: {
      what: 'These posts were only ever sent by e-mail and were never on your site.',
      fix: 'Check whether {destination} shows them.',
    },
    entity_not_taken: {
      what: '{destination} does not accept records of this kind.',
      fix: 'They stay in {source}.',
    },
    fewer_than_counted: {
      what: '{source} counted more records than it returned.',
      fix: 'Usually some are visible to nobody, or were deleted meanwhile. Use an administrator’s key if some are missing.',
    },
    field_unreadable: {
      what: 'A field of these records holds something unexpected. It was left out.',
      fix: 'Look at these records in {source}.',
    },
    file_lost: {
      what: '{source} has lost the content of these files. Only their names are left.',
      fix: 'There is nothing left to copy. Look for the files in a backup.',
    },
    file_missing: {
      what: 'These files are no longer in {source}.',
      fix: 'There is nothing left to copy.',
    },
    file_size_differs: {
      what: 'These files have another length than {source} says.',
      fix: 'Please compare them.',
    },
    not_protected: {
      what: 'More people could see these private records in {destination} than in {source}. They were not copied.',
      fix: 'If you want them all the same, allow it in the plan. Then try them again.',
    },
    shown_to_more: {
      what: 'More people can see these records in {destination} than in {source}.',
      fix: 'You allowed it in the plan. Remove them in {destination} if that was a mistake.',
    },
    audience_narrowed: {
      what: 'We could not tell who may see these records, or {destination} has no such choice. Fewer people can see them now.',
      fix: 'Open them up in {destination}, or choose in the mapping what each value becomes.',
    },
    parent_missing: {
      what: 'These records belong to a record that is not copied, such as a comment on a file. They were not copied.',
      fix: 'They stay in {source}. Keep a copy if you give {source} up.',
    },
    file_too_large: {
      what: 'These files are larger than {destination} accepts. They were not copied.',
      fix: 'They stay in {source}. Keep a copy if you give {source} up.',
    },
    files_left_out: {
      what: 'Fields of these records hold files. This import has no place for files of such records. They were not copied.',
      fix: 'They stay in {source}. Keep a copy if you give {source} up.',
    },
    follower_left_out: {
      what: 'People who follow these records are no agents in {source}. They were left out.',
      fix: 'Add them in {destination}, if they should follow.',
    },
    followers_left_out: {
      what: 'People follow these records in {source}. Nobody follows the copies.',
      fix: 'Nothing is lost in {source}. Ask people to follow the copies in {destination} that matter to them.',
    },
    group_watcher_left_out: {
      what: 'A group follows these records. Only single people were copied as followers.',
      fix: 'Add the people of the group in {destination}, if they should follow.',
    },
    back_in_source: {
      what: 'These records were removed because {source} no longer had them. Now {source} has them again.',
      fix: 'Try them again to copy them once more.',
    },
    beyond_sample: {
      what: 'These records were left out of the sample: samples are free for a limited number of records.',
      fix: 'The full migration copies them.',
    },
    list_withheld: {
      what: '{source} does not open a list of these records to us, for example because its plan does not include it. If the list has records, they were not copied.',
      fix: 'Choose a plan of {source} that includes these records, or a key that may read them. Then copy the changes.',
    },
    merged: {
      what: 'Each of these records was merged with another copied record, such as one with the same name or address. {destination} keeps one record for both.',
      fix: 'The list names the other record. To keep them apart, rename one of them in {source} and repeat, if {destination} accepts both.',
    },
    not_paid: {
      what: 'These records were not copied, because nobody has paid for them.',
      fix: 'Pay for them, or ask the partner to. Then try them again.',
    },
    gone_from_source: {
      what: 'These records are no longer in {source}.',
      fix: 'They are still in {destination}. Remove them there or keep them, below.',
    },
    held: {
      what: 'These records belong to a record that did not arrive. They wait for it.',
      fix: 'They are copied automatically when it arrives.',
    },
    image_missing: {
      what: 'The featured image of these records was deleted in {source}.',
      fix: 'Choose another one in {destination}, if you like.',
    },
    kept: {
      what: 'These records were not removed.',
      fix: 'The report says why for each. Remove them by hand if they should go.',
    },
    link_labels_left_out: {
      what: '{source} has labels at links of these records. The links were copied without the labels.',
      fix: 'Nothing is lost in {source}. Note the labels in {destination} by hand, if they matter.',
    },
    link_left_out: {
      what: 'These records link to a record that is deleted or that nobody can see. The link was left out.',
      fix: 'Nothing needs to be done.',
    },
    link_not_rewritten: {
      what: 'Links in these texts still point to {source}.',
      fix: 'The linked record arrived later or not at all, and {destination} does not allow changes to a text. Change the links there by hand, if they matter.',
    },
    link_stray: {
      what: 'Links in these texts name no site, so we cannot tell which site they belonged to.',
      fix: 'The links stay as they were. Open a record to see them, and write the whole address in {destination}.',
    },
    link_to_source: {
      what: 'Links in these texts still point to {source}, because the linked pages were not copied.',
      fix: 'Open a record to see the addresses, or look them up in the report. Change them in {destination} before you give {source} up.',
    },
    messages_left_out: {
      what: '{source} keeps e-mails or chats with these records in a mailbox. These messages were not copied.',
      fix: 'They stay in {source}. Keep access to it for as long as you need them.',
    },
    only_first_kept: {
      what: '{destination} accepts one value where {source} has several. The first was kept.',
      fix: 'Compare these records with their originals.',
    },
    option_not_offered: {
      what: 'These records have a choice that {destination} does not offer. It was left empty.',
      fix: 'Choose a value for each in the mapping.',
    },
    parent_not_moved: {
      what: 'These comments answer something that is not copied: it was deleted, is spam, or is of another kind.',
      fix: 'Compare a few of them with {source}.',
    },
    plan_not_moved: {
      what: 'These members pay for a plan. Their payments were not copied.',
      fix: 'Offer them a plan in {destination}, and end the one in {source}.',
    },
    refused: {
      what: '{destination} refused these records.',
      fix: 'The list gives its reason for each. Put that right, then try them again.',
    },
    relation_delay_lost: {
      what: 'These issues follow another after some days. The number of days was not copied.',
      fix: 'Check the dates of these issues in {destination}.',
    },
    relation_lost: {
      what: 'A link to another record was left out, because that record was not copied.',
      fix: 'Copy those records too, if you need the links.',
    },
    relations_left_out: {
      what: '{count} link to another record was left out: the copy has no room for it.|{count} links to other records were left out: the copies have no room for them.',
      fix: 'Open a record in {source} to see all of its links.',
    },
    required_empty: {
      what: 'These records lack a field that they should have.',
      fix: 'Fill it in in {source}, or give one value for all in the mapping.',
    },
    row_skipped: {
      what: 'These rows of your files cannot be read. They were left out.',
      fix: 'The upload screen named their lines. Correct the lines and upload the files again.',
    },
    source_page_skipped: {
      what: '{source} failed to return these records, so they were skipped.',
      fix: 'Ask the administrator of {source} to repair them, then copy the later changes: skipped records are read again. If {source} does not count its records, the number is that of the skipped pages.',
    },
    source_rest_skipped: {
      what: '{source} failed to return a page of records. Neither this page nor anything after it was read.',
      fix: 'Ask the administrator of {source} to repair it, then copy the later changes: everything that is missing is read again.',
    },
    steps_not_applied: {
      what: 'These values are too long for the changes that you set up. They were copied unchanged.',
      fix: 'Change them in {destination} by hand.',
    },
    text_cut: {
      what: 'These texts are longer than {destination} accepts. They were cut.',
      fix: 'Keep the originals, or shorten them in {source} and repeat.',
    },
    tiers_not_moved: {
      what: 'Only some tiers of members can read these records in {source}. The tiers were not copied.',
      fix: 'Check in {destination} who can read them.',
    },
    truncated_by_source: {
      what: '{source} does not return {count} part of these records, such as an older comment.|{source} does not return {count} parts of these records, such as older comments.',
      fix: 'They stay in {source}. Open the records there to read them.',
    },
    unknown: {
      what: 'We could not find out whether these records arrived.',
      fix: 'They were not sent again. Please look for them in {destination}; the list names them.',
    },
    unnamed_in_source: {
      what: '{source} sent these records without an id. They were not copied.',
      fix: 'Ask the administrator of {source} to repair them.',
    },
    user_kept_as_name: {
      what: 'These records name people who have no account in {destination} yet. The records keep the names.',
      fix: 'Invite these people in {destination}. Then press “Apply to copied records” under People.',
    },
    user_not_matched: {
      what: 'These records name people who have no account in {destination}. The copies do not name them.',
      fix: 'Choose someone for them under People, then press “Apply to copied records” there.',
    },
    user_replaced: {
      what: 'These records name people who have no account in {destination}. The copies name the person you chose instead.',
      fix: 'Choose somebody else for them under People, if you like.',
    },
    value_does_not_fit: {
      what: 'A value does not fit the field in {destination}. It was left empty.',
      fix: 'Choose another field for it in the mapping, such as a text field.',
    },
    withheld_by_source: {
      what: '{source} has {count} more record, such as an archived one, but does not return it.|{source} has {count} more records, such as archived ones, but does not return them.',
      fix: 'They stay in {source}. If you need them, ask the administrator of {source} to take them out of the archive, then copy the changes.',
    },
    value_unreadable: {
      what: 'A value does not fit its column, such as a day that does not exist. It was left out.',
      fix: 'Open a record to see file and line. Correct the value there, or in {destination}.',
    },
    vanished: {
      what: 'These records vanished from {source} before they were copied.',
      fix: 'They are not in {destination}. If they are back in {source}, try them again.',
    },
  } satisfies Record<SourceWarning | EngineWarning, ProblemWords>,
  /** The singular and, after the bar, the plural. */
  ofTexts: {
    anchor_removed:
      '{count} link within a text does not work in {destination}. Its words are still there.|{count} links within texts do not work in {destination}. Their words are still there.',
    audio_linked: '{count} sound is now a link.|{count} sounds are now links.',
    caption_moved:
      '{count} caption is now a paragraph: {destination} has none.|{count} captions are now paragraphs: {destination} has none.',
    code_simplified:
      '{count} piece of code arrived line by line: {destination} would have taken it for markup.|{count} pieces of code arrived line by line: {destination} would have taken them for markup.',
    details_opened:
      '{count} part of a text that could be folded is always shown.|{count} parts of texts that could be folded are always shown.',
    embed_linked:
      '{count} embedded thing, such as a map, is now a link.|{count} embedded things, such as maps, are now links.',
    embed_removed:
      '{count} embedded thing without an address was taken out.|{count} embedded things without an address were taken out.',
    form_removed:
      'A form was taken out of {count} text. Its words are still there.|Forms were taken out of {count} texts. Their words are still there.',
    formatting_removed:
      '{destination} cannot format {count} piece of text as it was, such as underlined or within a word.|{destination} cannot format {count} pieces of text as they were, such as underlined or within a word.',
    highlight_removed:
      '{count} highlighted piece of text is plain now.|{count} highlighted pieces of text are plain now.',
    image_removed:
      '{count} image that {destination} cannot show was taken out.|{count} images that {destination} cannot show were taken out.',
    link_as_text:
      '{count} link is now plain text beside its words: {destination} cannot link to such an address.|{count} links are now plain text beside their words: {destination} cannot link to such addresses.',
    link_removed:
      '{count} link without a usable address was taken out. Its words are still there.|{count} links without a usable address were taken out. Their words are still there.',
    list_flattened:
      '{count} item of a list held more than lines. Everything in it became lines.|{count} items of lists held more than lines. Everything in them became lines.',
    list_start_removed:
      '{count} numbered list began with another number. {destination} begins with 1.|{count} numbered lists began with another number. {destination} begins with 1.',
    markup_kept_as_text:
      'The markup of {count} text could not be read. It arrived as it was typed.|The markup of {count} texts could not be read. It arrived as it was typed.',
    nesting_flattened:
      '{count} text was nested very deeply. Its inner levels were joined.|Texts were nested very deeply in {count} places. Their inner levels were joined.',
    plain_only:
      '{count} text lost its formatting: {destination} keeps only plain text.|{count} texts lost their formatting: {destination} keeps only plain text.',
    script_removed: 'A script was taken out of {count} text.|Scripts were taken out of {count} texts.',
    style_removed:
      'Colors, sizes and other styles were taken out of {count} text.|Colors, sizes and other styles were taken out of {count} texts.',
    table_flattened:
      '{count} cell of a table held more than lines. Everything in it became lines.|{count} cells of tables held more than lines. Everything in them became lines.',
    table_span_removed:
      '{count} joined cell of a table arrived as a single cell.|{count} joined cells of tables arrived as single cells.',
    tag_removed:
      'An unknown element was taken out of {count} text. Its words are still there.|Unknown elements were taken out of {count} texts. Their words are still there.',
    terms_listed: '{count} list of terms is now a plain list.|{count} lists of terms are now plain lists.',
    too_complex:
      '{count} text took too long to convert. Its words arrived as plain text, without formatting.|{count} texts took too long to convert. Their words arrived as plain text, without formatting.',
    video_linked: '{count} video is now a link.|{count} videos are now links.',
  } satisfies Record<TextLoss, string>,
  textFix: 'Compare a few of these texts with their originals.',
  losses: {
    address_refused: '{destination} does not accept an e-mail address of these people. They arrived without it.',
    assignee_refused:
      '{destination} did not take the assignees of these records. New records are unassigned, others keep their assignee.',
    author_not_kept: '{destination} shows another author for these texts. A line in each text says who wrote it.',
    author_replaced:
      'The authors of these records are unknown or have no account in {destination}. The copies name the user of the connected account, or the owner of the site.',
    comment_simplified:
      '{destination} keeps little or no formatting in these texts. Lists, headings or images became lines or links.',
    custom_value_refused: '{destination} did not accept a value of a custom field.',
    domain_refused: '{destination} does not accept a domain of these organizations. They arrived without domains.',
    due_kept_as_draft: 'These records were to be published at a time that has passed. They arrived as drafts.',
    kept_for_agents:
      'Customers could see these messages or files in {source}. They arrived as internal notes, which only agents see.',
    milestone_refused: '{destination} did not accept the milestone of these records.',
    moment_not_kept: '{destination} cannot keep a moment of these records, such as one before 1970.',
    parent_refused: '{destination} did not accept the parent of these records.',
    person_chosen:
      'No owner or author was known for these records. {destination} requires one, so the copies name the user of the connected account.',
    person_replaced:
      '{destination} refused the owner or the author of these records. The copies name the user of the connected account.',
    phone_refused: '{destination} does not accept a phone number of these people. They arrived without it.',
    picture_hidden:
      'Pictures in these public texts were for agents alone. They were taken out of the texts and arrive as internal notes.',
    private_kept_as_draft:
      'These records were private. {destination} could not keep them private, so they are drafts there.',
    probability_adjusted:
      '{destination} does not accept the probability of these stages. They arrived with the nearest one that it accepts.',
    relation_refused: '{destination} did not accept a link between these records.',
    stage_chosen: 'These deals had no stage. {destination} requires one, so they arrived in its first stage.',
    status_refused: '{destination} did not accept the status of these records.',
    tags_left_out: '{destination} does not accept all tags of these records. Some or all of them were left out.',
    text_shortened: '{destination} kept only the beginning of these long texts.',
    watcher_refused: '{destination} refused followers of these records. They arrived without them.',
  } satisfies Record<WriteLoss, string>,
  lossFix: 'Compare these records with their originals.',
  fieldNotTaken: (field: string): ProblemWords => ({
    what: `{destination} has no field for "${field}", so it is not copied.`,
    fix: 'Send it to another field in the mapping, if there is one that fits.',
  }),
  fieldNotProtected: (field: string): ProblemWords => ({
    what: `Only some people see "${field}" in {source}. In {destination} everyone who sees the record would see it, so it is not copied.`,
    fix: 'Choose a field for it in the mapping if everyone may see it.',
  }),
  ofUploads: {
    too_many_files: 'There are too many files. Upload fewer, or join those of one kind.',
    too_large: 'This is too large. Upload less at a time, or save tables as CSV.',
    bomb_suspected: 'This file unpacks to far too much. Upload it by itself, without a zip.',
    nested_archive: 'We do not read archives in archives. Unpack it and upload its files.',
    encrypted: 'We do not read files with a password. Save them without a password.',
    unreadable: 'This file is damaged or has a password. Make it again and upload it.',
    not_csv: 'We do not read this format. Save the file as CSV or .xlsx.',
    same_name: 'An earlier file has the same name. Give each file a name of its own.',
    no_table: 'This is not a table, or it has no rows. Check that it is the right file.',
    unknown_entity:
      'We cannot tell from name or columns what the rows are. Choose above what the file holds, or it is left out.',
    columns_ignored: 'The file has too many columns. Put the columns that matter first.',
    rows_abandoned: 'From some line on the file cannot be read. Check the quotes and separators there.',
    rows_skipped: 'Some rows cannot be read and are left out. Check the quotes and separators there.',
    ids_repeated: 'Some rows have the id of an earlier row. They become records of their own.',
    values_unreadable: 'Some values of a column cannot be read and stay empty. Correct them here or in the file.',
    reference_not_followed:
      'We cannot match a column that refers to other records. It is kept as text in a custom field.',
  } as Record<string, string>,
}
