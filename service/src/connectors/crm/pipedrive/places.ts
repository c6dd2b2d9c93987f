import type { OutgoingContent } from '../../contract/contract.ts'
import { objectsIn, type RawRecord } from '../../kit/lens.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { isDay, isMoment } from '../../kit/times.ts'

// The parent of a record and the moments of an activity: Pipedrive has several fields where we have one.

/** The most specific parent comes first: an activity of a deal also names the deal's person and organization. */
const parents = [
  ['activity_id', 'activities'],
  ['deal_id', 'deals'],
  ['person_id', 'contacts'],
  ['org_id', 'accounts'],
] as const
export const parentFields: Record<string, string> = Object.fromEntries(
  parents.map(([field, entity]) => [entity, field]),
)

export function relatedOf(raw: Readonly<Record<string, unknown>>): { entity: string; sourceId: string } | null {
  for (const [field, entity] of parents) {
    const id = raw[field]
    if (/^[1-9]\d*$/.test(String(id))) return { entity, sourceId: String(id) }
  }
  return null
}

/** The links to a parent that cannot be read. */
export const oddParents = (raw: Readonly<Record<string, unknown>>): string[] =>
  parents.flatMap(([field]) => ((raw[field] ?? '') !== '' && !/^\d+$/.test(String(raw[field])) ? field : []))

/** Types whose time is when they take place. For all others it is when they are due. */
const timed = ['call', 'meeting', 'lunch', 'email']
const dayMs = 86_400_000

export interface Times {
  type?: unknown
  due_date?: unknown
  due_time?: unknown
  duration?: unknown
}

const isClock = (text: unknown): text is string => typeof text === 'string' && /^([01]\d|2[0-3]):[0-5]\d/.test(text)
const isLength = (text: unknown) => typeof text === 'string' && /^\d{1,6}:\d\d/.test(text)

/** The parts of an activity's moments that cannot be read. */
export const oddTimes = ({ due_date, due_time, duration }: Times): string[] =>
  thatHold(
    [(due_date ?? '') !== '' && !(typeof due_date === 'string' && isDay(due_date)), 'due_date'],
    [(due_time ?? '') !== '' && !isClock(due_time), 'due_time'],
    [(duration ?? '') !== '' && !isLength(duration), 'duration'],
  )

/** Reads our three moments from Pipedrive's one moment (in UTC) and its duration. */
export function momentsOf({ type, due_date, due_time, duration }: Times) {
  const none = { started_at: null, ended_at: null, due_at: null }
  const time = isClock(due_time) ? due_time.slice(0, 5) : '00:00'
  const text = `${due_date}T${time}:00.000Z`
  if (typeof due_date !== 'string' || !isMoment(text)) return none
  const at = new Date(text).toISOString()
  const [, hours = '0', minutes = '0'] = /^(\d{1,6}):(\d\d)/.exec(String(duration ?? '')) ?? []
  const lengthMs = (Number(hours) * 60 + Number(minutes)) * 60_000
  if (!timed.includes(String(type)) && lengthMs === 0) return { ...none, due_at: at }
  return { ...none, started_at: at, ended_at: lengthMs > 0 ? new Date(Date.parse(at) + lengthMs).toISOString() : null }
}

/** Pipedrive's form of an activity's moments. */
export function timesFor({ fields }: Pick<OutgoingContent, 'fields'>): Times {
  const { started_at, ended_at, due_at } = fields
  const at = started_at ?? due_at ?? ended_at
  if (typeof at !== 'string') return {}
  const iso = new Date(at).toISOString()
  const lengthMs =
    typeof ended_at === 'string' ? Date.parse(ended_at) - Date.parse(iso.slice(0, 17).concat('00.000Z')) : 0
  const minutes = lengthMs > 0 && lengthMs < dayMs ? Math.floor(lengthMs / 60_000) : 0
  const clock = (all: number) => [Math.floor(all / 60), all % 60].map((part) => String(part).padStart(2, '0')).join(':')
  return { due_date: iso.slice(0, 10), due_time: iso.slice(11, 16), ...(minutes > 0 && { duration: clock(minutes) }) }
}

/** Predicts the moments that Pipedrive will store. */
export function withKeptTimes(content: OutgoingContent): OutgoingContent {
  const type = content.fields.type ?? 'task'
  return { ...content, fields: { ...content.fields, ...momentsOf({ type, ...timesFor(content) }) } }
}

/** Whether Pipedrive loses a moment: it keeps one moment, to the minute, and a duration of less than a day. */
export function losesTime(content: OutgoingContent): boolean {
  const minute = (value: unknown) => (typeof value === 'string' ? new Date(value).toISOString().slice(0, 16) : null)
  const names = ['started_at', 'ended_at', 'due_at']
  const { fields } = withKeptTimes(content)
  const kept = names.map((name) => minute(fields[name]))
  return names.some((name) => {
    const sent = minute(content.fields[name])
    return sent !== null && !kept.includes(sent)
  })
}

/** How many further records Pipedrive shows a note, an activity or a file at, beyond its parent. */
function otherLinks({ deal_id, person_id, org_id, activity_id, participants }: RawRecord): number {
  const people = objectsIn(participants).map((one) => one.person_id)
  const own = [activity_id && 'activity', deal_id && `deal ${deal_id}`, org_id && `org ${org_id}`]
  const links = [...own, ...[person_id, ...people].filter(Boolean)]
  return Math.max(0, new Set(links.filter(Boolean)).size - 1)
}

/** Adds values that the declarations read. */
const toText = (raw: RawRecord): RawRecord => ({ ...raw, related: relatedOf(raw), otherLinks: otherLinks(raw) })
const pins = ['deal', 'person', 'organization'].map((name) => `pinned_to_${name}_flag`)
export const toNote = (raw: RawRecord): RawRecord => ({
  ...toText(raw),
  ...(pins.some((name) => raw[name] === true || raw[name] === 1) && { pinned: true }),
})
export const toActivity = (raw: RawRecord): RawRecord => ({ ...toText(raw), ...momentsOf(raw as Times) })
export const toFileRecord = (raw: RawRecord): RawRecord => ({
  ...raw,
  parent: relatedOf(raw),
  otherLinks: otherLinks(raw),
})
