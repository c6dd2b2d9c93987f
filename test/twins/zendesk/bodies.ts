import { Type } from 'typebox'

// Bodies of requests. Every object is closed: Zendesk ignores a name that is not here.

export const closed = { additionalProperties: false }
export const any = Type.Optional(Type.Any())
export const text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
export const yes = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]))
export const id = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))
export const ids = Type.Optional(Type.Array(Type.Integer()))
export const texts = Type.Optional(Type.Array(Type.String()))
const moment = Type.Optional(Type.Union([Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d' }), Type.Null()]))
const values = Type.Optional(Type.Record(Type.String(), Type.Any()))

const via = Type.Optional(Type.Object({ channel: Type.String(), source: any }, closed))
const copied = Type.Optional(
  Type.Array(
    Type.Object(
      {
        user_id: Type.Optional(Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })])),
        user_email: text,
        user_name: text,
        action: Type.Optional(Type.Enum(['put', 'delete'])),
      },
      closed,
    ),
  ),
)
const comment = { body: text, html_body: text, public: yes, author_id: id, uploads: texts }
const customFields = Type.Optional(
  Type.Array(Type.Object({ id: Type.Integer(), value: Type.Any() }, { additionalProperties: false })),
)
const ticket = {
  subject: text,
  raw_subject: text,
  type: text,
  priority: text,
  status: text,
  custom_status_id: id,
  requester_id: id,
  submitter_id: id,
  assignee_id: id,
  organization_id: id,
  group_id: id,
  email_ccs: copied,
  followers: copied,
  collaborator_ids: ids,
  tags: texts,
  custom_fields: customFields,
  due_at: moment,
  external_id: text,
  problem_id: id,
  recipient: text,
  brand_id: id,
  ticket_form_id: id,
}
export const wrapped = (name: string, properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object({ [name]: Type.Object(properties, closed) }, closed)
export const imported = {
  ...ticket,
  description: text,
  via,
  created_at: moment,
  updated_at: moment,
  solved_at: moment,
  comments: Type.Optional(
    Type.Array(Type.Object({ ...comment, value: text, created_at: moment, via }, { additionalProperties: false })),
  ),
}
export const isUpdated = {
  ...ticket,
  metadata: Type.Optional(Type.Object({ custom: values }, closed)),
  comment: Type.Optional(Type.Object(comment, closed)),
  safe_update: yes,
  updated_stamp: moment,
}
export const identity = { type: Type.String(), value: Type.String(), primary: yes, verified: yes }
export const user = {
  name: text,
  email: text,
  phone: text,
  external_id: text,
  role: Type.Optional(Type.Enum(['end-user', 'agent', 'admin'])),
  organization_id: id,
  locale: text,
  time_zone: text,
  details: text,
  notes: text,
  alias: text,
  signature: text,
  tags: texts,
  user_fields: values,
  suspended: yes,
  verified: yes,
  skip_verify_email: yes,
  default_group_id: id,
  group_ids: ids,
  identities: Type.Optional(Type.Array(Type.Object(identity, closed))),
}
const { group_ids: _groups, ...changed } = user
export const userChange = changed
export const organization = {
  id,
  name: text,
  external_id: text,
  domain_names: texts,
  details: text,
  notes: text,
  group_id: id,
  shared_tickets: yes,
  shared_comments: yes,
  tags: texts,
  organization_fields: values,
}
export const option = Type.Object({ id, name: Type.String(), value: Type.String(), position: id }, closed)
const field = {
  type: Type.String(),
  title: Type.String(),
  description: text,
  active: yes,
  required: yes,
  tag: text,
  regexp_for_validation: text,
  custom_field_options: Type.Optional(Type.Array(option)),
}
export const fieldOf = {
  ticket: { ...field, agent_description: text, position: id },
  other: { ...field, key: Type.String() },
}
