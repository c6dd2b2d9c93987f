import { answer, type TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, blank, type CustomStatus, type Field, found, idOf, invalid } from './account.ts'
import { sendList } from './lists.ts'
import { shapes } from './shapes.ts'

const typesOf = {
  ticket: ['text', 'textarea', 'checkbox', 'date', 'integer', 'decimal', 'regexp', 'multiselect', 'tagger', 'lookup'],
  other: ['text', 'textarea', 'checkbox', 'date', 'integer', 'decimal', 'regexp', 'multiselect', 'dropdown', 'lookup'],
}
const systemTypes = ['subject', 'description', 'status', 'tickettype', 'priority', 'group', 'assignee']

/** Creates the built-in fields, and the statuses with which each account begins. */
export function createFields(account: Account): void {
  const times = { created_at: account.now(), updated_at: account.now() }
  for (const type of systemTypes) {
    const words = { title: type, description: type, key: null, tag: null, options: [] }
    const kind = { of: 'ticket', type, active: true, required: false, removable: false } as const
    account.fields.put({ id: account.nextId(), ...kind, ...words, ...times })
  }
  for (const category of ['new', 'open', 'pending', 'hold', 'solved']) {
    const label = category === 'hold' ? 'On-hold' : `${category[0]?.toUpperCase()}${category.slice(1)}`
    const active = category !== 'hold' || account.hasOnHold
    const words = { agent_label: label, end_user_label: label, description: '' }
    const id = account.nextId()
    account.statuses.put({ id, status_category: category, active, default: true, ...words, ...times })
  }
}

/** The value as the field stores it; an invalid value is refused. */
export function valueFor(field: Field, value: unknown): unknown {
  if (value === null || value === '') return null
  const wrong = () =>
    invalid('base', `${field.title}: ${String(value).slice(0, 50)} is invalid`, null, { ticket_field_id: field.id })
  const isOption = (one: unknown) => field.options.some((option) => option.value === one)
  switch (field.type) {
    case 'checkbox':
      return ['true', '1', true, 1].includes(value as never)
    case 'date':
      return /^\d{4}-\d\d-\d\d/.test(String(value)) ? String(value).slice(0, 10) : wrong()
    case 'integer':
      return /^-?\d+$/.test(String(value)) ? Number(value) : wrong()
    case 'decimal':
      return /^-?\d+(\.\d+)?$/.test(String(value)) ? Number(value) : wrong()
    case 'tagger':
    case 'dropdown':
      return isOption(value) ? value : wrong()
    case 'multiselect': {
      const list = [value].flat()
      if (!list.every(isOption)) wrong()
      return list.length === 0 ? null : list
    }
    default:
      return String(value)
  }
}

export const fieldsOf = ({ fields }: Account, of: Field['of']) => fields.list((one) => one.of === of && one.removable)

/** Refuses invalid values of user or organization fields. Unknown keys are ignored. */
export function checkValues(account: Account, of: 'user' | 'organization', values: Record<string, unknown>): void {
  for (const field of fieldsOf(account, of)) {
    const key = String(field.key)
    if (key in values) values[key] = valueFor(field, values[key])
  }
}

/** All fields of a user or an organization, by key; empty fields are null. */
export function shownValues(account: Account, of: 'user' | 'organization', values: Record<string, unknown>) {
  return Object.fromEntries(
    fieldsOf(account, of).map(({ key, type }) => {
      const value = values[String(key)] ?? (type === 'checkbox' ? false : null)
      return [key, type === 'date' && value !== null ? `${value}T00:00:00+00:00` : value]
    }),
  )
}

/** All fields of a ticket; empty fields are null, and numbers are texts. */
export const shownFields = (account: Account, values: Record<string, unknown>) =>
  fieldsOf(account, 'ticket').map(({ id, type }) => {
    const value = values[id] ?? (type === 'checkbox' ? false : null)
    return { id: Number(id), value: typeof value === 'number' ? String(value) : value }
  })

