import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Choice, duplicate, type Field, found, invalid, missing } from './account.ts'
import { made } from './lists.ts'
import { shapes } from './shapes.ts'
import { presentAdminField, presentOtherField, presentTicketField } from './show-fields.ts'

type Of = Field['of']

export const fieldsOf = ({ fields }: Account, of: Of): Field[] => fields.list((field) => field.of === of)

const types: Record<Of, readonly string[]> = {
  ticket: ['text', 'paragraph', 'checkbox', 'number', 'decimal', 'date', 'dropdown'].map((type) => `custom_${type}`),
  contact: ['text', 'paragraph', 'checkbox', 'number', 'dropdown', 'phone_number', 'url', 'date'].map(
    (type) => `custom_${type}`,
  ),
  company: [],
}

const slug = (label: string) =>
  label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '') || 'field'

interface ChoiceBody {
  id?: number
  value?: string
  deleted?: boolean
  choices?: ChoiceBody[]
}

function choicesOf(account: Account, given: readonly ChoiceBody[], before: readonly Choice[]): Choice[] {
  const kept = before.flatMap((choice) => {
    const change = given.find(({ id }) => id === choice.id)
    const inner = choicesOf(account, change?.choices ?? [], choice.choices)
    return change?.deleted ? [] : { ...choice, value: change?.value ?? choice.value, choices: inner }
  })
  const added = given
    .filter(({ id }) => id === undefined)
    .map(({ value = '', choices = [] }) => {
      if ([...kept].some((choice) => choice.value === value)) duplicate('choices')
      return { id: Number(account.nextId()), value, choices: choicesOf(account, choices, []) }
    })
  return [...kept, ...added]
}

export interface FieldBody {
  label?: string
  type?: string
  required_for_agents?: boolean
  required_for_closure?: boolean
  displayed_to_customers?: boolean
  displayed_for_customers?: boolean
  choices?: ChoiceBody[]
  dependent_fields?: { label?: string }[]
}

/** Freshdesk makes the name from the label, with a number added if the name exists. */
export function makeField(account: Account, of: Of, body: FieldBody): Field {
  const { label = '', type = '', choices = [], dependent_fields = [] } = body
  const allowed = of === 'ticket' ? [...types.ticket, 'nested_field'] : types.contact
  if (!label.trim()) missing('label')
  if (!allowed.includes(type)) invalid('type', `It should be one of these values: '${allowed.join(',')}'`)
  const known = fieldsOf(account, of)
  if (known.some((field) => field.label.toLowerCase() === label.toLowerCase())) duplicate('label')
  const names = new Set(known.flatMap((field) => [field.name, ...field.levels.map(({ name }) => name)]))
  const nameFor = (words: string) => {
    const wanted = `${of === 'ticket' ? 'cf_' : ''}${slug(words)}`
    const name = names.has(wanted) ? `${wanted}${account.nextId().slice(-6)}` : wanted
    names.add(name)
    return name
  }
  return account.fields.put({
    id: account.nextId(),
    of,
    name: nameFor(label),
    label,
    type,
    default: false,
    required_for_agents: body.required_for_agents ?? false,
    required_for_closure: body.required_for_closure ?? false,
    isShown: body.displayed_to_customers ?? body.displayed_for_customers ?? true,
    choices: choicesOf(account, choices, []),
    levels: dependent_fields.map((one) => ({
      id: Number(account.nextId()),
      name: nameFor(one.label ?? ''),
      label: one.label ?? '',
    })),
    ...account.times(),
  })
}

/** A record's values after a request. Unknown names, and values that do not fit, are refused. */
export function checkValues(
  account: Account,
  of: Of,
  { given = {}, before = {}, isForm = false }: { given?: object; before?: Record<string, unknown>; isForm?: boolean },
): Record<string, unknown> {
  const after = { ...before }
  const all = fieldsOf(account, of).filter((field) => !field.default)
  for (const [name, value] of Object.entries(given)) {
    const field = all.find((one) => one.name === name || one.levels.some((level) => level.name === name))
    if (!field) invalid(name, 'Unexpected/invalid field in request', { code: 'invalid_field' })
    else after[name] = field.type === 'nested_field' ? textOf(name, value) : fitting(field, value, isForm)
  }
  for (const field of all) if (field.type === 'nested_field') checkLevels(field, after)
  return after
}

