import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import {
  type Account,
  closed,
  invalid,
  notFound,
  optional,
  type TicketAttribute,
  type TicketState,
  type TicketType,
  workspace,
} from './account.ts'

export const presentState = ({ id, category, label }: TicketState) => ({
  type: 'ticket_state',
  id,
  category,
  internal_label: label,
  external_label: label,
})

function presentAttribute(type: TicketType, one: TicketAttribute, order: number) {
  // The documentation does not describe the items of a list.
  const input = one.dataType === 'list' ? { list_items: one.items } : { multiline: one.isMultiline }
  return {
    type: 'ticket_type_attribute',
    id: one.id,
    workspace_id: workspace,
    name: one.name,
    description: one.description,
    data_type: one.dataType,
    input_options: one.name.startsWith('_default_') ? null : input,
    order,
    required_to_create: one.isRequired,
    required_to_create_for_contacts: false,
    visible_on_create: true,
    visible_to_contacts: true,
    default: one.name.startsWith('_default_'),
    ticket_type_id: Number(type.id),
    archived: one.isArchived,
    created_at: one.createdAt,
    updated_at: one.createdAt,
  }
}

export const presentType = ({ ticketStates }: Account, type: TicketType) => ({
  type: 'ticket_type',
  id: type.id,
  name: type.name,
  description: type.description,
  icon: type.icon,
  workspace_id: workspace,
  archived: type.isArchived,
  created_at: type.createdAt,
  updated_at: type.updatedAt,
  is_internal: type.category !== 'Customer',
  ticket_type_attributes: {
    type: 'list',
    data: type.attributes.map((one, order) => presentAttribute(type, one, order)),
  },
  ticket_states: { type: 'list', data: ticketStates.map(presentState) },
  category: type.category,
})

const attributeTypes = ['string', 'list', 'integer', 'decimal', 'boolean', 'datetime', 'files']

export function makeTicketType(account: Account, given: Partial<TicketType> & { name: string }): TicketType {
  const basic = (name: string): TicketAttribute => ({
    id: account.nextId(),
    name,
    description: '',
    dataType: 'string',
    items: [],
    isMultiline: name === '_default_description_',
    isRequired: false,
    isArchived: false,
    createdAt: account.now(),
  })
  return account.ticketTypes.put({
    id: account.nextId(),
    description: '',
    icon: '🎫',
    category: 'Customer',
    isArchived: false,
    attributes: [basic('_default_title_'), basic('_default_description_')],
    createdAt: account.now(),
    updatedAt: account.now(),
    ...given,
  })
}

export function addTicketAttribute(
  account: Account,
  type: TicketType,
  given: { name: string; description: string; data_type: string; list_items?: string; multiline?: boolean },
): TicketAttribute {
  if (!attributeTypes.includes(given.data_type)) invalid("Data Type isn't an option", 'data_type')
  if (type.attributes.some((one) => one.name === given.name)) invalid(`There is an attribute '${given.name}' already`)
  const names = given.data_type === 'list' ? (given.list_items ?? '').split(',').map((one) => one.trim()) : []
  if (given.data_type === 'list' && names.filter(Boolean).length === 0) invalid('list_items is needed', 'list_items')
  const made: TicketAttribute = {
    id: account.nextId(),
    name: given.name,
    description: given.description,
    dataType: given.data_type,
    // A comma separates items, so no item can contain one.
    items: names.filter(Boolean).map((name) => ({ id: randomUUID(), name })),
    isMultiline: given.multiline === true,
    isRequired: false,
    isArchived: false,
    createdAt: account.now(),
  }
  account.ticketTypes.change(type.id, { attributes: [...type.attributes, made], updatedAt: account.now() })
  return made
}

export function ticketTypeOperations(account: Account): Operation[] {
  const { ticketTypes, ticketStates } = account
  const find = (id: string | undefined) => ticketTypes.get(`${id}`) ?? notFound()
  const present = (type: TicketType) => presentType(account, type)
  const switches = {
    required_to_create: optional(Type.Boolean()),
    required_to_create_for_contacts: optional(Type.Boolean()),
    visible_on_create: optional(Type.Boolean()),
    visible_to_contacts: optional(Type.Boolean()),
    multiline: optional(Type.Boolean()),
    list_items: optional(Type.String()),
    allow_multiple_values: optional(Type.Boolean()),
  }
  const category = optional(
    Type.Union([Type.Literal('Customer'), Type.Literal('Back-office'), Type.Literal('Tracker')]),
  )
  return [
    {
      method: 'GET',
      path: '/ticket_types',
      act: () => answer(200, { type: 'list', data: ticketTypes.list().map(present) }),
    },
    { method: 'GET', path: '/ticket_types/:id', act: ({ params }) => answer(200, present(find(params.id))) },
    {
      method: 'POST',
      path: '/ticket_types',
      json: closed({
        name: Type.String(),
        description: optional(Type.String()),
        icon: optional(Type.String()),
        is_internal: optional(Type.Boolean()),
        category,
      }),
      act: ({ json: { is_internal: _internal, ...json } }) => answer(200, present(makeTicketType(account, json))),
    },
    {
      method: 'PUT',
      path: '/ticket_types/:id',
      json: closed({
        name: optional(Type.String()),
        description: optional(Type.String()),
        archived: optional(Type.Boolean()),
      }),
      act({ params, json: { archived, ...json } }) {
        const known = find(params.id)
        const isArchived = archived ?? known.isArchived
        return answer(200, present(ticketTypes.put({ ...known, ...json, isArchived, updatedAt: account.now() })))
      },
    },
    {
      method: 'POST',
      path: '/ticket_types/:id/attributes',
      json: closed({ name: Type.String(), description: Type.String(), data_type: Type.String(), ...switches }),
      act({ params, json }) {
        const made = addTicketAttribute(account, find(params.id), json)
        const type = find(params.id)
        return answer(200, presentAttribute(type, made, type.attributes.length - 1))
      },
    },
    {
      method: 'PUT',
      path: '/ticket_types/:id/attributes/:attribute',
      json: closed({
        name: optional(Type.String()),
        description: optional(Type.String()),
        archived: optional(Type.Boolean()),
        ...switches,
      }),
      act({ params, json }) {
        const type = find(params.id)
        const known = type.attributes.find(({ id }) => id === params.attribute) ?? notFound()
        Object.assign(known, { isArchived: json.archived ?? known.isArchived, name: json.name ?? known.name })
        const names: string[] =
          json.list_items?.split(',').map((one: string) => one.trim()) ?? known.items.map(({ name }) => name)
        known.items = names.map((name) => known.items.find((item) => item.name === name) ?? { id: randomUUID(), name })
        ticketTypes.put(type)
        return answer(200, presentAttribute(type, known, type.attributes.indexOf(known)))
      },
    },
    {
      method: 'GET',
      path: '/ticket_states',
      act() {
        const types = ticketTypes.list().map(({ id, name, description, icon, isArchived, category }) => ({
          type: 'ticket_type',
          id,
          name,
          description,
          icon,
          archived: isArchived,
          is_internal: category !== 'Customer',
          category,
        }))
        const data = ticketStates.map((state) => ({
          ...presentState(state),
          archived: false,
          ticket_types: { type: 'list', data: types },
        }))
        return answer(200, { type: 'list', data })
      },
    },
  ]
}
