import type { CustomFieldValue, FieldValue, RecordRef, UserRef } from '../../../families/record.ts'
import { finishRecord, type RecordParts, requiredIn } from '../../kit/finish-record.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import { movableFields, readCustomValue } from './custom-fields.ts'
import { linkReferences, type Surroundings } from './link-references.ts'
import { withoutMarks } from './markers.ts'
import { type Kind, type Raw, take, takeFields } from './schema.ts'
import type { Reading } from './shelf.ts'
import { textFormatOf } from './vocabulary.ts'

/** Facts about the instance that the mapping functions need. The mapping itself makes no requests. */
export type MapContext = Awaited<ReturnType<typeof prepareContext>>

export type OwnParts = Partial<RecordParts> & Pick<RecordParts, 'fields'>

/** Checks a record and adds the parts that all entities share: times, custom fields, id and warnings. */
export function mapRecord<K extends Kind>(
  context: MapContext,
  entity: string,
  kind: K,
  given: unknown,
  partsOf: (raw: Raw<K>) => OwnParts,
): MappedRecord {
  const { raw, odd } = takeFields(kind, given)
  const { id, created_on, updated_on, custom_fields } = raw
  const custom = mapCustomFields(context, kind, custom_fields)
  const { customFields, ...parts } = partsOf(raw)
  // Redmine does not tell when a note or file changed, so its creation time counts.
  const isTimeless = kind === 'journal' || kind === 'attachment'
  return finishRecord(entity, {
    sourceId: String(id),
    createdAt: toMoment(created_on),
    updatedAt: toMoment(isTimeless ? created_on : updated_on),
    ...parts,
    customFields: { ...customFields, ...custom.customFields },
    odd: [...odd, ...custom.odd],
    required: requiredIn(context.family, entity),
  })
}

function mapCustomFields(context: MapContext, kind: Kind, given: Raw<'issue'>['custom_fields'] = []) {
  const { vocabulary, people, versionNames } = context
  const movable = movableFields(vocabulary.fields, kind)
  const customFields: Record<string, CustomFieldValue> = {}
  const odd: string[] = []
  for (const { id, name, value } of given) {
    const field = movable.find((one) => one.id === id)
    if (!field) continue
    const read = readCustomValue(field, value, versionNames)
    if (!read) odd.push(`custom field ${name}`)
    else customFields[field.key] = field.type === 'user' ? { ...read, value: onlyPeople(read.value, people) } : read
  }
  return { customFields, odd }
}

function onlyPeople(value: FieldValue, people: ReadonlySet<number>): FieldValue {
  const isPerson = (one: unknown) => people.has(Number((one as UserRef).userId))
  if (Array.isArray(value)) return value.filter(isPerson)
  return value !== null && isPerson(value) ? value : null
}

export const toMoment = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined ? undefined : new Date(text).toISOString()

export const toRef = (entity: string, thing: { id: number } | undefined): RecordRef | undefined =>
  thing && { entity, sourceId: String(thing.id) }

export const toUserRef = ({ people }: MapContext, person: { id: number } | undefined): UserRef | undefined =>
  person && people.has(person.id) ? { userId: String(person.id) } : undefined

export const toUserRefs = (context: MapContext, people: readonly { id: number }[] | undefined): UserRef[] | undefined =>
  people?.flatMap((person) => toUserRef(context, person) ?? [])

/** The surroundings of an issue's texts. A text can show and link to any file of its issue. */
export const aroundIssue = ({ id, project, attachments = [] }: Raw<'issue'>) => ({
  issue: id,
  project: project?.id,
  files: attachments.map((file) => take('attachment', file)),
})

/** Converts a text. `about.files` are the files that the text can show by name. */
export function toRichText(context: MapContext, text: string | null | undefined, about: Surroundings) {
  if (text === null || text === undefined) return undefined
  const { vocabulary, base } = context
  const format = vocabulary.textFormat
  const body = linkReferences(withoutMarks(text) ?? '', format, base, about)
  const inlineFiles = (about.files ?? []).flatMap(({ id, filename }) =>
    filename !== undefined && showsFile(body, filename, format) ? [{ url: filename, attachment: String(id) }] : [],
  )
  return { format: textFormatOf(vocabulary), body, ...(inlineFiles.length > 0 ? { inlineFiles } : {}) }
}

/** In Redmine, a picture without an address is an attachment: `!name.png!` or `![](name.png)`. */
export function showsFile(text: string, fileName: string, format: 'textile' | 'markdown'): boolean {
  if (text.indexOf(fileName) < 1) return false
  const signs = format === 'textile' ? ['!', '>'] : ['](']
  return signs.some((sign) => text.includes(`${sign}${fileName}`))
}

/** Loads the people and versions that a page refers to, so that the mapping makes no requests. */
export async function prepareContext({ api, directory, family }: Reading, items: readonly unknown[]) {
  const vocabulary = await directory.vocabulary()
  const idsOfFormat = (format: string) =>
    new Set(vocabulary.fields.filter((field) => field.format === format).map(({ id }) => id))
  const mentioned = collectMentions(items, idsOfFormat('user'), idsOfFormat('version'))
  const users = await Promise.all([...mentioned.people].map(directory.user))
  // An assignee can also be a group, and an author can have been deleted.
  const people = new Set(users.flatMap((user) => user?.id ?? []))
  const versionNames = new Map<string, string>()
  for (const id of mentioned.versions) {
    const name = await directory.versionName(id)
    if (name !== null) versionNames.set(id, name)
  }
  return { family, base: api.base, vocabulary, people, versionNames }
}

const personKeys = ['user', 'author', 'assigned_to', 'watchers', 'members']

/** Collects the ids of people and versions, also those in custom fields. */
function collectMentions(items: unknown, userFields: Set<number>, versionFields: Set<number>) {
  const people = new Set<number>()
  const versions = new Set<string>()
  const visit = (value: unknown, key = ''): void => {
    if (Array.isArray(value)) {
      for (const one of value) visit(one, key)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const thing = value as Record<string, unknown>
    if (personKeys.includes(key)) {
      if (Number.isSafeInteger(thing.id)) people.add(Number(thing.id))
    } else if ('value' in thing) {
      const values = [thing.value].flat().filter((one): one is string => typeof one === 'string' && /^\d+$/.test(one))
      if (userFields.has(Number(thing.id))) for (const one of values) people.add(Number(one))
      if (versionFields.has(Number(thing.id))) for (const one of values) versions.add(one)
    } else for (const [name, inner] of Object.entries(thing)) visit(inner, name)
  }
  visit(items)
  return { people, versions }
}