function textOf(name: string, value: unknown): string | null {
  if (value === null || value === '') return null
  return typeof value === 'string' ? value : wrong(name, 'String')
}

const wrong = (name: string, type: string): never =>
  invalid(name, `Value set is not of type ${type}. It should be a/an ${type}`, { code: 'datatype_mismatch' })

function fitting({ name, type, choices }: Field, value: unknown, isForm: boolean): unknown {
  if (value === null || value === '') return type === 'custom_checkbox' ? false : null
  const given = isForm && typeof value === 'string' ? fromForm(type, value) : value
  if (type === 'custom_checkbox') return typeof given === 'boolean' ? given : wrong(name, 'Boolean')
  if (type === 'custom_number') return Number.isInteger(given) ? given : wrong(name, 'Integer')
  if (type === 'custom_decimal') return typeof given === 'number' ? given : wrong(name, 'Number')
  if (typeof given !== 'string') return wrong(name, 'String')
  if (type === 'custom_date' && !(/^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given))))
    invalid(name, 'It should be a/an Date in the YYYY-MM-DD format')
  if (type === 'custom_text' && [...given].length > 255) invalid(name, 'It should not have more than 255 characters')
  if (type === 'custom_url' && !URL.canParse(given)) invalid(name, 'It should be a valid URL')
  if (type === 'custom_dropdown' && !choices.some((choice) => choice.value === given))
    invalid(name, `It should be one of these values: '${choices.map((choice) => choice.value).join(',')}'`)
  return given
}

function fromForm(type: string, text: string): unknown {
  if (type === 'custom_checkbox') return text === 'true'
  return /number$|decimal$/.test(type) && type !== 'custom_phone_number' && text.trim() !== '' ? Number(text) : text
}

/** A choice of a dependent field needs the choice of the level above it. */
function checkLevels({ name, levels, choices }: Field, after: Record<string, unknown>): void {
  let offered: Choice[] = choices
  for (const key of [name, ...levels.map((level) => level.name)]) {
    const value = after[key] ?? null
    const chosen = offered.find((choice) => choice.value === value)
    if (value !== null && !chosen)
      invalid(key, `It should be one of these values: '${offered.map((choice) => choice.value).join(',')}'`)
    offered = chosen?.choices ?? []
  }
}

/** Every record has all fields of the account; empty fields are null. */
export function shownValues(account: Account, of: Of, values: Record<string, unknown>): Record<string, unknown> {
  const custom = fieldsOf(account, of).filter((field) => !field.default)
  const blank = custom.flatMap(({ name, type, levels }) => [
    [name, type === 'custom_checkbox' ? false : null],
    ...levels.map((level) => [level.name, null]),
  ])
  return { ...Object.fromEntries(blank), ...values }
}

