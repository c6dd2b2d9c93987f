import Type from 'typebox'
import { type Lens, lens } from '../../kit/lens.ts'
import { define, type Facts, longestBody, ownMoment } from './define.ts'
import * as its from './lenses.ts'

export const notes = (facts: Facts) =>
  define('crm', 'notes', 'notes', facts, {
    createdAt: its.neededMoment('hs_timestamp'),
    createdBy: its.owner(),
    fields: {
      related: its.related('related'),
      body: its.html('hs_note_body', { max: longestBody }),
      author: its.owner(),
    },
  })

export const emailBody = ['hs_email_html', 'hs_email_text'] as const
/** HubSpot's property names for each kind of activity. `times` maps our fields for moments to HubSpot's properties. */
const kinds = {
  calls: {
    kind: 'call',
    title: 'hs_call_title',
    body: ['hs_call_body'],
    status: ['hs_call_status', { QUEUED: 'planned', COMPLETED: 'done', CANCELED: 'cancelled' }],
    times: { started_at: 'hs_timestamp' },
  },
  meetings: {
    kind: 'meeting',
    title: 'hs_meeting_title',
    body: ['hs_meeting_body'],
    status: ['hs_meeting_outcome', { SCHEDULED: 'planned', COMPLETED: 'done', CANCELED: 'cancelled' }],
    times: { started_at: 'hs_meeting_start_time', ended_at: 'hs_meeting_end_time' },
  },
  tasks: {
    kind: 'task',
    title: 'hs_task_subject',
    body: ['hs_task_body'],
    status: ['hs_task_status', { NOT_STARTED: 'planned', COMPLETED: 'done' }, { cancelled: 'DEFERRED' }],
    times: { due_at: 'hs_timestamp' },
  },
  emails: {
    kind: 'email',
    title: 'hs_email_subject',
    body: emailBody,
    status: ['hs_email_status', { SCHEDULED: 'planned', SENT: 'done' }, { cancelled: 'FAILED' }],
    times: { started_at: 'hs_timestamp' },
  },
} as const
export type ActivityType = keyof typeof kinds
export const activityTypes = Object.keys(kinds) as ActivityType[]
export const kindOf = (type: ActivityType): string => kinds[type].kind
export const typeOfKind = (kind: unknown): ActivityType =>
  activityTypes.find((type) => kinds[type].kind === kind) ?? 'tasks'

export const richBody = ([name, ...others]: readonly string[]): its.PropertyLens =>
  others.length === 0
    ? its.html(name ?? '', { max: longestBody })
    : {
        ...its.several('rich_text', [name ?? '', ...others], {
          sets: [name ?? ''],
          read: (properties) => {
            const [formatted, plain] = [properties[name ?? ''], properties[others[0] ?? '']]
            if (formatted) return { format: 'html', body: formatted }
            return plain ? { format: 'plain', body: plain } : undefined
          },
          write: (value) => ({ [name ?? '']: String(value) }),
          stored: (properties) => its.withoutScripts(properties[name ?? ''] ?? '') || null,
        }),
        maxLength: longestBody,
      }

const kindLens = (): Lens =>
  lens('option', {
    from: 'kind',
    check: Type.String(),
    options: activityTypes.map(kindOf),
    read: (kind) => kind,
    // A kind that HubSpot lacks becomes a task, because a task has a title, a text and a state.
    write: (kind) => kindOf(typeOfKind(kind)),
    writesEmpty: true,
  })

type Words = Record<string, string>

/**
 * People log meetings after the fact, often without an outcome. HubSpot does not set one when a meeting's time has
 * passed.
 */
const meetingStatus = (name: string, reads: Words, writes: Words): its.PropertyLens => ({
  ...its.several('option', [name, 'hs_meeting_end_time', 'hs_meeting_start_time', 'hs_timestamp'], {
    sets: [name],
    read: ({ [name]: outcome, hs_meeting_end_time: end, hs_meeting_start_time: start, hs_timestamp: time }) =>
      outcome ? its.wordIn(reads, outcome) : Date.parse(end ?? start ?? time ?? '') > Date.now() ? 'planned' : 'done',
    write: (value) => ({ [name]: its.wordIn(writes, String(value)) }),
    stored: ({ [name]: outcome }) => outcome,
  }),
  options: Object.keys(writes),
})

export const activities = (type: ActivityType, facts: Facts) => {
  const { title, body, status, times } = kinds[type]
  const [statusName, reads, more = {}] = status as readonly [string, Words, Words?]
  const writes = { ...Object.fromEntries(Object.entries(reads).map(([tool, word]) => [word, tool])), ...more }
  const isLogged = type === 'calls' || type === 'emails'
  // A moment that HubSpot has no property for is stored in a property of our own.
  const timeOf = (field: string): its.PropertyLens => {
    const name = (times as Record<string, string>)[field]
    if (name === undefined) return ownMoment(`wherry_${field}`)
    if (name === 'hs_meeting_start_time') return ownMoment(name, 'hs_timestamp')
    return name === 'hs_timestamp' ? its.neededMoment(name) : its.moment(name)
  }
  return define('crm', 'activities', type, facts, {
    createdAt: ownMoment('wherry_created_at', 'hs_createdate'),
    fields: {
      related: its.related('related'),
      type: kindLens(),
      subject: its.text(title),
      body: richBody(body),
      // People log calls and e-mails after the fact, often without a status.
      status:
        type === 'meetings'
          ? meetingStatus(statusName, reads, writes)
          : {
              ...its.option(statusName, reads, writes),
              ...(isLogged && { absent: 'done' }),
              // HubSpot has no e-mail without a status.
              ...(type === 'emails' && { empty: 'SENT' }),
            },
      started_at: timeOf('started_at'),
      ended_at: timeOf('ended_at'),
      due_at: timeOf('due_at'),
      owner: its.owner(),
    },
  })
}
