import Type from 'typebox'
import type { Family } from '../../../families/index.ts'
import type { SentRelation } from '../../contract/contract.ts'
import { defineEntity, type Entity } from '../../kit/entity.ts'
import { asList, type Lens, lens, omit } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { relatedLens } from '../related-lens.ts'
import { customFrom } from './custom-values.ts'
import * as its from './lenses.ts'
import type { Field } from './schema.ts'
import { withoutSigns } from './signs.ts'
import { openToAll, type Visibility } from './visibility.ts'

/**
 * The settings of an account. The documentation is generated without an account, so without choices and custom fields.
 */
export interface Facts {
  fields: readonly Field[]
  types: readonly string[]
  currencies: readonly string[]
  isAdmin: boolean
  visibility: Visibility
}
export const noFacts: Facts = {
  fields: [],
  types: ['call', 'meeting', 'task', 'email'],
  currencies: [],
  isAdmin: true,
  visibility: openToAll,
}

const family: Family = 'crm'
const updatedAt = is.moment('update_time', { isReadOnly: true })
const ids = Type.Array(Type.Integer())

export const labelCode = 'label_ids'
/** Pipedrive's labels are the choices of one field. */
export const labelsIn = (fields: readonly Field[]) =>
  new Map(fields.find((one) => one.field_code === labelCode)?.options?.map((one) => [String(one.id), one.label]))
export const tagId = (kind: string, id: unknown) => `${kind}-${id}`

/** A tag is a pair: a label of people and a label of organizations. A written tag's id holds both ids. */
const tags = (kind: 'persons' | 'organizations', { fields }: Facts): Lens => {
  const known = labelsIn(fields)
  return lens('relation', {
    from: labelCode,
    relates: 'tags',
    many: true,
    check: ids,
    empty: [],
    read: (all) => all.flatMap((id) => (known.has(String(id)) ? [{ entity: 'tags', sourceId: tagId(kind, id) }] : [])),
    write: (all) =>
      (all as SentRelation[]).map(({ destinationId }) => Number(destinationId.split('-')[kind === 'persons' ? 0 : 1])),
    stored: (sent) => [...(sent as number[])].sort((a, b) => a - b),
  })
}

/** Pipedrive accepts these fields only in accounts that have them. */
const ifThere = ({ fields }: Facts, code: string) => ({
  isReadOnly: !fields.some(({ field_code }) => field_code === code),
})

export const tag = defineEntity(family, 'tags', { fields: { name: is.text('label') } })
export const pipelines = defineEntity(family, 'pipelines', {
  updatedAt,
  fields: { name: is.text('name'), position: is.integer('order_nr', { isReadOnly: true }) },
})
export const stages = defineEntity(family, 'stages', {
  updatedAt,
  fields: {
    pipeline: is.reference('pipeline_id', 'pipelines'),
    name: is.text('name'),
    position: is.integer('order_nr', { isReadOnly: true }),
    probability: is.integer('deal_probability', { empty: 100 }),
  },
})

/** A choice of the account, read by its name. */
const choiceOf = ({ fields }: Facts, code: string): Lens => {
  const field = fields.find(({ field_code }) => field_code === code)
  const labels = new Map(field?.options?.map((one) => [String(one.id), one.label]))
  return lens('text', {
    from: code,
    check: Type.Union([Type.Integer(), Type.String()]),
    read: (id) => labels.get(String(id)) ?? String(id),
  })
}

export function accounts(facts: Facts): Entity {
  return defineEntity(family, 'accounts', {
    createdAt: is.moment('add_time', { isReadOnly: true }),
    updatedAt,
    sourceUrl: 'url',
    custom: customFrom(facts.fields),
    fields: {
      name: is.text('name'),
      addresses: its.addresses('address'),
      websites: asList(is.url('website', ifThere(facts, 'website'))),
      tags: tags('organizations', facts),
      industry: choiceOf(facts, 'industry'),
      employees: is.integer('employee_count', ifThere(facts, 'employee_count')),
      owner: is.person('owner_id'),
      is_private: its.hiddenFromSome(facts.visibility),
    },
    extra: {
      linkedin: { label: 'LinkedIn', lens: is.text('linkedin') },
      revenue: { label: 'Annual revenue', lens: is.decimal('annual_revenue') },
    },
    also: its.besideCounts,
    warns: its.warnOfRest,
  })
}

