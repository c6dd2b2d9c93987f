import type { FieldType } from '../../../families/definition.ts'
import { cutText } from '../../../text/cut-text.ts'
import type { OutgoingContent, SideRecords } from '../../contract/contract.ts'
import { changeChoices } from '../../kit/change-choices.ts'
import { inWords, toldApart } from '../../kit/custom-fields.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { createTurns, once, onceEach } from '../../kit/once.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { type IntercomApi, label as tool } from './api.ts'
import { toIso, toSeconds } from './entities.ts'
import { attributesOf, choicesOf, tidy, typeOf } from './look-around.ts'

// Writes custom attributes. An attribute is found by name and type, and created if it does not exist. Tickets get a
// ticket type of ours, which holds their attributes.

type Custom = OutgoingContent['customFields']
type Value = Custom[string]
export type FieldEntity = 'organizations' | 'contacts' | 'tickets'
type Attribute = Record<string, unknown>

const refusal = (why: string) =>
  new RefusedError('custom_field_refused', `${tool} does not make a field that the record needs: ${why}`)

type Kind = 'text' | 'integer' | 'decimal' | 'boolean' | 'datetime' | 'option'
const kinds: Partial<Record<FieldType, Kind>> = {
  ...{ integer: 'integer', decimal: 'decimal', boolean: 'boolean', date: 'datetime', datetime: 'datetime' },
  option: 'option',
}
const kindOf = ({ type, value }: Pick<Value, 'type' | 'value'>): Kind =>
  Array.isArray(value) ? 'text' : (kinds[type] ?? 'text')
const kindOfAttribute = (attribute: Attribute): Kind | null => {
  const type = typeOf(attribute)
  return type === undefined ? null : type === 'long_text' ? 'text' : (type as Kind)
}
const plainTypes = { text: 'string', integer: 'integer', boolean: 'boolean', datetime: 'datetime' }
const wireTypes: Record<'people' | 'tickets', Record<Kind, string>> = {
  people: { ...plainTypes, decimal: 'float', option: 'options' },
  tickets: { ...plainTypes, decimal: 'decimal', option: 'list' },
}

/** The maximum length of a text in an attribute. */
const longest = { organizations: 255, contacts: 255, tickets: 10_000 }
/** Intercom allows only letters, digits, currency signs, spaces, underscores and hyphens in attribute names. */
const titleOf = (label: string) =>
  cutText(
    label
      .replace(/[^\p{L}\p{N}\p{M}\p{Sc}_ -]+/gu, ' ')
      .replace(/\s+/gu, ' ')
      .trim(),
    100,
  ) || 'Field'
/** Intercom takes ticket options as one text with commas, so an option may not contain a comma. */
const optionOf = (entity: FieldEntity, name: unknown) =>
  entity === 'tickets' ? String(name).replaceAll(',', ';').trim() : String(name).trim()

/** The form in which values are compared. False equals empty. */
function compared(entity: FieldEntity, kind: Kind, value: unknown): unknown {
  if (value === null || value === undefined || value === '' || value === false) return null
  if (kind === 'integer' || kind === 'decimal') return Number(value)
  if (kind === 'datetime') return toIso(toSeconds(String(value)))
  if (kind === 'boolean') return true
  if (kind === 'option') return optionOf(entity, value) || null
  const text = inWords(value).replace(/\r\n?/g, '\n').trim()
  return text.length > longest[entity] ? null : text || null
}

export const isTooLong = (entity: FieldEntity, one: Value): boolean =>
  kindOf(one) === 'text' && inWords(one.value).trim().length > longest[entity]

const eachOf = (custom: Custom) => toldApart(custom, (one) => `${titleOf(one.label)} ${kindOf(one)}`)

export function storedCustom(entity: FieldEntity, custom: Custom): Record<string, unknown> {
  return Object.fromEntries(
    eachOf(custom).map((one) => {
      const kind = kindOf(one)
      return [`${titleOf(one.label)} (${kind})`, compared(entity, kind, one.value)]
    }),
  )
}

/** The ticket types that hold our attributes. */
export const ticketTypes = {
  customer: { name: 'Imported ticket', category: 'Customer', side: 'ticket_type', mark: 'tickets' },
  internal: { name: 'Imported internal ticket', category: 'Back-office', side: 'internal_type', mark: 'internal' },
} as const
export const keyLabel = 'Wherry key'
/** The time at which a ticket was imported. Earlier messages cannot come from the workspace's people. */
export const arrivalLabel = 'Wherry arrival'
/** The company and the tags that we gave a ticket: Intercom does not tell them. */
export const linksLabel = 'Wherry links'
const models = { organizations: 'company', contacts: 'contact' } as const

