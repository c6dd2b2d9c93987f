import type { DestinationDescription, DestinationEntity, DestinationField } from '../../contract/contract.ts'
import type { TrytonApi } from './api.ts'
import { customFieldsToWrite } from './custom-fields.ts'
import { all, type Directory } from './directory.ts'
import { fixedStates, states } from './states.ts'

type Type = DestinationField['type']

const field = (type: Type, more: Partial<DestinationField> = {}): DestinationField => ({
  type,
  many: false,
  required: false,
  maxLength: null,
  options: [],
  ...more,
})
const text = field('text')
const required = (type: Type) => field(type, { required: true })
const many = (type: Type, more: Partial<DestinationField> = {}) => field(type, { many: true, ...more })

/** What this Tryton takes: it depends on its modules. */
export async function describeTryton(api: TrytonApi, directory: Directory): Promise<DestinationDescription> {
  const [models, languages] = await Promise.all([directory.models(), directory.languages()])
  const hasRelations = models.has('party.relation.all')
  const reachable = {
    name: required('text'),
    emails: many('email', { isDetailed: true }),
    phones: many('phone', { isDetailed: true }),
    addresses: many('address'),
    websites: many('url'),
    tags: many('relation'),
    is_archived: field('boolean'),
    language: field('option', { options: [...languages.values()] }),
    description: field('long_text'),
  }
  const entities: Record<string, DestinationEntity['fields']> = {
    tags: { name: required('text') },
    accounts: {
      ...reachable,
      industry: text,
      type: text,
      employees: field('integer'),
      annual_revenue: field('money'),
      vat_number: text,
      ...(hasRelations ? { parent_account: field('relation') } : {}),
    },
    contacts: {
      ...reachable,
      first_name: text,
      last_name: text,
      title: text,
      department: text,
      birthday: field('date'),
      do_not_contact: field('boolean'),
      ...(hasRelations ? { accounts: many('relation') } : {}),
    },
    ...(hasRelations
      ? {
          relationships: {
            from: required('relation'),
            to: required('relation'),
            type: required('text'),
            reverse_type: text,
          },
        }
      : {}),
    ...(models.has('sale.opportunity') ? dealEntities : {}),
    activities: {
      related: required('relation'),
      type: field('option', { options: ['call', 'meeting', 'email', 'message', 'task', 'other'] }),
      subject: required('text'),
      body: field('rich_text'),
      status: field('option', { options: ['planned', 'done', 'cancelled'] }),
      started_at: field('datetime'),
      ended_at: field('datetime'),
      due_at: field('datetime'),
      owner: field('user'),
    },
    notes: { related: required('relation'), title: text, body: field('rich_text'), author: field('user') },
    attachments: {
      parent: required('relation'),
      file_name: required('text'),
      size: field('integer'),
      uploaded_by: field('user'),
    },
  }
  return {
    account: { name: await accountName(api, models) },
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
        {
          fields,
          customFields: customFieldsToWrite(name),
          ...(name === 'pipelines' || name === 'stages' ? { removal: 'never' as const } : {}),
          ...(united[name] && { unites: united[name] }),
        },
      ]),
    ),
  }
}

/** See write-tags.ts and write-relationships.ts; for pipelines and stages, writer.ts. */
const united: Record<string, DestinationEntity['unites']> = {
  tags: { kind: 'category', by: ['name'], isExact: true },
  pipelines: { kind: 'pipeline', by: [] },
  stages: { kind: 'stage', by: ['name', 'outcome'], fixed: fixedStates },
  relationships: { kind: 'relationship', by: ['from', 'to', 'type'], isExact: true },
}

const dealEntities: Record<string, DestinationEntity['fields']> = {
  pipelines: { name: required('text'), position: field('integer') },
  stages: {
    pipeline: field('relation'),
    name: required('text'),
    position: field('integer'),
    probability: field('integer'),
    outcome: field('option', { options: [...new Set(states.map(({ outcome }) => outcome))] }),
  },
  deals: {
    name: required('text'),
    value: field('money'),
    pipeline: field('relation'),
    stage: field('relation'),
    status: field('option', { options: ['open', 'won', 'lost'] }),
    probability: field('integer'),
    expected_close_on: field('date'),
    closed_at: field('datetime'),
    lost_reason: field('long_text'),
    source: text,
    account: field('relation'),
    // An opportunity goes through one person.
    contacts: field('relation'),
    description: field('long_text'),
    owner: field('user'),
  },
}

/** The company's name, or the database's where there is no company. */
export async function accountName(api: TrytonApi, models: ReadonlySet<string>): Promise<string> {
  const { company } = await api.preferences()
  if (company === null || !models.has('company.company')) return api.database
  const [own] = await all(api, 'company.company', [['id', '=', company]], ['party'])
  const [party] = await all(api, 'party.party', [['id', '=', own?.party ?? -1]], ['name'])
  return party?.name?.slice(0, 200) || api.database
}
