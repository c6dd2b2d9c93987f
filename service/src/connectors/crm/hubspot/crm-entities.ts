import type { Money } from '../../../families/record.ts'
import type { SentRelation } from '../../contract/contract.ts'
import { takenElsewhere } from '../../kit/lens.ts'
import type { Stage } from './api.ts'
import { define, type Facts, nameNames, nameOf, splitName } from './define.ts'
import * as its from './lenses.ts'
import { dealStatus } from './own-properties.ts'

/** A source may have one name; HubSpot has a first and a last name. */
const partOfName = (part: 'firstname' | 'lastname'): its.PropertyLens => ({
  ...its.text(part),
  writesEmpty: true,
  write: (value, { content: { fields } }) => {
    const isWhole = !fields.first_name && !fields.last_name
    return isWhole ? splitName(fields.name)[part] : String(value ?? '')
  },
})

const partyFields = () => ({
  websites: {
    ...its.several('url', ['website'], {
      many: true,
      takesOne: true,
      read: ({ website }) => (website ? [website] : []),
      write: (value) => ({ website: String([value].flat()[0] ?? '') }),
      stored: ({ website }) => website || null,
    }),
  },
  owner: its.owner(),
})

/** HubSpot's own data about companies can be in another currency than the account. It names the currency beside it. */
const annualRevenue = ({ account }: Facts): its.PropertyLens => {
  const [own, code] = ['wherry_annual_revenue', 'hs_annual_revenue_currency_code']
  const plain = its.money('annualrevenue', own, account)
  return {
    ...plain,
    names: [...(plain.names ?? []), code],
    read: (value, raw, around) => {
      const money = plain.read(value, raw, around) as Money | undefined
      const { [own]: ours, [code]: currency } = value as Record<string, string | null>
      return money && !ours && currency ? { ...money, currency } : money
    },
  }
}

export const accounts = (facts: Facts) =>
  define('crm', 'accounts', 'companies', facts, {
    fields: {
      name: its.companyName,
      phones: its.phones('phone'),
      addresses: its.addresses(true),
      ...partyFields(),
      description: its.longText('description'),
      industry: its.choice('industry', facts.properties),
      type: its.choice('type', facts.properties),
      employees: its.integer('numberofemployees'),
      annual_revenue: annualRevenue(facts),
      parent_account: its.firstLink('companies', 'accounts'),
    },
  })

export const contacts = (facts: Facts) =>
  define('crm', 'contacts', 'contacts', facts, {
    fields: {
      name: takenElsewhere(its.several('text', nameNames, { read: nameOf, write: () => ({}) })) as its.PropertyLens,
      first_name: partOfName('firstname'),
      last_name: partOfName('lastname'),
      emails: its.emails,
      phones: its.phones('phone', 'mobilephone'),
      addresses: its.addresses(false),
      ...partyFields(),
      title: its.text('jobtitle'),
      language: its.code('hs_language', facts.properties),
      accounts: its.links('companies', 'accounts', true),
      do_not_contact: its.several('boolean', ['hs_email_optout'], {
        read: ({ hs_email_optout: value }) => (value === null ? undefined : value === 'true'),
      }),
    },
  })

const stageOf = ({ pipelines }: Facts, id: string | null | undefined) =>
  pipelines
    .flatMap((pipeline) => pipeline.stages.map((stage) => ({ pipeline, stage })))
    .find(({ stage }) => stage.id === id)

/** The stage of a won deal has the probability 1, that of a lost deal has 0. */
export const outcomeOf = (metadata?: Record<string, unknown> | null): 'open' | 'won' | 'lost' => {
  const chance = Number(metadata?.probability ?? 0.5)
  if (String(metadata?.isClosed ?? (chance === 0 || chance === 1)) !== 'true') return 'open'
  return chance === 1 ? 'won' : 'lost'
}

/** The place of a deal. `left` is the stage that it could not keep, because that stage is for deals of another status. */
interface Place {
  pipeline: string
  stage: string
  left: string
  isFitting: boolean
}

/**
 * HubSpot requires a pipeline and a stage for every deal, and derives the status from the stage. Other tools have open,
 * won and lost deals in any stage: a deal whose stage does not fit its status goes to the first stage of its pipeline
 * that does, as does a deal without a stage.
 */