export function fieldOperations(account: Account): Operation[] {
  const { fields, statuses, nextId, now } = account
  const pathOf = { ticket: 'ticket_fields', user: 'user_fields', organization: 'organization_fields' }
  const named = ['open', 'pending', ...(account.hasOnHold ? ['hold'] : []), 'solved']
  const statusOptions = named.map((value) => ({ name: value, value }))
  const present = ({ options, of, removable, key, tag, required, ...one }: Field) => ({
    ...one,
    ...(of === 'ticket' ? { removable, tag, required } : { key, system: false }),
    id: idOf(one),
    url: account.address(`${pathOf[of]}/${one.id}.json`),
    raw_title: one.title,
    raw_description: one.description,
    position: 9999,
    regexp_for_validation: null,
    ...(one.type === 'status' && { system_field_options: statusOptions }),
    ...(options.length > 0 && {
      custom_field_options: options.map((option) => ({ ...option, raw_name: option.name })),
    }),
  })
  const withIds = (options: { id?: number | null; name: string; value: string }[] = []) =>
    options.map((option) => ({ ...option, id: option.id ?? Number(nextId()) }))
  const make = (of: Field['of'], body: Partial<Field> & { custom_field_options?: Field['options'] }): Field => {
    const { title, type = 'text', key = null, custom_field_options } = body
    if (!title?.trim()) return blank('title', 'Title')
    if (!typesOf[of === 'ticket' ? 'ticket' : 'other'].includes(type)) invalid('type', `Type: ${type} is invalid`)
    const ofKind = fieldsOf(account, of)
    if (of !== 'ticket') {
      if (!/^[a-z0-9_]+$/i.test(key ?? '')) invalid('key', `Key: ${key} is invalid`)
      if (ofKind.some((one) => one.key === key)) invalid('key', `Key: ${key} has already been taken`, 'DuplicateValue')
    }
    const options = withIds(custom_field_options)
    const isChoice = ['tagger', 'dropdown', 'multiselect'].includes(type)
    if (isChoice && options.length === 0) invalid('base', 'Custom field options: must have at least one')
    // An option is a tag, and a tag belongs to one field.
    const taken = new Set(ofKind.flatMap((one) => one.options.map(({ value }) => value)))
    const double = options.find(
      ({ value }, at) => taken.has(value) || options.findIndex((one) => one.value === value) !== at,
    )
    if (double) invalid('custom_field_options', `Tag: ${double.value} is already used in another field`)
    const odd = options.find(({ value }) => !/^[\p{L}\p{N}_\-/:.]+$/u.test(value))
    if (odd) invalid('custom_field_options', `Tag: ${odd.value} contains characters that tags cannot have`)
    const words = { title, type, key, description: body.description ?? title, tag: body.tag ?? null, options }
    const state = { active: body.active ?? true, required: body.required ?? false, removable: true }
    return fields.put({ id: nextId(), of, ...words, ...state, created_at: now(), updated_at: now() })
  }
  const listed = (of: Field['of'], shape: typeof shapes.fields | typeof shapes.userFields): Operation => ({
    ...shape,
    act: (request) =>
      sendList(
        request,
        fields.list((one) => one.of === of),
        { name: pathOf[of], present },
      ),
  })
  const find = ({ params }: TwinRequest) => found(fields.get(String(params.id)))
  const change = (request: TwinRequest, name: string) => {
    const { custom_field_options, ...body } = request.json[name]
    const known = find(request)
    const options = custom_field_options ? withIds(custom_field_options) : known.options
    // Options whose id is missing are removed, also from the organizations that have them.
    const gone = known.options.filter(({ id }) => !options.some((one) => one.id === id)).map(({ value }) => value)
    const isGone = (value: unknown) => [value].flat().some((one) => gone.includes(String(one)))
    for (const { id, organization_fields: values } of account.organizations.list()) {
      const left = Object.fromEntries(
        Object.entries(values).map(([key, value]) => [key, key === known.key && isGone(value) ? null : value]),
      )
      account.organizations.change(id, { organization_fields: left })
    }
    return answer(200, { [name]: present(fields.put({ ...known, ...body, options, updated_at: now() })) })
  }
  const addOption = (request: TwinRequest) => {
    const known = find(request)
    const option = request.json.custom_field_option
    const at = known.options.findIndex(({ id }) => id === option.id)
    const [made] = withIds([option])
    const options = at === -1 ? [...known.options, found(made)] : known.options.with(at, found(made))
    fields.put({ ...known, options, updated_at: now() })
    return answer(at === -1 ? 201 : 200, { custom_field_option: made })
  }
  const presentStatus = (one: CustomStatus) => ({
    ...one,
    id: idOf(one),
    raw_agent_label: one.agent_label,
    raw_end_user_label: one.end_user_label,
    raw_description: one.description,
    end_user_description: one.description,
    raw_end_user_description: one.description,
  })
  return [
    listed('ticket', shapes.fields),
    listed('user', shapes.userFields),
    listed('organization', shapes.organizationFields),
    {
      ...shapes.makeField,
      act: ({ json }) => answer(201, { ticket_field: present(make('ticket', json.ticket_field)) }),
    },
    { ...shapes.makeUserField, act: ({ json }) => answer(201, { user_field: present(make('user', json.user_field)) }) },
    {
      ...shapes.makeOrganizationField,
      act: ({ json }) => answer(201, { organization_field: present(make('organization', json.organization_field)) }),
    },
    { ...shapes.changeField, act: (request) => change(request, 'ticket_field') },
    { ...shapes.changeOrganizationField, act: (request) => change(request, 'organization_field') },
    {
      ...shapes.fieldOptions,
      act: (request) => {
        const options = find(request).options
        return answer(200, { custom_field_options: options, count: options.length, next_page: null })
      },
    },
    { ...shapes.makeOption, act: addOption },
    { ...shapes.makeUserOption, act: addOption },
    {
      ...shapes.statuses,
      act({ query }) {
        const isWanted = (name: string, value: boolean) => !query.has(name) || query.get(name) === String(value)
        const list = statuses.list((one) => isWanted('active', one.active) && isWanted('default', one.default))
        return answer(200, { custom_statuses: list.map(presentStatus) })
      },
    },
  ]
}
