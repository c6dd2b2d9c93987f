import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, closed, type DataAttribute, fail, invalid, optional, type Values } from './account.ts'

type Model = DataAttribute['model']

/** Built-in attributes that have options or that clients request. */
const standard: Record<'contact' | 'company', Record<string, string>> = {
  contact: { name: 'string', email: 'string', phone: 'string', owner_id: 'integer', signed_up_at: 'date' },
  company: { name: 'string', company_id: 'string', size: 'integer', industry: 'string', website: 'string' },
}

/** An attribute stores no longer texts. */
const mostText = 255

/** Refuses unknown attributes and values of another type. Returns the stored values. */
export function checkCustom({ dataAttributes }: Account, model: Model, given: Values, known: Values): Values {
  const kept = { ...known }
  const names = dataAttributes.filter((one) => one.model === model && !one.isArchived).map(({ name }) => name)
  // Conversations may have two attributes with one name; then neither can be set.
  if (Object.keys(given).length > 0 && new Set(names).size < names.length)
    fail(400, 'INVALID_PARAMETER', 'There are several custom attributes with the same name')
  for (const [name, value] of Object.entries(given)) {
    const attribute =
      dataAttributes.find((one) => one.model === model && one.name === name && !one.isArchived) ??
      invalid(`Custom attribute '${name}' does not exist`, name)
    if (value === null || value === '') delete kept[name]
    else kept[name] = takeValue(attribute, value)
  }
  return kept
}

function takeValue({ name, dataType, options }: DataAttribute, value: unknown): unknown {
  const wrong = () => invalid(`Custom attribute '${name}' must be of type ${dataType}`, name)
  if (options) {
    const option = options.find(({ id, label }) => label === value || id === value)
    return option?.label ?? invalid(`'${String(value)}' is not an option of '${name}'`, name)
  }
  if (dataType === 'boolean') return typeof value === 'boolean' ? value : wrong()
  if (dataType === 'integer') return Number.isInteger(value) ? value : wrong()
  if (dataType === 'float' || dataType === 'decimal') return typeof value === 'number' ? value : wrong()
  if (dataType === 'date' || dataType === 'datetime') {
    const isText = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
    return Number.isInteger(value) ? value : isText ? Math.floor(Date.parse(value) / 1000) : wrong()
  }
  if (typeof value !== 'string') return wrong()
  return [...value].length <= mostText ? value : invalid(`'${name}' is longer than ${mostText} characters`, name)
}

function presentData(one: DataAttribute) {
  const { id, model, name, description, dataType, options, isArchived, createdAt, updatedAt } = one
  return {
    type: 'data_attribute',
    id,
    model,
    name,
    full_name: `custom_attributes.${name}`,
    label: name,
    description,
    // A list attribute has the type text, and options.
    data_type: options ? 'string' : dataType === 'datetime' ? 'date' : dataType,
    ...(options && { options: options.map(({ label }) => label) }),
    api_writable: true,
    messenger_writable: false,
    ui_writable: true,
    custom: true,
    archived: isArchived,
    created_at: createdAt,
    updated_at: updatedAt,
    admin_id: '991001',
  }
}

function presentOfConversation(one: DataAttribute) {
  const { id, name, description, dataType, options, isArchived, isMultiline, createdAt, updatedAt } = one
  return {
    type: 'conversation_attribute',
    id,
    name,
    description,
    data_type: dataType,
    required: false,
    visible_to_team_ids: [],
    archived: isArchived,
    created_at: createdAt,
    updated_at: updatedAt,
    admin_id: '991001',
    ...(dataType === 'string' && { multiline: isMultiline }),
    ...(options && { options: options.map((option) => ({ ...option, archived: false })) }),
  }
}

const dataTypes = ['string', 'integer', 'float', 'boolean', 'datetime', 'date', 'options']
const conversationTypes = ['string', 'integer', 'list', 'decimal', 'boolean', 'datetime', 'relationship', 'files']

