export interface ProblemWords {
  what: string
  fix: string
}

export const problems = {
  byCode: {
    edited: {
      what: 'Some records were changed in the destination since they were copied.',
      fix: 'They were left as they are there.',
    },
    file_size_differs: {
      what: 'Some files came with another length than the source says.',
      fix: 'Please compare them.',
    },
    user_replaced: {
      what: 'Some people have no account in the destination; the person you chose stands in for them.',
      fix: 'Choose somebody else for them under People, if you like.',
    },
    link_not_rewritten: {
      what: 'Some links in texts still lead to the source.',
      fix: 'What they lead to came later, and the destination cannot change a text. Change them there by hand, if they matter.',
    },
    kept: {
      what: 'Some records were not removed.',
      fix: 'The report says why for each. Remove them by hand if they should go.',
    },
    unknown: {
      what: 'Nobody can find out whether some records arrived.',
      fix: 'They were not sent again. Please look for them in the destination; the list names them.',
    },
    differs: {
      what: 'Some records are not in the destination as they were sent.',
      fix: 'Compare them record by record; the destination has changed something by a rule of its own.',
    },
    deleted: {
      what: 'Someone deleted these records in the destination after they were copied.',
      fix: 'They stay deleted. You can bring them back below.',
    },
    doubled: {
      what: 'These records are in the destination more than once.',
      fix: 'It did not let us remove the other one. Please remove it there by hand; the list names each.',
    },
    vanished: {
      what: 'These records vanished from the source before they were copied.',
      fix: 'They are not in the destination. If they are back in the source, try them again.',
    },
    fewer_than_counted: {
      what: 'The source counted more records than it handed out.',
      fix: 'Usually some are visible to nobody, or were deleted meanwhile. Use an administrator’s key if some are missing.',
    },
    source_page_skipped: {
      what: 'The source failed to hand out these records, so they were skipped.',
      fix: 'Ask whoever runs the source to repair them, then copy the changes since: skipped records are read again. Where the source does not count its records, the number is that of the skipped pages.',
    },
    source_rest_skipped: {
      what: 'The source failed to hand out a page. Neither it nor anything after it was read.',
      fix: 'Ask whoever runs the source to repair it, then copy the changes since: everything that is missing is read again.',
    },
    entity_not_taken: {
      what: 'The destination does not take these records at all.',
      fix: 'Nothing can be done about it here; they stay in the source.',
    },
    field_unreadable: {
      what: 'Some fields hold something unexpected and were left out.',
      fix: 'Look at these records in the source.',
    },
    value_unreadable: {
      what: 'Some values cannot be read as what their column holds, such as a day that does not exist. They were left out.',
      fix: 'Open a record to see file and line. Correct the value there, or in the destination.',
    },
    duplicate_id: {
      what: 'Several rows have the same id. Each became a record of its own.',
      fix: 'Remove the ones that you do not need in the destination.',
    },
    row_skipped: {
      what: 'Some rows of your files cannot be read. They were left out.',
      fix: 'Their lines were named when you uploaded the files. Correct them and upload the files again.',
    },
    required_empty: {
      what: 'Some records lack a field that they should have.',
      fix: 'Fill it in in the source, or give one value for all in the mapping.',
    },
    value_does_not_fit: {
      what: 'Some values do not fit the field of the destination and were left empty.',
      fix: 'Send the field elsewhere in the mapping, such as to a text field.',
    },
    refused: {
      what: 'The destination refused some records.',
      fix: 'The list gives its reason for each. Put that right, then try them again.',
    },
    held: {
      what: 'Some records wait for one they belong to, which did not arrive.',
      fix: 'They follow by themselves when that one arrives.',
    },
    file_too_large: {
      what: 'Some files are larger than the destination takes.',
      fix: 'They stay in the source. Keep a copy if you give the source up.',
    },
    file_missing: {
      what: 'Some files are not in the source any more.',
      fix: 'There is nothing left to copy.',
    },
    user_not_matched: {
      what: 'Some people have no account in the destination, so they are not named there.',
      fix: 'Choose somebody for them under People, then repeat.',
    },
    option_not_offered: {
      what: 'Some choices do not exist in the destination and were left empty.',
      fix: 'Choose in the mapping what each becomes.',
    },
    relation_lost: {
      what: 'Some links between records were left out, because the other record was not taken along.',
      fix: 'Take those along too, if you need the links.',
    },
    only_first_kept: {
      what: 'The destination takes one value where the source has several; the first was kept.',
      fix: 'Nothing can be done about it here.',
    },
    text_cut: {
      what: 'Some texts are longer than the destination takes and were cut.',
      fix: 'Keep the originals, or shorten them in the source and repeat.',
    },
    text_too_complex: {
      what: 'Some texts took too long to convert. Their words arrived as plain text, without formatting.',
      fix: 'Format these texts again in the destination, or simplify them in the source and repeat.',
    },
  } as Record<string, ProblemWords>,
  losses: {
    address_refused: 'The destination does not accept some e-mail addresses; these people came without.',
    assignee_refused: 'The destination does not let some people be responsible for records.',
    author_not_kept: 'Some texts stand under another name in the destination; a line in them says who wrote them.',
    custom_value_refused: 'The destination did not accept some values of custom fields.',
    milestone_refused: 'The destination did not accept some milestones.',
    moment_not_kept: 'The destination cannot keep some moments, such as those before 1970.',
    parent_refused: 'The destination did not let some records hang below another.',
    relation_refused: 'The destination did not accept some links between records.',
    status_refused: 'The destination did not accept the status of some records.',
    watcher_refused: 'The destination does not let some people follow records.',
  } as Record<string, string>,
  lossFix: 'Compare these records with their originals.',
  fieldNotTaken: (field: string): ProblemWords => ({
    what: `"${field}" does not come over: the destination has no field for it, or it was left out.`,
    fix: 'Send it to another field in the mapping, if there is one that fits.',
  }),
  formatting: (): ProblemWords => ({
    what: 'Some texts lost part of their formatting.',
    fix: 'Their words are complete. Compare a few of them.',
  }),
}
