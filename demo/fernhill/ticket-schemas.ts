/** JSON schemas of requests that write. Later code checks whether ids and option values exist. */

export const STATUSES = ['new', 'open', 'pending', 'on_hold', 'solved', 'closed'] as const
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export const TYPES = ['question', 'incident', 'problem', 'task'] as const

const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
const idOrNull = { ...id, type: ['integer', 'null'] }
const words = { type: 'array', maxItems: 50, items: { type: 'string', minLength: 1, maxLength: 254 } }

const properties = {
  subject: { type: 'string', maxLength: 500 },
  description: { type: 'string', maxLength: 500_000 },
  status: { enum: STATUSES },
  priority: { enum: PRIORITIES },
  type: { enum: TYPES },
  requester_id: id,
  assignee_id: idOrNull,
  group_id: idOrNull,
  organization_id: idOrNull,
  cc: words,
  tags: words,
  custom_fields: { type: 'object' },
  due_at: { type: ['string', 'null'] },
}

export const ticketChangeSchema = { type: 'object', additionalProperties: false, properties }

export const ticketSchema = { ...ticketChangeSchema, required: ['subject', 'description', 'requester_id'] }

export const commentSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['author_type', 'author_id', 'body'],
  properties: {
    author_type: { enum: ['agent', 'contact'] },
    author_id: id,
    body: { type: 'string', minLength: 1, maxLength: 500_000 },
    public: { type: 'boolean' },
  },
}