/** Pipedrive describes these values of people as texts that are never null, unlike those of companies. */
const cleared = { empty: '' }

export const contacts = (facts: Facts): Entity =>
  defineEntity(family, 'contacts', {
    createdAt: is.moment('add_time', { isReadOnly: true }),
    updatedAt,
    sourceUrl: 'url',
    custom: customFrom(facts.fields),
    fields: {
      name: is.text('name'),
      first_name: is.text('first_name', { isReadOnly: true }),
      last_name: is.text('last_name', { isReadOnly: true }),
      emails: its.ways('email', 'emails'),
      phones: its.ways('phone', 'phones'),
      addresses: its.addresses('postal_address', ifThere(facts, 'postal_address')),
      tags: tags('persons', facts),
      title: is.text('job_title', { ...cleared, ...ifThere(facts, 'job_title') }),
      accounts: asList(is.reference('org_id', 'accounts')),
      birthday: is.dayOf('birthday', { ...cleared, ...ifThere(facts, 'birthday') }),
      description: is.longText('notes', { ...cleared, ...ifThere(facts, 'notes'), max: 10_000 }),
      owner: is.person('owner_id'),
      is_private: its.hiddenFromSome(facts.visibility),
      do_not_contact: its.unsubscribed('marketing_status'),
    },
    extra: {
      im: { label: 'Instant messenger', lens: its.messengers('im') },
      marketing_status: { label: 'Marketing status', lens: is.text('marketing_status') },
      doi_status: {
        label: 'Double opt-in',
        // Pipedrive describes no type of it.
        lens: lens('text', { from: 'doi_status', check: Type.Union([Type.String(), Type.Integer()]), read: String }),
      },
    },
    also: its.besideCounts,
    warns: its.warnOfRest,
  })

/** The person of a deal and its participants. Only the person is written. */
const dealContacts: Lens = {
  ...asList(is.reference('person_id', 'contacts')),
  also: { participants: ids },
  read: (id, { participants = [] }) =>
    [id, ...(participants as number[])].map((one) => ({ entity: 'contacts', sourceId: String(one) })),
}

export const isClosed = (status: unknown) => status === 'won' || status === 'lost'

export function deals(facts: Facts): Entity {
  const labels = labelsIn(facts.fields)
  return defineEntity(family, 'deals', {
    createdAt: is.moment('add_time', { isReadOnly: true }),
    updatedAt,
    sourceUrl: 'url',
    custom: customFrom(facts.fields),
    fields: {
      name: is.text('title'),
      value: its.money('value', 'currency', facts.currencies),
      pipeline: is.reference('pipeline_id', 'pipelines'),
      stage: is.reference('stage_id', 'stages'),
      status: is.option('status', ['open', 'won', 'lost'], { empty: 'open' }),
      probability: lens('integer', {
        from: 'probability',
        check: Type.Number(),
        read: Math.round,
        write: (value) => value,
        stored: (sent) => Math.round(Number(sent)),
      }),
      expected_close_on: is.dayOf('expected_close_date'),
      closed_at: lens('datetime', {
        from: 'close_time',
        check: is.moment('close_time').check,
        read: (value) => is.moment('close_time').read(value, {}, undefined),
        writesEmpty: true,
        write: (value, { content }) => (value && isClosed(content.fields.status) ? its.second(value) : omit),
        stored: its.second,
      }),
      lost_reason: lens('text', {
        from: 'lost_reason',
        check: Type.String(),
        read: (value) => value,
        writesEmpty: true,
        write: (value, { content }) => (content.fields.status === 'lost' ? (value ?? null) : omit),
      }),
      source: choiceOf(facts, 'channel'),
      account: is.reference('org_id', 'accounts'),
      contacts: dealContacts,
      owner: is.person('owner_id'),
      is_private: its.hiddenWithPipeline(facts.visibility),
    },
    extra: {
      labels: {
        label: 'Labels',
        lens: lens('option', {
          from: labelCode,
          many: true,
          check: ids,
          options: [...new Set(labels.values())],
          read: (all) => all.flatMap((id) => labels.get(String(id)) ?? []),
        }),
      },
      is_archived: { label: 'Archived', lens: is.flag('is_archived') },
      products: { label: 'Products', lens: its.products('products') },
      channel_id: { label: 'Source channel ID', lens: is.text('channel_id') },
    },
    also: its.besideCounts,
    warns: its.warnOfRest,
  })
}

