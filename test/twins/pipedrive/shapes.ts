import { Type } from 'typebox'
import { customTypes } from './catalog.ts'

// Bodies of https://developers.pipedrive.com/docs/api/v1/ and of the vendor's client 33.7.0 that a migration needs, and
// no others.

export const closed = { additionalProperties: false }
export const whole = Type.Optional(Type.Integer())
const number = Type.Optional(Type.Number())
export const text = Type.Optional(Type.String())
const yes = Type.Optional(Type.Boolean())
const wholes = Type.Optional(Type.Array(Type.Integer()))
const orNull = <T extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(type: T) =>
  Type.Optional(Type.Union([type, Type.Null()]))
const custom_fields = Type.Optional(Type.Record(Type.String(), Type.Unknown()))
const address = Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]))
const labelled = Type.Optional(Type.Array(Type.Object({ value: text, primary: yes, label: text }, closed)))
const owned = { owner_id: whole, visible_to: whole, label_ids: wholes, custom_fields }

const organization = {
  ...owned,
  name: text,
  address,
  website: orNull(Type.String()),
  linkedin: orNull(Type.String()),
  industry: orNull(Type.Integer()),
  annual_revenue: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  employee_count: orNull(Type.Integer()),
}
const person = {
  ...owned,
  name: text,
  org_id: orNull(Type.Integer()),
  emails: labelled,
  phones: labelled,
  postal_address: address,
  notes: text,
  im: labelled,
  birthday: text,
  job_title: text,
  marketing_status: Type.Optional(Type.Enum(['no_consent', 'unsubscribed', 'subscribed', 'archived'])),
}
/** There is no `add_time`: the creation time of a deal is the time of its request. */
const deal = {
  ...owned,
  title: text,
  person_id: orNull(Type.Integer()),
  org_id: orNull(Type.Integer()),
  pipeline_id: whole,
  stage_id: whole,
  value: number,
  currency: text,
  is_deleted: yes,
  is_archived: yes,
  archive_time: orNull(Type.String()),
  status: text,
  probability: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  lost_reason: orNull(Type.String()),
  close_time: orNull(Type.String()),
  won_time: orNull(Type.String()),
  lost_time: orNull(Type.String()),
  expected_close_date: orNull(Type.String()),
}
const attendee = { email: text, name: text, status: text, is_organizer: yes, person_id: whole, user_id: whole }
const activity = {
  subject: text,
  type: text,
  owner_id: whole,
  deal_id: orNull(Type.Integer()),
  lead_id: orNull(Type.String()),
  person_id: orNull(Type.Integer()),
  org_id: orNull(Type.Integer()),
  project_id: orNull(Type.Integer()),
  due_date: orNull(Type.String()),
  due_time: orNull(Type.String()),
  duration: orNull(Type.String()),
  busy: yes,
  done: yes,
  location: address,
  participants: Type.Optional(Type.Array(Type.Object({ person_id: Type.Integer(), primary: yes }, closed))),
  attendees: Type.Optional(Type.Array(Type.Object(attendee, closed))),
  public_description: text,
  priority: orNull(Type.Integer()),
  outcome: orNull(Type.Integer()),
  note: text,
}
const made = { add_time: text }

/** The creation time of a person or organization can be set only when it is created. */
export const bodies = {
  organizations: { add: Type.Object({ ...organization, ...made }, closed), change: Type.Object(organization, closed) },
  persons: { add: Type.Object({ ...person, ...made }, closed), change: Type.Object(person, closed) },
  deals: { add: Type.Object(deal, closed), change: Type.Object(deal, closed) },
  activities: { add: Type.Object(activity, closed), change: Type.Object(activity, closed) },
}

export const pipeline = Type.Object({ name: text, is_deal_probability_enabled: yes }, closed)
const stageParts = {
  deal_probability: whole,
  is_deal_rot_enabled: yes,
  days_to_rotten: orNull(Type.Integer()),
}
export const stage = Type.Object({ name: Type.String(), pipeline_id: Type.Integer(), ...stageParts }, closed)
export const stageChange = Type.Object({ name: text, pipeline_id: whole, ...stageParts }, closed)

const anything = Type.Optional(Type.Record(Type.String(), Type.Unknown()))
const looks = { ui_visibility: anything, important_fields: anything, required_fields: anything }
export const field = (hasDescription: boolean) =>
  Type.Object(
    {
      field_name: Type.String(),
      field_type: Type.Enum(customTypes),
      options: Type.Optional(Type.Array(Type.Object({ label: Type.String() }, closed))),
      ...looks,
      ...(hasDescription && { description: orNull(Type.String()) }),
    },
    closed,
  )
export const fieldChange = Type.Object({ field_name: text, description: orNull(Type.String()), ...looks }, closed)
export const newOptions = Type.Array(Type.Object({ label: Type.String() }, closed))
export const oldOptions = Type.Array(Type.Object({ id: Type.Integer() }, closed))
export const changedOptions = Type.Array(Type.Object({ id: Type.Integer(), label: Type.String() }, closed))

const flag = Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)]))
const noteParts = {
  lead_id: orNull(Type.String()),
  deal_id: orNull(Type.Integer()),
  person_id: orNull(Type.Integer()),
  org_id: orNull(Type.Integer()),
  user_id: whole,
  add_time: text,
  pinned_to_lead_flag: flag,
  pinned_to_deal_flag: flag,
  pinned_to_organization_flag: flag,
  pinned_to_person_flag: flag,
}
export const note = Type.Object({ content: Type.String(), ...noteParts }, closed)
export const noteChange = Type.Object({ content: text, ...noteParts }, closed)

const money = Type.Optional(
  Type.Union([Type.Object({ amount: Type.Number(), currency: Type.String() }, closed), Type.Null()]),
)
const leadParts = {
  owner_id: whole,
  label_ids: Type.Optional(Type.Array(Type.String())),
  person_id: orNull(Type.Integer()),
  organization_id: orNull(Type.Integer()),
  value: money,
  expected_close_date: orNull(Type.String()),
  visible_to: Type.Optional(Type.Enum(['1', '3', '5', '7'])),
  was_seen: yes,
  channel: orNull(Type.Integer()),
  channel_id: orNull(Type.String()),
}
/** v1 has custom values beside the others, under the hashes of their fields. */
const withHashes = { additionalProperties: false, patternProperties: { '^[0-9a-f]{40}(_\\w+)?$': Type.Unknown() } }
export const lead = Type.Object({ title: Type.String(), origin_id: orNull(Type.String()), ...leadParts }, withHashes)
export const leadChange = Type.Object({ title: text, is_archived: yes, ...leadParts }, withHashes)

export const activityType = Type.Object({ name: Type.String(), icon_key: Type.String(), color: text }, closed)
export const participant = Type.Object({ person_id: Type.Integer() }, closed)
export const relationship = Type.Object(
  {
    org_id: whole,
    type: Type.Enum(['parent', 'related']),
    rel_owner_org_id: Type.Integer(),
    rel_linked_org_id: Type.Integer(),
  },
  closed,
)
