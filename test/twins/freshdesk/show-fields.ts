import { type Account, type Choice, type Field, idOf } from './account.ts'

const listed = (choices: readonly Choice[]): unknown[] =>
  choices.map(({ value, choices: inner }) => (inner.length > 0 ? { [value]: listed(inner) } : value))

const mapped = (choices: readonly Choice[]): unknown =>
  choices.every(({ choices: inner }) => inner.length === 0)
    ? choices.map(({ value }) => value)
    : Object.fromEntries(choices.map(({ value, choices: inner }) => [value, mapped(inner)]))

const asTree = (choices: readonly Choice[], parent: number): unknown[] =>
  choices.map(({ id, value, choices: inner }, at) => ({
    id,
    position: at + 1,
    value,
    parent_choice_id: parent,
    choices: asTree(inner, id),
  }))

const own = ({ of: _of, choices: _choices, levels: _levels, required_for_closure: _closure, ...kept }: Field) => kept

const shared = (field: Field) => ({
  ...own(field),
  id: idOf(field),
  position: idOf(field) % 1000,
  label_for_customers: field.label,
  required_for_closure: field.required_for_closure,
  required_for_customers: false,
  customers_can_edit: true,
  displayed_to_customers: true,
})

export function presentTicketField(account: Account, field: Field) {
  const { type, levels } = field
  const byId = <T extends { id: string; name: string }>(items: T[]) =>
    Object.fromEntries(items.map((item) => [item.name, idOf(item)]))
  const known: Record<string, unknown> = {
    default_status: Object.fromEntries(account.statuses),
    default_priority: { Low: 1, Medium: 2, High: 3, Urgent: 4 },
    default_source: { Email: 1, Portal: 2, Phone: 3, Chat: 7, 'Feedback Widget': 9, 'Outbound Email': 10 },
    default_ticket_type: account.types,
    default_group: byId(account.groups.list()),
    default_agent: byId(account.agents.list()),
    custom_dropdown: field.choices.map(({ value }) => value),
    nested_field: account.nestedChoices === 'maps' ? mapped(field.choices) : listed(field.choices),
  }
  const times = { created_at: field.created_at, updated_at: field.updated_at }
  const nested = levels.map((level, at) => ({
    ...level,
    ticket_field_id: idOf(field),
    level: at + 2,
    label_in_portal: level.label,
    ...times,
  }))
  return {
    ...shared(field),
    description: '',
    ...(known[type] !== undefined && { choices: known[type] }),
    ...(type === 'nested_field' && { nested_ticket_fields: nested }),
  }
}

export const presentAdminField = (field: Field, isWhole = true) => ({
  ...shared(field),
  ...(isWhole && field.choices.length > 0 && { choices: asTree(field.choices, idOf(field)) }),
  ...(field.levels.length > 0 && {
    dependent_fields: field.levels.map((level, at) => ({ ...level, level: at + 2, ticket_field_id: idOf(field) })),
  }),
})

const zones = { UTC: '(GMT+00:00) UTC', Berlin: '(GMT+01:00) Berlin', Chennai: '(GMT+05:30) Chennai' }
const tongues = { en: 'English', de: 'German', es: 'Spanish', he: 'Hebrew', 'pt-BR': 'Portuguese (BR)' }
export const knownZones: readonly string[] = Object.keys(zones)
export const knownLanguages: readonly string[] = Object.keys(tongues)

export function presentOtherField(field: Field) {
  const choices = field.choices.map(({ id, value }, at) => ({ id, label: value, value, position: at + 1 }))
  const { type } = field
  const known = type === 'default_time_zone' ? zones : type === 'default_language' ? tongues : choices
  return {
    ...own(field),
    id: idOf(field),
    position: idOf(field) % 1000,
    agents_can_edit: true,
    displayed_for_agents: true,
    quick_add_for_agent: false,
    unique: type === 'default_mobile',
    ...(field.of === 'contact' && { label_for_customers: field.label, editable_in_signup: false }),
    ...((known !== choices || choices.length > 0) && { choices: known }),
  }
}