export function attributeOperations(account: Account): Operation[] {
  const { dataAttributes, nextNumber, now } = account
  const labels = (list: { value?: string; label?: string }[]) =>
    list.map(({ value, label }) => ({ id: randomUUID(), label: String(value ?? label) }))
  const make = (model: Model, json: Values, options: DataAttribute['options']): DataAttribute => {
    const made = {
      id: nextNumber(),
      model,
      name: String(json.name),
      dataType: String(json.data_type),
      options,
      description: String(json.description ?? ''),
      isArchived: false,
      isMultiline: json.multiline === true,
      createdAt: now(),
      updatedAt: now(),
    }
    dataAttributes.push(made)
    return made
  }
  const change = (id: string | undefined, json: Values, isOf: (model: Model) => boolean) => {
    const known =
      dataAttributes.find((one) => String(one.id) === id && isOf(one.model)) ??
      fail(404, 'field_not_found', "We couldn't find that data attribute to update")
    const options = json.options as { value: string }[] | undefined
    if (options && options.length < 2) invalid('Options isn’t an array of at least two')
    const given = options && { options: labels(options) }
    const { archived = known.isArchived, description = known.description } = json
    return Object.assign(known, { isArchived: archived, description, ...given, updatedAt: now() })
  }
  const optionShape = Type.Array(closed({ value: Type.String() }))
  return [
    {
      method: 'GET',
      path: '/data_attributes',
      query: { model: true, include_archived: /true|false/ },
      act({ query }) {
        const model = query.get('model')
        if (model !== null && model !== 'contact' && model !== 'company')
          fail(
            422,
            'parameter_invalid',
            `model=${model} is no longer supported. Use GET /conversations/attributes instead`,
          )
        const isShown = (one: DataAttribute) =>
          one.model !== 'conversation' &&
          (model === null || one.model === model) &&
          (!one.isArchived || query.get('include_archived') === 'true')
        const builtIn = (['contact', 'company'] as const)
          .filter((one) => model === null || one === model)
          .flatMap((one) =>
            Object.entries(standard[one]).map(([name, type]) => ({
              type: 'data_attribute',
              name,
              full_name: name,
              label: name,
              description: '',
              data_type: type,
              api_writable: true,
              ui_writable: false,
              messenger_writable: true,
              custom: false,
              archived: false,
              model: one,
            })),
          )
        return answer(200, { type: 'list', data: [...builtIn, ...dataAttributes.filter(isShown).map(presentData)] })
      },
    },
    {
      method: 'POST',
      path: '/data_attributes',
      json: closed({
        name: Type.String(),
        model: Type.String(),
        data_type: Type.String(),
        description: optional(Type.String()),
        messenger_writable: optional(Type.Boolean()),
        options: optional(optionShape),
      }),
      act({ json }) {
        const { name, model, data_type: type, options } = json
        if (model !== 'contact' && model !== 'company')
          return invalid('The Data Attribute model field must be either contact or company')
        if (!dataTypes.includes(type)) invalid("Data Type isn't an option")
        if (type === 'options' && !(options?.length >= 2)) invalid('At least two options are required')
        if (!/^[\p{L}\p{N}\p{Sc} _-]{1,190}$/u.test(name))
          invalid(
            'Your name for this attribute must only contain alphanumeric characters, currency symbols, and hyphens',
          )
        // A name is shared between people and companies, including archived attributes.
        const taken = dataAttributes.find(
          (one) => one.model !== 'conversation' && one.name.toLowerCase() === name.toLowerCase(),
        )
        const wordOf = (one: string) => (one === 'contact' ? 'people' : 'company')
        if (taken)
          invalid(
            `You already have '${name}' in your ${wordOf(taken.model)} data. To save this as new ${wordOf(model)} data, use a different name.`,
          )
        return answer(200, presentData(make(model, json, type === 'options' ? labels(options) : null)))
      },
    },
    {
      method: 'PUT',
      path: '/data_attributes/:id',
      json: closed({
        archived: optional(Type.Boolean()),
        description: optional(Type.String()),
        messenger_writable: optional(Type.Boolean()),
        options: optional(optionShape),
      }),
      act: ({ params, json }) => answer(200, presentData(change(params.id, json, (model) => model !== 'conversation'))),
    },
    {
      method: 'GET',
      path: '/conversations/attributes',
      query: { include_archived: /true|false/ },
      act({ query }) {
        const isShown = (one: DataAttribute) =>
          one.model === 'conversation' && (!one.isArchived || query.get('include_archived') === 'true')
        return answer(200, { type: 'list', data: dataAttributes.filter(isShown).map(presentOfConversation) })
      },
    },
    {
      method: 'POST',
      path: '/conversations/attributes',
      json: closed({
        name: Type.String(),
        data_type: Type.String(),
        description: optional(Type.String()),
        required: optional(Type.Boolean()),
        multiline: optional(Type.Boolean()),
        visible_to_team_ids: optional(Type.Array(Type.String())),
        options: optional(Type.Array(closed({ label: Type.String() }))),
      }),
      act({ json }) {
        if (!conversationTypes.includes(json.data_type))
          fail(422, 'parameter_invalid', `data_type '${json.data_type}' is not valid`)
        const options = json.data_type === 'list' ? labels(json.options ?? []) : null
        return answer(200, presentOfConversation(make('conversation', json, options)))
      },
    },
    {
      method: 'PUT',
      path: '/conversations/attributes/:id',
      json: closed({ archived: optional(Type.Boolean()), description: optional(Type.String()) }),
      act: ({ params, json }) =>
        answer(200, presentOfConversation(change(params.id, json, (model) => model === 'conversation'))),
    },
  ]
}
