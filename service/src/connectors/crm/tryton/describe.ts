import { entityOf } from '../../../families/index.ts'
import type { DestinationDescription, DestinationEntity, DestinationField } from '../../contract/contract.ts'
import { customFieldsToWrite } from './custom-fields.ts'
import { fixedStates } from './states.ts'
import type { Tryton } from './tryton.ts'

type Fields = DestinationEntity['fields']

/** The family's fields that Tryton accepts, with changes where it accepts them in another form. */
function taken(
  entity: string,
  without: readonly string[] = [],
  other: Record<string, Partial<DestinationField>> = {},
): Fields {
  const fields = Object.entries(entityOf('crm', entity).fields).filter(([name]) => !without.includes(name))
  return Object.fromEntries(
    fields.map(([name, { type, many = false, required = false, options = [] }]) => [
      name,
      { type, many, required, maxLength: null, options: [...options], ...other[name] },
    ]),
  )
}

/** Describes this Tryton as a destination. The description depends on the installed modules. */
export async function describeTryton(tryton: Tryton): Promise<DestinationDescription> {
  const [models, languages] = await Promise.all([tryton.models(), tryton.languages()])
  const hasRelations = models.has('party.relation.all')
  const parties = {
    emails: { isDetailed: true },
    phones: { isDetailed: true },
    language: { type: 'option' as const, options: [...languages.values()] },
  }
  const entities: Record<string, Fields> = {
    tags: taken('tags'),
    accounts: taken('accounts', ['owner', ...(hasRelations ? [] : ['parent_account'])], parties),
    contacts: taken('contacts', ['owner', ...(hasRelations ? [] : ['accounts'])], parties),
    ...(hasRelations && { relationships: taken('relationships') }),
    ...(models.has('sale.opportunity') && {
      pipelines: taken('pipelines'),
      stages: taken('stages'),
      // An opportunity has one contact person.
      deals: taken('deals', [], { lost_reason: { type: 'long_text' }, contacts: { many: false } }),
    }),
    activities: taken('activities', [], { related: { required: true } }),
    notes: taken('notes'),
    attachments: taken('attachments', ['content_type', 'is_inline', 'is_private', 'description']),
  }
  return {
    account: { name: await accountName(tryton) },
    textFormat: 'plain',
    maxFileBytes: null,
    capabilities: {
      deliveryClass: 'C',
      delete: true,
      silentCreate: true,
      backdate: false,
      createField: false,
      batchSize: 100,
      concurrency: 2,
      settleMs: 0,
    },
    entities: Object.fromEntries(
      Object.entries(entities).map(([name, fields]) => [
        name,
        { fields, customFields: customFieldsToWrite(name), ...more[name] },
      ]),
    ),
  }
}

/** For tags see write-tags.ts, for relationships write-relationships.ts, for pipelines and stages writer.ts. */
const more: Record<string, Pick<DestinationEntity, 'removal' | 'unites'>> = {
  tags: { unites: { kind: 'category', by: ['name'], isExact: true } },
  pipelines: { removal: 'never', unites: { kind: 'pipeline', by: [] } },
  stages: { removal: 'never', unites: { kind: 'stage', by: ['name', 'outcome'], fixed: fixedStates } },
  relationships: { unites: { kind: 'relationship', by: ['from', 'to', 'type'], isExact: true } },
}

/** The name of the company, or of the database if the user has no company. */
export async function accountName(tryton: Tryton): Promise<string> {
  const { company } = await tryton.preferences()
  if (company === null || !(await tryton.models()).has('company.company')) return tryton.database
  const [own] = await tryton.rows('company.company', [['id', '=', company]], ['party'])
  const [party] = await tryton.rows('party.party', [['id', '=', own?.party ?? -1]], ['name'])
  return party?.name?.slice(0, 200) || tryton.database
}
