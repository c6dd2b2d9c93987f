import type { OutgoingContent, SideRecords } from '../../contract/contract.ts'
import { adoptFields } from '../../kit/adopt-fields.ts'
import { inWords } from '../../kit/custom-fields.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { createTurns, once, onceEach } from '../../kit/once.ts'
import type { FreshdeskApi } from './api.ts'
import { choicesAt, type FieldEntity, fieldLists } from './look-around.ts'

// Writes custom fields. A field is found by label and type, and created if it does not exist.

type Custom = OutgoingContent['customFields']
type Value = Custom[string]

const plainTypes: Readonly<Record<string, string>> = {
  boolean: 'custom_checkbox',
  date: 'custom_date',
  integer: 'custom_number',
  option: 'custom_dropdown',
  long_text: 'custom_paragraph',
  rich_text: 'custom_paragraph',
  address: 'custom_paragraph',
}

/** Only tickets can have decimal fields. Several choices are written as lines of text. */
function typeOf(entity: FieldEntity, { type, value }: Value): string {
  if (Array.isArray(value)) return 'custom_paragraph'
  if (type === 'decimal' && entity === 'tickets') return 'custom_decimal'
  return plainTypes[type] ?? 'custom_text'
}

const labelOf = (label: string) => label.replace(/\s+/gu, ' ').trim().slice(0, 100) || 'Field'
const nameOf = (type: string, label: string) => `${labelOf(label)} (${type})`

/** The label of a field whose own label another field has: Freshdesk takes each label once, in any case. */
const secondOf = (label: string) => (label.length > 96 ? label : `${label} (2)`)

const isEmpty = (value: unknown) => value === null || value === undefined || value === '' || value === false

/** The value as sent and compared. An unticked checkbox equals an empty one. */
function wireOf(type: string, value: unknown): unknown {
  if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) return null
  if (type === 'custom_number' || type === 'custom_decimal') return Number(value)
  if (type === 'custom_date') return String(value).slice(0, 10)
  return type === 'custom_checkbox' ? true : inWords(value).replace(/\r\n?/g, '\n').trim() || null
}

/** The values as they are compared. "Size (2)" is compared as "Size", because it may be the place of either. */
function compared(fields: Iterable<{ type: string; label: string; value: unknown }>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { type, label, value } of fields) {
    const name = nameOf(type, label.replace(/ \(2\)$/, ''))
    const held = values[name] ?? null
    values[name] = held === null || value === null ? (held ?? value) : [held, value].flat().sort()
  }
  return values
}

export function storedCustom(entity: FieldEntity, custom: Custom): Record<string, unknown> {
  const places = new Map<string, { type: string; label: string; value: unknown }>()
  for (const one of Object.values(custom)) {
    const [type, label] = [typeOf(entity, one), labelOf(one.label)]
    const value = places.get(nameOf(type, label))?.value ?? wireOf(type, one.value)
    places.set(nameOf(type, label), { type, label, value })
  }
  return compared(places.values())
}

/** Notes the time at which Freshdesk refused a field or a choice. Until an hour later nobody asks for it again. */
const refusedKind = 'refused_field'
const refusedForMs = 3_600_000

const kindOf = (entity: FieldEntity) => `field_of_${entity}`
const markOf = (entity: FieldEntity, { label, type }: Record<string, unknown>) =>
  digestOf(`${entity}\n${label}\n${type}`, 12)

