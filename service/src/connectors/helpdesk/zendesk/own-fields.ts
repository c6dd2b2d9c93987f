import { cutText } from '../../../text/cut-text.ts'
import type { OutgoingContent, SideRecords } from '../../contract/contract.ts'
import { adoptFields } from '../../kit/adopt-fields.ts'
import { changeChoices } from '../../kit/change-choices.ts'
import { inWords, toldApart } from '../../kit/custom-fields.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { createTurns, onceEach } from '../../kit/once.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { label as tool, type ZendeskApi } from './api.ts'
import { toTag } from './lenses.ts'
import { type FieldEntity, fieldLists, listFields } from './look-around.ts'

// Writes custom fields. A field is found by title and type, and created if it does not exist.

type Custom = OutgoingContent['customFields']
type Value = Custom[string]

const plainTypes: Readonly<Record<string, string>> = {
  boolean: 'checkbox',
  date: 'date',
  integer: 'integer',
  decimal: 'decimal',
  long_text: 'textarea',
  rich_text: 'textarea',
  address: 'textarea',
}

function typeOf(entity: FieldEntity, { type, value }: Value): string {
  if (type === 'option') return Array.isArray(value) ? 'multiselect' : entity === 'tickets' ? 'tagger' : 'dropdown'
  return Array.isArray(value) ? 'textarea' : (plainTypes[type] ?? 'text')
}

const titleOf = (label: string) => cutText(label.trim(), 200) || 'Field'
const nameOf = (type: string, label: string) => `${titleOf(label)} (${type})`

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

/** The form in which values are compared. An unticked checkbox equals an empty one. */
function compared(type: string, value: unknown): unknown {
  if (isEmpty(value)) return null
  if (type === 'multiselect') return [value].flat().map(String).sort()
  if (type === 'integer' || type === 'decimal') return Number(value)
  if (type === 'date') return String(value).slice(0, 10)
  return type === 'checkbox' ? true : inWords(value).replace(/\r\n?/g, '\n').trim() || null
}

const chosen = (type: string) => ['tagger', 'dropdown', 'multiselect'].includes(type)
type Option = Record<string, unknown>
const optionsOf = (field: RawRecord): Option[] =>
  Array.isArray(field.custom_field_options) ? (field.custom_field_options as Option[]) : []

const eachOf = (entity: FieldEntity, custom: Custom) =>
  toldApart(custom, (one) => nameOf(typeOf(entity, one), one.label))

/** Uses the same keys as `stored`: title and type. */
export function storedCustom(entity: FieldEntity, custom: Custom): Record<string, unknown> {
  return Object.fromEntries(
    eachOf(entity, custom).map((one) => [
      nameOf(typeOf(entity, one), one.label),
      compared(typeOf(entity, one), one.value),
    ]),
  )
}

const markOf = (entity: FieldEntity, { title, type }: Record<string, unknown>) =>
  digestOf(`${entity}\n${title}\n${type}`, 12)

