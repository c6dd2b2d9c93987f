import { toSecond } from '../clock.ts'
import { type Account, type Body, invalid, isLive, type Kind, refused, touch, visibilities } from './account.ts'
import { optionsOf } from './catalog.ts'
import { checkRefs } from './lists.ts'
import { sanitize } from './sanitize.ts'
import { storedAddress } from './values.ts'

/** Computes a record after a change; `known` is empty for a new record. */
export type Save = (account: Account, known: Body, given: Body) => Body

const lives = (store: { get(id: string): { deletedAt: number | null } | undefined }) => (id: unknown) =>
  store.get(String(id))?.deletedAt === null

/** Times of v2 follow RFC 3339; the form of v1 is refused. */
export function moment(name: string, text: string): string {
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  return Number.isNaN(at) ? invalid(`${name}: Parameter '${name}' is not a valid datetime`) : toSecond(at)
}

function checkOwned(account: Account, kind: Kind, given: Body): void {
  const labels = optionsOf(account, kind, 'label_ids').map(({ id }) => id)
  for (const id of (given.label_ids ?? []) as number[])
    if (!labels.includes(id)) refused(400, `label_ids: ${id} is not a label`)
  checkRefs(given, { owner_id: (id) => account.users.some((user) => user.id === id && user.isActive) })
  const values = visibilities(account).map(({ id }) => id)
  if (given.visible_to !== undefined && !values.includes(given.visible_to as number))
    invalid(`visible_to: must be one of ${values.join(', ')}`)
}

const fresh = (account: Account): Body => ({
  owner_id: account.me,
  add_time: account.now(),
  update_time: account.now(),
  visible_to: visibilities(account).at(-1)?.id,
  label_ids: [],
})

/** Refuses fields of features that the account does not have. */
function checkFeature(given: Body, names: readonly string[], isOn: boolean): void {
  const used = isOn ? undefined : names.find((name) => given[name] !== undefined)
  if (used) refused(403, `${used} cannot be set in this account`)
}

const nameOf = (known: Body, given: Body): string => {
  const name = String(given.name ?? known.name ?? '')
  return name.trim() === '' ? invalid('name: Parameter name is required') : name
}

const details = ['website', 'linkedin', 'industry', 'annual_revenue', 'employee_count']
const synced = ['postal_address', 'notes', 'im', 'birthday', 'job_title']
const none = (names: readonly string[], value: unknown = null) => Object.fromEntries(names.map((name) => [name, value]))

const saveOrganization: Save = (account, known, given) => {
  const isOn = account.settings.companyDetails
  checkOwned(account, 'organizations', given)
  checkFeature(given, details, isOn)
  const industries = optionsOf(account, 'organizations', 'industry').map(({ id }) => id)
  if (typeof given.industry === 'number' && !industries.includes(given.industry))
    refused(400, 'industry: no such option')
  return {
    ...fresh(account),
    address: null,
    ...(isOn && none(details)),
    ...known,
    ...given,
    name: nameOf(known, given),
    ...(given.add_time && { add_time: moment('add_time', given.add_time as string) }),
    ...(given.address && { address: storedAddress('address', given.address) }),
  }
}

interface Labelled {
  value?: string
  primary?: boolean
  label?: string
}

/** Exactly one entry is primary: the first by default. */
function labelled(given: Labelled[]): Labelled[] {
  if (given.filter(({ primary }) => primary).length > 1) invalid('primary: only one value can be the primary one')
  const first = Math.max(
    given.findIndex(({ primary }) => primary),
    0,
  )
  return given.map(({ value, label = 'work' }, at) => ({
    value: value ?? invalid('value: Parameter value is required'),
    primary: at === first,
    label,
  }))
}