export const activities = (facts: Facts): Entity =>
  defineEntity(family, 'activities', {
    createdAt: is.moment('add_time', { isReadOnly: true }),
    updatedAt,
    createdBy: is.person('creator_user_id', { isReadOnly: true }),
    warns: its.warnOfLinks,
    fields: {
      related: relatedLens('related'),
      type: is.option('type', facts.types, { empty: 'task' }),
      subject: is.text('subject'),
      body: its.markedHtml('note'),
      status: lens('option', {
        from: 'done',
        check: Type.Boolean(),
        options: ['planned', 'done'],
        empty: false,
        read: (isDone) => (isDone ? 'done' : 'planned'),
        write: (value) => value === 'done',
        stored: (isDone) => (isDone ? 'done' : 'planned'),
      }),
      started_at: is.moment('started_at'),
      ended_at: is.moment('ended_at'),
      due_at: is.moment('due_at'),
      owner: is.person('owner_id'),
    },
    extra: {
      location: { label: 'Location', lens: is.text('location.value') },
      public_description: { label: 'Public description', lens: is.longText('public_description') },
      attendees: { label: 'Attendees', lens: its.attendees('attendees') },
      priority: { label: 'Priority', lens: choiceOf(facts, 'priority') },
      outcome: { label: 'Outcome', lens: choiceOf(facts, 'outcome') },
      done_at: { label: 'Done at', lens: is.moment('marked_as_done_time', { isReadOnly: true }) },
      conference_url: { label: 'Video call', lens: is.url('conference_meeting_url') },
    },
  })

const v1Moment = {
  ...is.moment('add_time'),
  // Pipedrive takes no empty time.
  empty: omit,
  write: (value: unknown) => its.second(value).slice(0, 19).replace('T', ' '),
  stored: (sent: unknown) => (typeof sent === 'string' ? its.second(sent.replace(' ', 'T')) : null),
}
export const notes = ({ isAdmin }: Facts): Entity =>
  defineEntity(family, 'notes', {
    createdAt: v1Moment,
    updatedAt,
    createdBy: is.person('user_id', { isReadOnly: true }),
    warns: its.warnOfLinks,
    fields: {
      related: relatedLens('related'),
      // Pipedrive takes about 100,000 characters, and our key needs some of them.
      body: its.markedHtml('content', { max: 99_000 }),
      // Only an administrator can create notes in another person's name.
      author: is.person('user_id', { isReadOnly: !isAdmin }),
    },
    extra: { is_pinned: { label: 'Pinned', lens: is.flag('pinned') } },
  })

export const attachments = defineEntity(family, 'attachments', {
  createdAt: is.moment('add_time', { isReadOnly: true }),
  updatedAt,
  createdBy: is.person('user_id', { isReadOnly: true }),
  warns: its.warnOfLinks,
  fields: {
    // Pipedrive shows a note's file at the note's parent.
    parent: relatedLens('parent'),
    file_name: is.text('name'),
    size: is.integer('file_size', { min: 0, isReadOnly: true }),
    is_inline: is.flag('inline_flag', { isReadOnly: true }),
    uploaded_by: is.person('user_id', { isReadOnly: true }),
    description: lens('text', {
      from: 'description',
      check: Type.String(),
      read: (value) => withoutSigns(value) || undefined,
      write: (value) => value,
      stored: (sent) => withoutSigns(String(sent)).trim(),
    }),
  },
})

/** All entities, for the generated documentation. */
export const entities: readonly Entity<never>[] = [
  ...[tag, pipelines, stages, accounts(noFacts), contacts(noFacts), deals(noFacts), activities(noFacts)],
  ...[notes(noFacts), attachments],
]
