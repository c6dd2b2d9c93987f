import type { Family } from '../../../families/index.ts'
import type { PreflightCheck } from '../../contract/contract.ts'
import { hint, preflightCheck } from '../../kit/preflight-check.ts'
import { keyFieldName, keyFieldOf, type Vocabulary } from './vocabulary.ts'

/** Checks settings that only an administrator can make, because the API cannot. */
export function checkPreparation(vocabulary: Vocabulary, family: Family): PreflightCheck[] {
  return [
    checkKeyField(vocabulary, 'issue'),
    ...(family === 'project' ? [checkKeyField(vocabulary, 'time_entry')] : []),
    hint(
      'mail_not_silent',
      false,
      'Redmine sends mail about every issue and every note that is imported, and its API cannot switch that off.',
      'Before the import, untick every action under Administration › Settings › Email notifications, and tick them again afterwards.',
    ),
    hint(
      'parents_computed',
      true,
      'Redmine computes priority, dates and progress of an issue that has others below it, unless it is told not to.',
      'To keep them as they are, set the parent task attributes to "Independent of subtasks" under Administration › Settings › Issue tracking.',
    ),
    ...(family === 'helpdesk' ? ticketHints : []),
  ]
}

const ticketHints = [
  hint(
    'links_between_projects',
    true,
    'Links between tickets of different groups are left out, and listed, unless Redmine allows links between projects.',
    'Under Administration › Settings › Issue tracking, tick "Allow cross-project issue relations", and allow cross-project subtasks "With all projects".',
  ),
  hint(
    'contacts_become_users',
    false,
    'Contacts become users of Redmine. They get no mail and no password, but could ask for one and then see public projects.',
    'If that is not wanted, switch off "Lost password" under Administration › Settings › Authentication, or lock these users after the import.',
  ),
]

function checkKeyField({ fields, trackers }: Vocabulary, kind: 'issue' | 'time_entry'): PreflightCheck {
  const isIssue = kind === 'issue'
  const what = isIssue ? 'issues' : 'spent time'
  const found = keyFieldOf(fields, kind)
  const withoutIt = trackers.filter(({ id }) => isIssue && found && !found.trackerIds.includes(id))
  const problem = !found
    ? `Redmine has no custom field "${keyFieldName}" for ${what}, by which imported records are found again.`
    : !found.isFilter
      ? `The custom field "${keyFieldName}" for ${what} is not used as a filter.`
      : withoutIt.length > 0
        ? `The custom field "${keyFieldName}" is missing for ${withoutIt.map(({ name }) => name).join(', ')}.`
        : null
  const fine = `The custom field "${keyFieldName}" for ${what} is there.`
  const fix = `Under Administration › Custom fields, make a field for ${what} with the format Text and the name "${keyFieldName}"; tick "Used as a filter"${isIssue ? ', "For all projects" and every tracker' : ''}.`
  return preflightCheck(`key_field_${kind}`, problem === null, true, { fine, amiss: String(problem), fix })
}