const savePerson: Save = (account, known, given) => {
  const isOn = account.settings.contactSync
  checkOwned(account, 'persons', given)
  checkFeature(given, synced, isOn)
  checkRefs(given, { org_id: lives(account.organizations) })
  const name = nameOf(known, given)
  const [first_name, ...rest] = name.trim().split(/\s+/)
  return {
    ...fresh(account),
    org_id: null,
    emails: [],
    phones: [],
    picture_id: null,
    ...(isOn && { ...none(synced), im: [] }),
    ...known,
    ...given,
    // An empty text clears a value.
    ...none(synced.filter((name) => given[name] === '')),
    name,
    // Both name parts are derived from the whole name.
    first_name,
    last_name: rest.join(' ') || null,
    ...(given.add_time && { add_time: moment('add_time', given.add_time as string) }),
    ...(given.emails && { emails: labelled(given.emails as Labelled[]) }),
    ...(given.phones && { phones: labelled(given.phones as Labelled[]) }),
    ...(given.im && { im: labelled(given.im as Labelled[]) }),
    ...(given.postal_address && { postal_address: storedAddress('postal_address', given.postal_address) }),
  }
}

/** The stage determines the pipeline; without either, a deal goes to the first stage of the first pipeline. */
function placeOf(account: Account, known: Body, given: Body): { pipeline_id: number; stage_id: number } {
  const { stages, pipelines } = account
  const asked = (given.stage_id ?? (given.pipeline_id === undefined ? known.stage_id : undefined)) as number | undefined
  if (asked !== undefined) {
    const stage = stages.get(String(asked))
    if (!stage || !isLive(stage)) return refused(400, `stage_id: ${asked} does not exist`)
    const { pipeline_id } = stage.body as { pipeline_id: number }
    if (given.pipeline_id !== undefined && given.pipeline_id !== pipeline_id)
      refused(400, 'stage_id: the stage is not in this pipeline')
    return { pipeline_id, stage_id: asked }
  }
  const [first] = pipelines.list(isLive)
  const pipeline_id = (given.pipeline_id as number | undefined) ?? Number(first?.id)
  const [stage] = stages.list((one) => isLive(one) && one.body.pipeline_id === pipeline_id)
  return stage ? { pipeline_id, stage_id: Number(stage.id) } : refused(400, `pipeline_id: ${pipeline_id} has no stages`)
}

/** Times that only a closed deal has, each with the statuses that allow it. */
const closings = { won_time: ['won'], lost_time: ['lost'], close_time: ['won', 'lost'], lost_reason: ['lost'] }

const saveDeal: Save = (account, known, given) => {
  checkOwned(account, 'deals', given)
  const title = String(given.title ?? known.title ?? '')
  if (title.trim() === '') invalid('title: Parameter title is required')
  const status = String(given.status ?? known.status ?? 'open')
  if (!['open', 'won', 'lost'].includes(status)) invalid('status: must be one of open, won, lost')
  for (const [name, allowed] of Object.entries(closings))
    if (given[name] !== undefined && given[name] !== null && !allowed.includes(status))
      refused(400, `${name} can only be set if the status of the deal is ${allowed.join(' or ')}`)
  checkRefs(given, { person_id: lives(account.persons), org_id: lives(account.organizations) })
  const currency = String(given.currency ?? known.currency ?? 'EUR')
  if (!account.currencies.includes(currency)) refused(400, `currency: ${currency} is not one of this account`)
  const { maxOpenDeals } = account.settings
  const isOpened = status === 'open' && known.status !== 'open'
  if (isOpened && account.deals.list((deal) => isLive(deal) && deal.body.status === 'open').length >= maxOpenDeals)
    refused(403, "Couldn't add the deal. Open deals limit reached.", { code: 'feature_capping_deals_limit' })
  const now = account.now()
  const told = (name: string) => (given[name] ? moment(name, given[name] as string) : undefined)
  const [won, lost, close] = [told('won_time'), told('lost_time'), told('close_time')]
  const place = placeOf(account, known, given)
  const isMoved = place.stage_id !== known.stage_id
  const isArchived = (given.is_archived ?? known.is_archived ?? false) as boolean
  const { is_deleted: _deleted, ...rest } = given
  const ended = (isThis: boolean, time: string | undefined, old: unknown) =>
    isThis ? (time ?? close ?? old ?? now) : null
  const won_time = ended(status === 'won', won, known.won_time) as string | null
  const lost_time = ended(status === 'lost', lost, known.lost_time) as string | null
  return {
    ...fresh(account),
    creator_user_id: account.me,
    person_id: null,
    org_id: null,
    value: 0,
    probability: null,
    expected_close_date: null,
    origin: 'API',
    origin_id: null,
    channel: null,
    channel_id: null,
    source_lead_id: null,
    arr: null,
    mrr: null,
    acv: null,
    ...known,
    ...rest,
    ...place,
    title,
    status,
    currency,
    stage_change_time: isMoved ? now : known.stage_change_time,
    won_time,
    lost_time,
    close_time: status === 'open' ? null : (close ?? won_time ?? lost_time),
    lost_reason: status === 'lost' ? (given.lost_reason ?? known.lost_reason ?? null) : null,
    is_archived: isArchived,
    archive_time: isArchived ? (given.archive_time ?? known.archive_time ?? now) : null,
  }
}

