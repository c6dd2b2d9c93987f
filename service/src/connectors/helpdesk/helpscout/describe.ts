import type { DestinationDescription, PreflightCheck } from '../../contract/contract.ts'
import { toCustomField } from '../../kit/custom-fields.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { describeEntity } from '../../kit/write-record.ts'
import { label, requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import { maxFileBytes } from './write-messages.ts'
import type { WriteContext } from './write-people.ts'
import { mostCarried } from './write-tickets.ts'

/** Facts about a destination account, requested once. Without a Docs site there is no place for articles. */
export type Known = WriteContext & { site: RawRecord | null }

/** Time during which lists and searches may miss a new record. */
const settleMs = 60_000

export function describeAccount({ facts, site }: Pick<Known, 'facts' | 'site'>): DestinationDescription {
  const inbox = { key: 'inbox', label: 'Inbox', type: 'option' as const, many: false }
  const names = facts.inboxes.map(({ name }) => name)
  const fields = [...facts.fields.values()].map(toCustomField)
  return {
    account: { name: label },
    textFormat: 'html',
    maxFileBytes,
    capabilities: {
      deliveryClass: 'C',
      delete: true,
      silentCreate: true,
      backdate: true,
      createField: false,
      batchSize: 10,
      concurrency: 2,
      requestsAtOnce,
      settleMs,
    },
    entities: {
      organizations: describeEntity(desk.organizations, {
        required: ['name'],
        unites: { kind: 'organization', by: ['name'] },
        capabilities: { backdate: false, concurrency: 1 },
      }),
      contacts: describeEntity(desk.contacts, {
        required: ['name'],
        customFields: [...facts.properties.values()].map(toCustomField),
        unites: { kind: 'person', by: ['emails'] },
        capabilities: { backdate: false },
      }),
      tickets: describeEntity(desk.tickets, {
        required: ['requester'],
        customFields: [{ ...inbox, options: [...new Set(names)] }, ...fields],
        carries: { comments: { most: mostCarried } },
        capabilities: { batchSize: 4 },
      }),
      comments: describeEntity(desk.comments, {
        required: ['ticket'],
        removal: 'with parent',
        capabilities: { lane: 'ticket' },
      }),
      ...(site && describeDocs()),
      attachments: describeEntity(desk.attachments, {
        required: ['parent', 'file_name'],
        removal: 'with parent',
        isUnchangeable: true,
        capabilities: { backdate: false, lane: 'parent' },
      }),
    },
  }
}

function describeDocs(): DestinationDescription['entities'] {
  const capabilities = { backdate: false, concurrency: 1 }
  const category = describeEntity(desk.categories, {
    required: ['name'],
    unites: { kind: 'category', by: ['name', 'parent_category'] },
    fixedRelations: ['parent_category'],
    capabilities,
  })
  if (category.fields.parent_category) category.fields.parent_category.isFixed = true
  return { categories: category, articles: describeEntity(desk.articles, { required: ['title'], capabilities }) }
}

export function checkBeforehand({ api, facts: { inboxes }, site }: Known): PreflightCheck[] {
  const [first] = inboxes
  return [
    {
      code: 'inbox',
      isFine: first !== undefined,
      isBlocking: true,
      message: first
        ? `Tickets go to the inbox "${first.name}", unless the mapping names another one.`
        : 'The user sees no inbox of Help Scout, so there is no place for tickets.',
      ...(first ? {} : { fix: 'Give the user access to an inbox in Help Scout, and check again.' }),
    },
    ...(site ? tellOfDocs(site) : [noDocs(api.docs !== null)]),
  ]
}

const tellOfDocs = ({ title }: RawRecord): PreflightCheck[] =>
  [
    ['docs_site', `Collections and articles go to the Docs site "${title}".`],
    [
      'article_authors',
      'Help Scout gives articles the time of their arrival, and the user of the key as their author. Views and ratings are not copied.',
    ],
    [
      'article_names',
      'Names of articles are unique in a collection. The second article of one name gets a number behind it.',
    ],
    [
      'article_places',
      'Help Scout has collections and categories, and nothing below. Categories further inside become categories of the collection.',
    ],
    [
      'article_files',
      'Help Scout lists no files under an article. A line at the end of the text links to each of them.',
    ],
  ].map(([code = '', message = '']) => ({ code, isFine: true, isBlocking: false, message }))

const noDocs = (hasKey: boolean): PreflightCheck => ({
  ...{ code: 'docs_key', isFine: false, isBlocking: false },
  message: hasKey
    ? 'This Help Scout has no Docs site, or the user of the key may not see it. Categories and articles are not copied.'
    : 'Without a Docs API key, categories and articles are not copied.',
  fix: hasKey
    ? 'To copy them, make a Docs site in Help Scout, and check again.'
    : 'To copy them, connect Help Scout again with a Docs API key.',
})