export function openFields(api: ZendeskApi, sides: SideRecords | undefined) {
  const fieldsOf = onceEach(async (entity: FieldEntity) =>
    adoptFields(sides, fieldLists[entity].one, await listFields(api, entity), (field) => markOf(entity, field)),
  )
  /** Another import into this account may have made a field or an option since the list was read. */
  const fieldsNow = (entity: FieldEntity) => {
    fieldsOf.forget(entity)
    return fieldsOf(entity)
  }
  /** Runs changes one at a time, so that nothing is created twice. */
  const inTurn = createTurns()
  const send = async (method: 'POST' | 'PUT', path: string, json: unknown) => {
    const sent = await api.http.send(method, path, { json })
    if (sent.result === 'done') return sent.json
    const message = `${tool} does not make a field that the record needs: ${sent.message}`
    throw new RefusedError('custom_field_refused', message)
  }
  /** A value belongs to one field. Two fields of one title have different types. */
  const optionOf = (title: string, type: unknown, name: string) => ({
    name,
    value: `${toTag(name).replace(/\p{M}/gu, '').slice(0, 60)}_${digestOf(`${title}\n${name}${type === 'multiselect' ? '\n*' : ''}`, 6)}`,
  })
  const find = (fields: readonly RawRecord[], title: string, type: string) =>
    fields.find((field) => field.title === title && field.type === type && field.active !== false)

  async function make(entity: FieldEntity, title: string, type: string, names: string[]): Promise<RawRecord> {
    const fields = await fieldsNow(entity)
    const existing = find(fields, title, type)
    if (existing) return existing
    const { path, one, key } = fieldLists[entity]
    const mark = markOf(entity, { title, type })
    const side = { kind: one, mark, destinationId: null, version: null }
    await sides?.note(side)
    const options = names.map((name) => optionOf(title, type, name))
    const field = {
      ...(key === 'key' && { key: `imported_${mark}` }),
      ...{ title, type, ...(chosen(type) && { custom_field_options: options }) },
    }
    let made: RawRecord
    try {
      made = api.one(await send('POST', path, { [one]: field }), one)
    } catch (error) {
      // Another import made the field at the same moment.
      const theirs = error instanceof RefusedError && find(await fieldsNow(entity), title, type)
      if (!theirs) throw error
      await sides?.forget(side)
      return theirs
    }
    const whole = { custom_field_options: options, ...made, title, type }
    fields.push(whole)
    await sides?.note({ ...side, destinationId: String(made.id) })
    return whole
  }

  /**
   * Zendesk replaces all options of an organization field at once. Organizations lose an option that comes without id.
   */
  const addOption = (entity: FieldEntity, field: RawRecord, name: string): Promise<void> =>
    entity === 'organizations'
      ? changeChoices(sides, `${entity}/${field.id}`, () => sendOption(entity, field, name))
      : sendOption(entity, field, name)

  async function sendOption(entity: FieldEntity, field: RawRecord, name: string): Promise<void> {
    const option = optionOf(String(field.title), field.type, name)
    const { path, one } = fieldLists[entity]
    const now = (await fieldsNow(entity)).find(({ id }) => id === field.id) ?? field
    const isThere = optionsOf(now).some((other) => other.name === name)
    const options: Option[] = isThere ? optionsOf(now) : [...optionsOf(now), option]
    if (!isThere && entity === 'organizations') {
      const all = options.map(({ id = null, name: other, value }) => ({ id, name: other, value }))
      await send('PUT', `${path}/${field.id}`, { [one]: { custom_field_options: all } })
    } else if (!isThere) await send('POST', `${path}/${field.id}/options`, { custom_field_option: option })
    now.custom_field_options = options
    field.custom_field_options = options
  }

  /** A field and its value for a request. Creates missing fields and options first. */
  async function wire(entity: FieldEntity, one: Value): Promise<[field: RawRecord, value: unknown]> {
    const [title, type] = [titleOf(one.label), typeOf(entity, one)]
    const names = chosen(type) && !isEmpty(one.value) ? [one.value].flat().map(String) : []
    const field = find(await fieldsOf(entity), title, type) ?? (await inTurn(() => make(entity, title, type, names)))
    if (!chosen(type)) return [field, type === 'checkbox' ? one.value === true : compared(type, one.value)]
    const tagOf = (name: string) => optionsOf(field).find((option) => option.name === name)?.value
    for (const name of names) {
      if (tagOf(name) === undefined) {
        await inTurn(async () => {
          if (tagOf(name) === undefined) await addOption(entity, field, name)
        })
      }
    }
    const values = names.map(tagOf)
    return [field, type === 'multiselect' ? values : (values[0] ?? null)]
  }

  /** Compares by id: the list may have been read again since, and then holds other objects. */
  async function lacking(entity: FieldEntity, given: ReadonlySet<unknown>): Promise<[RawRecord, unknown][]> {
    const made = new Set((await sides?.list(fieldLists[entity].one))?.map(({ destinationId }) => destinationId))
    const fields = (await fieldsOf(entity)).filter((field) => made.has(String(field.id)) && !given.has(field.id))
    return fields.map((field) => [field, field.type === 'checkbox' ? false : field.type === 'multiselect' ? [] : null])
  }

  return {
    /**
     * The custom fields of a request. Empty if there are none. For a change, the fields that this import made and the
     * record lacks are cleared.
     */
    async toBody(entity: FieldEntity, custom: Custom, isChange = false): Promise<Record<string, unknown>> {
      const pairs: [RawRecord, unknown][] = []
      for (const one of eachOf(entity, custom)) pairs.push(await wire(entity, one))
      if (isChange) pairs.push(...(await lacking(entity, new Set(pairs.map(([{ id }]) => id)))))
      if (pairs.length === 0) return {}
      if (entity === 'tickets') return { custom_fields: pairs.map(([{ id }, value]) => ({ id, value })) }
      const name = entity === 'contacts' ? 'user_fields' : 'organization_fields'
      return { [name]: Object.fromEntries(pairs.map(([{ key }, value]) => [String(key), value])) }
    },
    /**
     * Values that Zendesk stores, by title and type. `tags` are the tags that Zendesk adds for choices and ticked
     * checkboxes.
     */
    async stored(entity: FieldEntity, raw: RawRecord): Promise<{ values: Record<string, unknown>; tags: string[] }> {
      const given = new Map<string, unknown>(
        entity === 'tickets'
          ? ((raw.custom_fields ?? []) as RawRecord[]).map(({ id, value }) => [String(id), value])
          : Object.entries((raw[entity === 'contacts' ? 'user_fields' : 'organization_fields'] ?? {}) as object),
      )
      const values: Record<string, unknown> = {}
      const tags: string[] = []
      for (const field of await fieldsOf(entity)) {
        const value = given.get(String(field[fieldLists[entity].key])) ?? null
        const type = String(field.type)
        const name = (one: unknown) => optionsOf(field).find((option) => option.value === one)?.name ?? one
        if (chosen(type) && !isEmpty(value)) tags.push(...[value].flat().map(String))
        if (type === 'checkbox' && value === true && typeof field.tag === 'string') tags.push(field.tag)
        const read = chosen(type) && !isEmpty(value) ? (Array.isArray(value) ? value.map(name) : name(value)) : value
        const known = compared(type, read)
        if (known !== null) values[nameOf(type, String(field.title))] = known
      }
      return { values, tags }
    },
  }
}

export type OwnFields = ReturnType<typeof openFields>
