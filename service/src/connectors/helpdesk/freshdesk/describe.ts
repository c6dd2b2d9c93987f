import type { DestinationDescription, PreflightCheck } from '../../contract/contract.ts'
import type { Entity } from '../../kit/entity.ts'
import { describeEntity } from '../../kit/write-record.ts'
import { requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import type { Facts } from './lenses.ts'
import type { ArticleContext } from './write-articles.ts'

/** Facts about a destination account, requested once. The first language is the default of people without one. */
export type Known = ArticleContext & {
  languages: readonly string[]
  required: readonly string[]
  hasGuide: boolean
}

export function describeAccount(
  site: string,
  { tickets, contacts, languages, articles, hasGuide }: Known,
): DestinationDescription {
  const withParent = { removal: 'with parent' as const }
  const silent = { silentCreate: true }
  const byName = (kind: string) => ({ unites: { kind, by: ['name'] }, capabilities: { ...silent, concurrency: 1 } })
  const person = describeEntity(contacts, {
    ...{ required: ['name'], customFields: 'any', unites: { kind: 'person', by: ['emails'] }, capabilities: silent },
  })
  const { language } = person.fields
  const offered = language ? { language: { ...language, type: 'option' as const, options: [...languages] } } : {}
  return {
    account: { name: new URL(site).host },
    textFormat: 'html',
    maxFileBytes: 20 * 1024 * 1024,
    capabilities: {
      deliveryClass: 'C',
      delete: true,
      silentCreate: false,
      backdate: false,
      createField: true,
      batchSize: 10,
      concurrency: 4,
      requestsAtOnce,
      settleMs: 0,
    },
    entities: {
      groups: describeEntity(desk.groups, { required: ['name'], ...byName('group') }),
      organizations: describeEntity(desk.organizations, {
        ...{ required: ['name'], customFields: 'any' },
        ...byName('organization'),
      }),
      contacts: { ...person, fields: { ...person.fields, ...offered } },
      tickets: describeEntity(tickets, { required: ['subject'], customFields: 'any', sendsMail: true }),
      comments: {
        ...describeEntity(desk.comments, { required: ['ticket'], ...withParent }),
        ...{ sendsMail: true, capabilities: { lane: 'ticket' } },
      },
      ...(hasGuide && describeSolutions(articles)),
      attachments: {
        ...describeEntity(desk.attachments, { required: ['parent', 'file_name'], ...withParent }),
        ...{ isUnchangeable: true, capabilities: { ...silent, lane: 'parent' } },
      },
    },
  }
}

function describeSolutions(articles: Entity<Facts>): DestinationDescription['entities'] {
  const capabilities = { backdate: false, silentCreate: true, concurrency: 1 }
  const category = describeEntity(desk.categories, {
    required: ['name'],
    unites: { kind: 'category', by: ['name', 'parent_category'] },
    fixedRelations: ['parent_category'],
    capabilities,
  })
  if (category.fields.parent_category) category.fields.parent_category.isFixed = true
  return { categories: category, articles: describeEntity(articles, { required: ['title'], capabilities }) }
}

export const checkBeforehand = ({ required, hasGuide }: Known): PreflightCheck[] => [
  ...limitsToTell,
  ...(hasGuide ? solutionsToTell : noSolutions),
  ...checkRequired(required),
]

/** Agents could save no ticket without them, and neither can we. */
const checkRequired = (labels: readonly string[]): PreflightCheck[] =>
  labels.length === 0
    ? []
    : [
        {
          ...{ code: 'required_fields', isFine: false, isBlocking: false },
          message: `Freshdesk requires fields of every ticket, and refuses tickets without them: ${labels.join(', ')}.`,
          fix: 'In Freshdesk, make these fields optional for the time of the import, or map a field of the source to each.',
        },
      ]

const tell = (code: string, message: string, fix?: string): PreflightCheck => ({
  ...{ code, isFine: true, isBlocking: false, message },
  ...(fix !== undefined && { fix }),
})
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
  {
    ...{ code: 'knowledge_base', isFine: false, isBlocking: false },
    message:
      'This Freshdesk has no knowledge base, or the agent may not see it. Categories and articles are not copied.',
    fix: 'To copy them, switch the knowledge base on in Freshdesk, and check again.',
  },
]