/** A time of day, with seconds as in the description, or without them as in the guide. */
function clockTime({ settings }: Account, name: string, text: string | null | undefined): string | null {
  if (text === null || text === undefined || text === '') return null
  if (!/^\d{2}:\d{2}(:\d{2})?$/.test(text)) return invalid(`${name}: must be HH:MM`)
  return settings.tellsSeconds ? `${text}:00`.slice(0, 8) : text.slice(0, 5)
}

const saveActivity: Save = (account, known, given) => {
  const { activityTypes } = account
  checkRefs(given, {
    owner_id: (id) => account.users.some((user) => user.id === id && user.isActive),
    deal_id: lives(account.deals),
    org_id: lives(account.organizations),
    lead_id: lives(account.leads),
  })
  // The person is the first participant, and cannot be set directly.
  if (given.person_id !== undefined) invalid("person_id: Parameter 'person_id' is not allowed for this request")
  const type = (given.type ?? known.type ?? activityTypes[0]?.key) as string
  const kind = activityTypes.find(({ key, isActive }) => key === type && isActive)
  if (!kind && type !== known.type) refused(400, `type: ${type} is not a type of activity`)
  const participants = (given.participants ?? known.participants ?? []) as { person_id: number; primary?: boolean }[]
  for (const { person_id } of participants) checkRefs({ person_id }, { person_id: lives(account.persons) })
  const first = participants.find(({ primary }) => primary) ?? participants[0]
  const attendees = given.attendees as unknown[] | undefined
  account.invitations += attendees?.length ?? 0
  const done = (given.done ?? known.done ?? false) as boolean
  const due = given.due_date as string | null | undefined
  if (due && !/^\d{4}-\d{2}-\d{2}$/.test(due)) invalid('due_date: must be a date')
  const body: Body = {
    owner_id: account.me,
    creator_user_id: account.me,
    add_time: account.now(),
    update_time: account.now(),
    deal_id: null,
    lead_id: null,
    org_id: null,
    project_id: null,
    due_date: null,
    busy: false,
    location: null,
    attendees: [],
    conference_meeting_client: null,
    conference_meeting_url: null,
    conference_meeting_id: null,
    public_description: null,
    priority: null,
    outcome: null,
    ...known,
    ...given,
    type,
    subject: given.subject || known.subject || kind?.name,
    note: given.note === undefined ? (known.note ?? null) : sanitize(given.note as string, account.settings),
    due_time: clockTime(account, 'due_time', (given.due_time ?? known.due_time) as string | null),
    duration: clockTime(account, 'duration', (given.duration ?? known.duration) as string | null),
    ...(given.location && { location: storedAddress('location', given.location) }),
    participants: participants.map((one) => ({ person_id: one.person_id, primary: one === first })),
    person_id: first?.person_id ?? null,
    done,
    marked_as_done_time: done ? (known.marked_as_done_time ?? account.now()) : null,
  }
  touch(account, 'deals', body.deal_id)
  touch(account, 'persons', body.person_id)
  touch(account, 'organizations', body.org_id)
  return body
}

export const saves: Record<Kind, Save> = {
  organizations: saveOrganization,
  persons: savePerson,
  deals: saveDeal,
  activities: saveActivity,
}