export function openFields(api: FreshdeskApi, sides: SideRecords) {
  const listsOf = onceEach(async (entity: FieldEntity) => {
    const all = await api.plain(fieldLists[entity].path)
    const own = all.filter((one) => one.default !== true)
    return { all, own: await adoptFields(sides, kindOf(entity), own, (field) => markOf(entity, field)) }
  })
  const fieldsOf = async (entity: FieldEntity) => (await listsOf(entity)).own
  /** The label that a field of ours has in Freshdesk, where its own may belong to another field. */
  async function shownLabel(entity: FieldEntity, label: string, type: string): Promise<string> {
    const same = (await listsOf(entity)).all.filter((one) => String(one.label).toLowerCase() === label.toLowerCase())
    const isOwn = same.some((one) => one.label === label && one.type === type && one.default !== true)
    return same.length === 0 || isOwn ? label : secondOf(label)
  }
  /** Runs changes one at a time, so that no field is created twice. */
  const inTurn = createTurns()
  const refused = once(async () => new Map((await sides.list(refusedKind)).map(({ mark, version }) => [mark, version])))
  const isRefused = async (mark: string) => Date.now() - Number((await refused()).get(mark) ?? 0) < refusedForMs
  const noteRefused = async (mark: string) => {
    const version = String(Date.now())
    ;(await refused()).set(mark, version)
    await sides.note({ kind: refusedKind, mark, destinationId: null, version })
  }
  const find = async (entity: FieldEntity, label: string, type: string) => {
    const shown = await shownLabel(entity, label, type)
    return (await fieldsOf(entity)).find((field) => field.label === shown && field.type === type)
  }

  /** Null if Freshdesk refuses the field: plans limit the number of fields per type. */
  async function make(entity: FieldEntity, wanted: string, type: string, names: string[]): Promise<RawRecord | null> {
    const existing = await find(entity, wanted, type)
    if (existing) return existing
    const label = await shownLabel(entity, wanted, type)
    const mark = markOf(entity, { label, type })
    if (await isRefused(mark)) return null
    const side = { kind: kindOf(entity), mark, destinationId: null, version: null }
    await sides.note(side)
    const choices = type === 'custom_dropdown' ? { choices: toChoices(names) } : {}
    const shown =
      entity === 'organizations'
        ? {}
        : { label_for_customers: label, customers_can_edit: false, [fieldLists[entity].shows]: false }
    const json = { label, type, ...shown, ...choices }
    // Another worker may have created fields since we read the list, so we read it again next time.
    listsOf.forget(entity)
    const sent = await api.http.send('POST', fieldLists[entity].makes, { json })
    if (sent.result === 'refused') {
      await sides.forget(side)
      const found = await find(entity, wanted, type)
      if (!found) await noteRefused(mark)
      return found ?? null
    }
    const made = { ...api.one(sent.json, 'field'), label, type, choices: names }
    const now = await fieldsOf(entity)
    if (!now.some(({ id }) => id === made.id)) now.push(made)
    await sides.note({ ...side, destinationId: String(made.id) })
    return made
  }

  /** Freshdesk replaces all choices at once, so existing choices are sent again with their ids. */
  async function addChoices(entity: FieldEntity, field: RawRecord, names: readonly string[]): Promise<boolean> {
    const path = `${fieldLists[entity].makes}/${field.id}`
    const mark = digestOf([path, ...names].join('\n'), 12)
    if (await isRefused(mark)) return false
    const now = api.one((await api.http.ask(path)).json, 'field')
    const there = (Array.isArray(now.choices) ? (now.choices as RawRecord[]) : []).map(({ id, value, position }) => ({
      ...{ id, value, position },
    }))
    const missing = names.filter((name) => !there.some(({ value }) => value === name))
    const choices = [...there, ...toChoices(missing, there.length)]
    const isDone = missing.length === 0 || (await api.http.send('PUT', path, { json: { choices } })).result === 'done'
    if (isDone) field.choices = choices.map(({ value }) => value)
    else await noteRefused(mark)
    return isDone
  }

  /**
   * The field's name in requests, and its value. `lost` if Freshdesk has no field for it, null if there is nothing to
   * write.
   */
  async function place(entity: FieldEntity, one: Value): Promise<[name: string, value: unknown] | 'lost' | null> {
    const [label, type] = [labelOf(one.label), typeOf(entity, one)]
    const value = wireOf(type, one.value)
    const names = type === 'custom_dropdown' && value !== null ? [String(value)] : []
    const existing = await find(entity, label, type)
    if (!existing && value === null) return null
    const field = existing ?? (await inTurn(() => make(entity, label, type, names)))
    if (!field) return 'lost'
    const isMissing = names.some((name) => !choicesAt(field.choices, 0).includes(name))
    if (isMissing && !(await inTurn(() => addChoices(entity, field, names)))) return 'lost'
    return [String(field.name), type === 'custom_checkbox' ? value === true : value]
  }

  /** Empty values of the fields that this import made. */
  async function emptied(entity: FieldEntity): Promise<Record<string, unknown>> {
    const made = new Set((await sides.list(kindOf(entity))).map(({ destinationId }) => destinationId))
    const own = (await fieldsOf(entity)).filter(({ id }) => made.has(String(id)))
    return Object.fromEntries(own.map(({ name, type }) => [String(name), type === 'custom_checkbox' ? false : null]))
  }

  return {
    /**
     * The custom fields of a request, and whether a value was lost. A change clears the fields that this import made
     * and that the record lacks.
     */
    async toBody(
      entity: FieldEntity,
      custom: Custom,
      isChange = false,
    ): Promise<{ body: Record<string, unknown>; hasLost: boolean }> {
      const values: Record<string, unknown> = isChange ? await emptied(entity) : {}
      let hasLost = false
      for (const one of Object.values(custom)) {
        const placed = await place(entity, one)
        // Two fields with the same label have one place, which the first value takes.
        if (placed === 'lost' || (placed && !isEmpty(values[placed[0]]))) hasLost = true
        else if (placed) values[placed[0]] = placed[1]
      }
      return { body: Object.keys(values).length > 0 ? { custom_fields: values } : {}, hasLost }
    },
    /** Values that Freshdesk stores, by label and type. */
    async stored(entity: FieldEntity, raw: RawRecord): Promise<Record<string, unknown>> {
      const given = (raw.custom_fields ?? {}) as Record<string, unknown>
      const fields = (await fieldsOf(entity)).map((field) => {
        const [name, label, type] = [String(field.name), String(field.label), String(field.type)]
        return { type, label, value: wireOf(type, given[name] ?? given[name.replace(/^cf_/, '')]) }
      })
      return compared(fields.filter(({ value }) => value !== null))
    },
  }
}

const toChoices = (names: readonly string[], after = 0) =>
  names.map((value, index) => ({ value, position: after + index + 1 }))

export type OwnFields = ReturnType<typeof openFields>