export function fieldOperations(account: Account): Operation[] {
  const { fields } = account
  const find = (of: Of, id: string | undefined) => {
    const field = found(fields.get(String(id)))
    return field.of === of ? field : found<Field>(null)
  }
  const change = (of: Of, id: string | undefined, body: FieldBody): Field => {
    const field = find(of, id)
    const { choices, dependent_fields: _levels, type: _type, ...rest } = body
    const after = choices === undefined ? {} : { choices: choicesOf(account, choices, field.choices) }
    return found(fields.change(field.id, { ...rest, ...after, updated_at: account.now() }))
  }
  const removing = (of: Of, shape: Omit<Operation, 'act'>): Operation => ({
    ...shape,
    act({ params }) {
      const field = find(of, params.id)
      if (field.default) invalid('id', 'Default fields cannot be deleted')
      fields.remove(field.id)
      return answer(204)
    },
  })
  const others = (['contact', 'company'] as const).flatMap((of): Operation[] => {
    const isContact = of === 'contact'
    return [
      {
        ...shapes[isContact ? 'contactFields' : 'companyFields'],
        act: () => answer(200, fieldsOf(account, of).map(presentOtherField)),
      },
      {
        ...shapes[isContact ? 'makeContactField' : 'makeCompanyField'],
        act({ json }) {
          const field = makeField(account, of, json)
          return made(account, `${of}_fields`, field.id, presentOtherField(field))
        },
      },
      {
        ...shapes[isContact ? 'changeContactField' : 'changeCompanyField'],
        act: ({ params, json }) => answer(200, presentOtherField(change(of, params.id, json))),
      },
      removing(of, shapes[isContact ? 'removeContactField' : 'removeCompanyField']),
    ]
  })
  return [
    ...others,
    {
      ...shapes.ticketFields,
      act({ query }) {
        const type = query.get('type')
        const wanted = fieldsOf(account, 'ticket').filter((field) => type === null || field.type === type)
        return answer(
          200,
          wanted.map((field) => presentTicketField(account, field)),
        )
      },
    },
    {
      ...shapes.adminFields,
      // The list omits the choices.
      act: () =>
        answer(
          200,
          fieldsOf(account, 'ticket').map((field) => presentAdminField(field, false)),
        ),
    },
    { ...shapes.adminField, act: ({ params }) => answer(200, presentAdminField(find('ticket', params.id))) },
    {
      ...shapes.makeTicketField,
      act({ json }) {
        const field = makeField(account, 'ticket', json)
        const shown = presentAdminField(field)
        // According to the sample, only dependent fields are wrapped.
        const body = field.type === 'nested_field' ? { ticket_field: shown } : shown
        return made(account, 'admin/ticket_fields', field.id, body)
      },
    },
    {
      ...shapes.changeTicketField,
      act: ({ params, json }) => answer(200, presentAdminField(change('ticket', params.id, json))),
    },
    removing('ticket', shapes.removeTicketField),
  ]
}

const defaults: Record<Of, readonly [name: string, label: string, type?: string, choices?: string[]][]> = {
  ticket: [
    ['requester', 'Search a requester'],
    ['subject', 'Subject'],
    ['ticket_type', 'Type'],
    ['source', 'Source'],
    ['status', 'Status'],
    ['priority', 'Priority'],
    ['group', 'Group'],
    ['agent', 'Agent'],
    ['product', 'Product'],
    ['description', 'Description'],
    ['company', 'Company'],
  ],
  contact: [
    ['name', 'Full name'],
    ['job_title', 'Title'],
    ['email', 'Email'],
    ['phone', 'Work phone'],
    ['mobile', 'Mobile phone'],
    ['company_name', 'Company'],
    ['time_zone', 'Time zone'],
    ['language', 'Language'],
    ['tag_names', 'Tags'],
    ['description', 'About'],
    ['unique_external_id', 'Unique external ID'],
  ],
  company: [
    ['name', 'Company Name'],
    ['description', 'Description'],
    ['note', 'Notes'],
    ['domains', 'Domains for this company'],
    ['health_score', 'Health score', 'default_health_score', ['At risk', 'Doing okay', 'Happy']],
    ['account_tier', 'Account tier', 'default_account_tier', ['Basic', 'Premium', 'Enterprise']],
    ['renewal_date', 'Renewal date'],
    ['industry', 'Industry', 'default_industry', ['Automotive', 'Media', 'Other']],
  ],
}

/** The fields that every account has. */
export function createFields(account: Account): void {
  for (const kind of ['ticket', 'contact', 'company'] as const) {
    for (const [name, label, type = `default_${name}`, choices = []] of defaults[kind])
      account.fields.put({
        id: account.nextId(),
        of: kind,
        name,
        label,
        type,
        default: true,
        required_for_agents: false,
        required_for_closure: false,
        choices: choicesOf(
          account,
          choices.map((value) => ({ value })),
          [],
        ),
        levels: [],
        ...account.times(),
      })
  }
}
