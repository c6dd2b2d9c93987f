import Type from 'typebox'
import { lens, made } from '../../kit/lens.ts'
import { emailBody, richBody } from './activities.ts'
import type { Pipeline } from './api.ts'
import { define, type Facts, longestBody, nameNames, nameOf, splitName } from './define.ts'
import * as its from './lenses.ts'

export const organizations = (facts: Facts) =>
  define('helpdesk', 'organizations', 'companies', facts, {
    fields: {
      name: its.companyName,
      domains: its.several('text', ['domain'], {
        many: true,
        takesOne: true,
        read: ({ domain }) => (domain ? [domain] : []),
        write: (value) => ({ domain: String([value].flat()[0] ?? '') }),
        stored: ({ domain }) => domain?.toLowerCase() || null,
      }),
      description: its.longText('description'),
    },
  })

export const customers = (facts: Facts) =>
  define('helpdesk', 'contacts', 'contacts', facts, {
    fields: {
      name: its.several('text', nameNames, {
        sets: ['firstname', 'lastname'],
        read: nameOf,
        write: splitName,
        stored: ({ firstname, lastname }) =>
          its.withoutScripts([firstname, lastname].filter(Boolean).join(' ')) || null,
      }),
      emails: its.emails,
      phones: its.phones('phone', 'mobilephone'),
      organization: its.firstLink('companies', 'organizations'),
      language: its.code('hs_language', facts.properties),
    },
  })

/**
 * A ticket's status is its stage. If two pipelines have a stage of the same name, the pipeline's name is put before
 * it.
 */
function ticketStages(pipelines: readonly Pipeline[]): its.PropertyLens {
  const all = pipelines.flatMap((pipeline) => pipeline.stages.map((stage) => ({ pipeline, stage })))
  const isShared = (label: string) => all.filter(({ stage }) => stage.label === label).length > 1
  const named = all.map(({ pipeline, stage }) => ({
    pipeline: pipeline.id,
    stage: stage.id,
    word: isShared(stage.label) ? `${pipeline.label}: ${stage.label}` : stage.label,
  }))
  const [first] = named
  return {
    ...its.several('option', ['hs_pipeline', 'hs_pipeline_stage'], {
      read: ({ hs_pipeline_stage: id }) => named.find(({ stage }) => stage === id)?.word ?? id ?? undefined,
      writesEmpty: true,
      // HubSpot requires a stage: a ticket without one gets the first stage.
      write: (value) => {
        const found = named.find(({ word }) => word === value) ?? first
        return { hs_pipeline: found?.pipeline ?? '', hs_pipeline_stage: found?.stage ?? '' }
      },
      stored: ({ hs_pipeline_stage: id }) => id,
    }),
    options: [...new Set(named.map(({ word }) => word))],
  }
}

const priorities = { LOW: 'low', MEDIUM: 'normal', HIGH: 'high', URGENT: 'urgent' }

export const tickets = (facts: Facts) =>
  define('helpdesk', 'tickets', 'tickets', facts, {
    fields: {
      number: { ...its.text('hs_object_id'), write: null },
      // HubSpot refuses a ticket without a subject.
      subject: its.text('subject', { empty: '(no subject)' }),
      description: its.rich('content', 'plain', { max: longestBody }),
      status: ticketStages(facts.pipelines),
      priority: its.option('hs_ticket_priority', priorities, {
        low: 'LOW',
        normal: 'MEDIUM',
        high: 'HIGH',
        urgent: 'URGENT',
      }),
      requester: its.links('contacts', 'contacts', false),
      collaborators: made(
        'relation',
        (raw) =>
          ((raw['links.contacts'] as string[] | undefined) ?? [])
            .slice(1)
            .map((sourceId) => ({ entity: 'contacts', sourceId })),
        { many: true },
      ),
      organization: its.firstLink('companies', 'organizations'),
      assignee: its.owner(),
      closed_at: its.moment('closed_date', { isReadOnly: true }),
    },
  })

/** A note is an internal comment. An e-mail is a comment that the customer saw. */
export const comments = (type: 'notes' | 'emails', facts: Facts) =>
  define('helpdesk', 'comments', type, facts, {
    createdAt: its.neededMoment('hs_timestamp'),
    createdBy: its.owner(),
    fields: {
      ticket: its.firstLink('tickets', 'tickets'),
      author_agent: its.owner(),
      author_contact: its.links('contacts', 'contacts', false),
      body: type === 'notes' ? its.html('hs_note_body', { max: longestBody }) : richBody(emailBody),
      is_public: lens('boolean', {
        from: 'isPublic',
        check: Type.Boolean(),
        read: (value) => value,
        write: (value) => value === true,
        writesEmpty: true,
      }),
    },
  })