const isOwn = (name: string) => name === keyLabel || name === arrivalLabel || /^_default_/.test(name)
const markOf = (entity: string, title: string, kind: Kind) => digestOf(`${entity}\n${title}\n${kind}`, 12)
/** The title that an attribute's name was made from. */
const titleIn = (entity: FieldEntity, name: string, kind: Kind) =>
  name.replace(new RegExp(` - (?:${entity} )?${kind}$`), '')

export type OwnFields = ReturnType<typeof openFields>

export function openFields(
  api: IntercomApi,
  sides: SideRecords | undefined,
  type: (typeof ticketTypes)[keyof typeof ticketTypes] = ticketTypes.customer,
) {
  const markIn = (entity: FieldEntity, title: string, kind: Kind) =>
    markOf(entity === 'tickets' ? type.mark : entity, title, kind)
  const isLive = ({ archived }: Attribute) => archived !== true
  const readType = async (): Promise<Attribute | null> =>
    (await api.short('/ticket_types', 'data')).find((one) => one.name === type.name && isLive(one)) ?? null
  /** Runs changes one at a time, so that nothing is created twice. */
  const inTurn = createTurns()
  /** Our ticket type. Null if it does not exist yet. */
  let knownType = once(readType)
  const listFields = async (entity: FieldEntity): Promise<Attribute[]> => {
    if (entity === 'tickets') return attributesOf((await knownType()) ?? {}).filter(isLive)
    const all = await api.short('/data_attributes', 'data', { model: models[entity] })
    return all.filter((one) => isLive(one) && one.custom === true)
  }
  let fieldsOf = onceEach(listFields)
  const readAgain = () => {
    fieldsOf = onceEach(listFields)
    knownType = once(readType)
  }
  const send = async (method: 'POST' | 'PUT', path: string, json: unknown) => {
    try {
      const sent = await api.http.send(method, path, { json })
      if (sent.result === 'refused') throw refusal(sent.message)
      return api.one(sent.json)
    } finally {
      // The request may have succeeded even if the answer was lost.
      readAgain()
    }
  }
  const noted = async <T extends RawRecord>(kind: string, mark: string, make: () => Promise<T>): Promise<T> => {
    const side = { kind, mark, destinationId: null, version: null }
    await sides?.note(side)
    const made = await make()
    await sides?.note({ ...side, destinationId: String(made.id) })
    return made
  }
  const makeType = once(() =>
    inTurn(async () => {
      const there = await knownType()
      if (there) return there
      const { name, category } = type
      const body = { name, description: 'Tickets that were imported', category, icon: '🗂️' }
      await noted('ticket_type', type.side, () => send('POST', '/ticket_types', body))
      const made = await knownType()
      if (!made) throw refusal('the type of tickets that was made cannot be found')
      return made
    }),
  )

  const namesFor = (entity: FieldEntity, label: string, kind: Kind) =>
    ['', ` - ${kind}`, ` - ${entity} ${kind}`].map((end) => `${titleOf(label)}${end}`)
  const findIn = (fields: readonly Attribute[], names: readonly string[], kind: Kind): Attribute | undefined =>
    names.map((name) => fields.find((one) => one.name === name && kindOfAttribute(one) === kind)).find(Boolean)

  async function make(entity: FieldEntity, label: string, kind: Kind, choice: string | null): Promise<Attribute> {
    const names = namesFor(entity, label, kind)
    const fields = await fieldsOf(entity)
    const there = findIn(fields, names, kind)
    if (there) return there
    const isTicket = entity === 'tickets'
    const free = names.filter((name) => !fields.some((one) => one.name === name))
    const mark = markIn(entity, titleOf(label), kind)
    const data_type = wireTypes[isTicket ? 'tickets' : 'people'][kind]
    for (const [index, name] of free.entries()) {
      const path = isTicket ? `/ticket_types/${(await knownType())?.id}/attributes` : '/data_attributes'
      const body = isTicket
        ? {
            ...{ name, description: name, data_type, visible_to_contacts: false },
            ...(kind === 'text' && label !== keyLabel && { multiline: true }),
            ...(kind === 'option' && { list_items: choice ?? '–' }),
          }
        : {
            ...{ name, model: models[entity], data_type },
            // Intercom requires at least two options in a list.
            ...(kind === 'option' && { options: [choice ?? '–', '–'].map((value) => ({ value })) }),
          }
      try {
        await noted('attribute', mark, () => send('POST', path, body))
      } catch (error) {
        // Intercom refuses a contact attribute with the name of a company attribute. The next name is tried.
        if (!(error instanceof RefusedError) || index === free.length - 1) throw error
        continue
      }
      const made = findIn(await fieldsOf(entity), [name], kind)
      if (made) return made
    }
    throw refusal(`there is an attribute ${titleOf(label)} of another type`)
  }

  /** Intercom replaces all options of an attribute at once. */
  async function addChoice(entity: FieldEntity, { id }: Attribute, choice: string): Promise<void> {
    readAgain()
    const attribute = (await fieldsOf(entity)).find((one) => one.id === id)
    const there = choicesOf(attribute ?? {}).map((one) => one.label)
    if (!attribute || there.includes(choice)) return
    const labels = [...there, choice]
    if (entity === 'tickets') {
      const path = `/ticket_types/${(await knownType())?.id}/attributes/${attribute.id}`
      await send('PUT', path, { list_items: labels.join(',') })
    } else await send('PUT', `/data_attributes/${attribute.id}`, { options: labels.map((value) => ({ value })) })
  }

  /** An attribute's name and its value for a request. Creates missing attributes and options first. */
  async function wire(entity: FieldEntity, one: Value): Promise<[name: string, value: unknown]> {
    const kind = kindOf(one)
    const value = compared(entity, kind, one.value)
    const choice = kind === 'option' && value !== null ? String(value) : null
    const names = namesFor(entity, one.label, kind)
    const look = async () => findIn(await fieldsOf(entity), names, kind)
    const idOf = (field: Attribute | undefined) => choicesOf(field ?? {}).find(({ label }) => label === choice)?.id
    let field = (await look()) ?? (await inTurn(() => make(entity, one.label, kind, choice)))
    if (choice !== null && idOf(field) === undefined) {
      await inTurn(async () => {
        const now = await look()
        if (now && idOf(now) === undefined)
          await changeChoices(sides, `${entity}/${now.id}`, () => addChoice(entity, now, choice))
      })
      field = (await look()) ?? field
    }
    const name = String(field.name)
    if (choice !== null) return [name, entity === 'tickets' ? (idOf(field) ?? choice) : choice]
    if (kind === 'datetime' && value !== null) return [name, toSeconds(String(value))]
    return [name, kind === 'boolean' ? one.value === true : value]
  }

  async function cleared(entity: FieldEntity): Promise<Record<string, unknown>> {
    const made = new Set((await sides?.list('attribute'))?.map(({ mark }) => mark))
    const fields = (await fieldsOf(entity)).flatMap((field): [string, unknown][] => {
      const [name, kind] = [String(field.name), kindOfAttribute(field)]
      const isOurs = isOwn(name) || name === linksLabel
      const isMade = kind !== null && !isOurs && made.has(markIn(entity, titleIn(entity, name, kind), kind))
      return isMade ? [[name, kind === 'boolean' ? false : null]] : []
    })
    return Object.fromEntries(fields)
  }

  return {
    knownType: () => knownType(),
    makeType,
    /** The attribute that holds our key. Null if it does not exist yet. */
    keyField: async () => findIn(await fieldsOf('tickets'), [keyLabel], 'text') ?? null,
    /** The attributes of a request. For a change, those that this import made and the record lacks are cleared. */
    async toBody(entity: FieldEntity, custom: Custom, isChange = false): Promise<Record<string, unknown>> {
      if (entity === 'tickets') await makeType()
      const pairs: [string, unknown][] = []
      for (const one of eachOf(custom)) pairs.push(await wire(entity, one))
      return { ...(isChange && (await cleared(entity))), ...Object.fromEntries(pairs) }
    },
    /** Values that Intercom stores, by title and type. */
    async stored(entity: FieldEntity, values: unknown): Promise<Record<string, unknown>> {
      const given = (typeof values === 'object' && values !== null ? values : {}) as Attribute
      const read: Record<string, unknown> = {}
      for (const field of await fieldsOf(entity)) {
        const [name, kind] = [String(field.name), kindOfAttribute(field)]
        const value = Object.hasOwn(given, name) ? given[name] : null
        if (kind === null || value === null || isOwn(name)) continue
        const title = titleIn(entity, name, kind)
        const known = compared(entity, kind, tidy(kind, value, field))
        if (known !== null) read[`${title} (${kind})`] = known
      }
      // Sorted, so that the version does not depend on Intercom's order.
      return Object.fromEntries(Object.entries(read).sort(([one], [other]) => (one < other ? -1 : 1)))
    },
  }
}