export function placeOf({ pipelines: all }: Facts, fields: Record<string, unknown>): Place {
  const idOf = (value: unknown) => (value as SentRelation | null | undefined)?.destinationId
  const [inPipeline = idOf(fields.pipeline), stageId] = idOf(fields.stage)?.split('/') ?? []
  const pipeline = all.find(({ id }) => id === inPipeline) ?? (stageId === undefined ? all[0] : undefined)
  const ordered = [...(pipeline?.stages ?? [])].sort((a, b) => a.displayOrder - b.displayOrder)
  const given = ordered.find(({ id }) => id === stageId)
  const isFitting = ({ metadata }: Stage) => outcomeOf(metadata) === (fields.status ?? 'open')
  const isClosed = fields.status === 'won' || fields.status === 'lost'
  const fitting = ordered.find(isFitting)
  const isElsewhere = (isClosed || fields.status === 'open') && given && fitting && !isFitting(given)
  const taken = stageId !== undefined && !isElsewhere ? stageId : fitting?.id
  return {
    pipeline: pipeline?.id ?? inPipeline ?? 'default',
    stage: taken ?? ordered[0]?.id ?? '',
    left: given && taken !== given.id ? given.label : '',
    isFitting: !isClosed || pipeline === undefined || fitting !== undefined,
  }
}

/** HubSpot shows the closing date, which is a moment, as a day in the account's time zone. */
function dayOf(moment: string, timeZone: string): string {
  try {
    return new Date(moment).toLocaleDateString('sv-SE', { timeZone })
  } catch {
    return moment.slice(0, 10)
  }
}
/** A moment of this day, in the account's time zone as in UTC. */
function withinDay(day: string, timeZone: string): string {
  const moments = [12, 0, 23].map((hour) => `${day}T${String(hour).padStart(2, '0')}:00:00.000Z`)
  return moments.find((moment) => dayOf(moment, timeZone) === day) ?? `${day}T12:00:00.000Z`
}

export const deals = (facts: Facts) => {
  const zone = facts.account.timeZone ?? 'UTC'
  const has = (name: string) => facts.properties.some((property) => property.name === name)
  const stateOf = (properties: Record<string, string | null>) => {
    // Only a stage closes a deal.
    if (!properties.dealstage) return 'open'
    const found = stageOf(facts, properties.dealstage)
    return found && outcomeOf(found.stage.metadata)
  }
  return define('crm', 'deals', 'deals', facts, {
    fields: {
      name: its.text('dealname'),
      value: its.money(
        'amount',
        'wherry_value',
        facts.account,
        has('deal_currency_code') ? 'deal_currency_code' : null,
      ),
      pipeline: {
        ...its.reference('pipeline', 'pipelines'),
        writesEmpty: true,
        write: (_value, { content }) => placeOf(facts, content.fields).pipeline,
      },
      stage: its.several('relation', ['pipeline', 'dealstage'], {
        writesEmpty: true,
        read: ({ pipeline, dealstage }) =>
          pipeline && dealstage ? { entity: 'stages', sourceId: `${pipeline}/${dealstage}` } : undefined,
        write: (_value, { content }) => {
          const { stage, left } = placeOf(facts, content.fields)
          return { dealstage: stage, wherry_stage: left }
        },
        // The stage of a closed deal may not exist before the deal is written, so the status is compared instead.
        wanted: (_value, { content: { fields } }) => ({
          dealstage: placeOf(facts, fields).stage,
          [dealStatus]: typeof fields.status === 'string' ? fields.status : null,
        }),
        stored: (properties) => {
          const state = properties[dealStatus] ?? stateOf(properties)
          return state === 'won' || state === 'lost' ? state : properties.dealstage
        },
      }),
      status: {
        ...takenElsewhere(its.several('option', ['dealstage'], { read: stateOf, write: () => ({}) })),
        options: ['open', 'won', 'lost'],
      },
      probability: its.several('integer', ['hs_deal_stage_probability'], {
        read: ({ hs_deal_stage_probability: chance }) => (chance ? Math.round(Number(chance) * 100) : undefined),
      }),
      expected_close_on: its.several('date', ['wherry_expected_close_on', 'closedate', 'dealstage'], {
        sets: ['wherry_expected_close_on'],
        read: (properties) =>
          properties.wherry_expected_close_on ||
          (stateOf(properties) === 'open' && properties.closedate ? dayOf(properties.closedate, zone) : undefined),
        write: (value) => ({ wherry_expected_close_on: String(value) }),
        stored: (properties) => properties.wherry_expected_close_on,
      }),
      closed_at: its.several('datetime', ['closedate', 'dealstage'], {
        writesEmpty: true,
        read: (properties) => (stateOf(properties) === 'open' ? undefined : (properties.closedate ?? undefined)),
        // HubSpot shows the expected closing date of an open deal in the same property.
        write: (value, { content: { fields } }) => {
          const day = fields.expected_close_on
          return { closedate: value ? String(value) : day ? withinDay(String(day), zone) : '' }
        },
        stored: ({ closedate }) => its.evenMoment(closedate),
      }),
      lost_reason: its.text('closed_lost_reason'),
      account: its.firstLink('companies', 'accounts'),
      contacts: its.links('contacts', 'contacts', true),
      description: its.longText('description'),
      owner: its.owner(),
    },
  })
}
