import type { PreflightCheck } from '../../contract/contract.ts'
import { tell } from '../../kit/preflight-check.ts'

export const checkBeforehand = (required: readonly string[], hasGuide: boolean): PreflightCheck[] => [
  ...limitsToTell,
  ...(hasGuide ? solutionsToTell : noSolutions),
  ...checkRequired(required),
]

/** Freshdesk refuses a ticket without its required fields, from agents and from us. */
const checkRequired = (labels: readonly string[]): PreflightCheck[] =>
  labels.length === 0
    ? []
    : [
        tell(
          'required_fields',
          `Freshdesk requires fields of every ticket, and refuses tickets without them: ${labels.join(', ')}.`,
          'In Freshdesk, make these fields optional for the time of the import, or map a field of the source to each.',
        ),
      ]

const limitsToTell: PreflightCheck[] = [
  tell(
    'notifications',
    'Freshdesk sends its usual e-mail notifications about new tickets and public notes. No request can prevent that.',
    'In Freshdesk, switch off the e-mail notifications and automations for the time of the import.',
  ),
  tell('times', 'Freshdesk keeps no times of creation. A line above each text says when it was written, and by whom.'),
  tell('replies', 'All comments arrive as notes, because Freshdesk would mail replies to your customers.'),
  tell('file_sizes', 'Freshdesk takes 20 MB of files for one ticket. It refuses the files beyond that.'),
]

const solutionsToTell: PreflightCheck[] = [
  tell(
    'article_times',
    'Freshdesk gives articles the time of their arrival. Views and votes of articles are not copied.',
  ),
  tell(
    'article_language',
    'All articles arrive in the main language of the account, whatever their language is. Translations are not copied.',
  ),
  tell(
    'article_readers',
    'In Freshdesk the folder decides who may read an article. Articles for agents go to a folder of their own, beside the public one.',
  ),
]
const noSolutions: PreflightCheck[] = [
  tell(
    'knowledge_base',
    'This Freshdesk has no knowledge base, or the agent may not see it. Categories and articles are not copied.',
    'To copy them, switch the knowledge base on in Freshdesk, and check again.',
  ),
]
