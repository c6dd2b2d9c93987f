import type { Family } from '../../../families/index.ts'
import type { CustomFieldValue, FieldValue, RecordRef, UserRef } from '../../../families/record.ts'
import type { Page, Skipped } from '../../contract/contract.ts'
import { finishRecord, type RecordParts, requiredIn } from '../../kit/finish-record.ts'
import { objectsIn } from '../../kit/lens.ts'
import type { Part } from '../../kit/nested-pages.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import { textsOf } from '../../kit/sent-values.ts'
import type { RedmineApi } from './api.ts'
import type { Directory } from './directory.ts'
import { linkReferences, type Surroundings } from './link-references.ts'
import { withoutMarks } from './markers.ts'
import { type Kind, listOf, type Raw, take, takeFields } from './schema.ts'
import type { FileItem } from './to-records.ts'
import { movableFields, readCustomValue, textFormatOf } from './vocabulary.ts'

/** One opened instance, passed to the reading functions. */
export interface Reading {
  api: RedmineApi
  directory: Directory
  family: Family
  pageSize: number
}

/** How one entity is read. `T` is an item of its lists. */
export interface Shelf<T = unknown> {
  /** The kind whose custom fields the entity has, if it cannot be requested by id. */
  custom?: Kind
  /** Missing if Redmine does not tell the count. */
  count?(reading: Reading): Promise<number | null>
  /** With `since`, leaves out unchanged records if Redmine can filter the list. */
  list(reading: Reading, cursor: string | null, since?: string): Promise<Page<T> & { skipped?: Skipped }>
  after?(cursor: string | null, size: number): string | null
  /** Set if ids are numbers and a record can be requested by id. */
  kind?: Kind
  /** The path of a record whose id is no number; null for an invalid id. */
  path?(id: string): string | null
  /** Missing if a record can only be found by reading the whole list. */
  byId?(reading: Reading, id: string): Promise<T[]>
  /** Reads children of one record. In a long list, `last` is the last child and the next call's `place`. */
  under?(reading: Reading, parent: RecordRef, place: string): Promise<Part<T>>
  /** Returns those of the ids that the lists contain. */
  listed?(reading: Reading, ids: readonly string[]): Promise<string[]>
  /** Null for an item that is no record. Long texts are converted in a thread. */
  map(context: MapContext, item: T): MappedRecord | null | Promise<MappedRecord>
}

/** How the files of one kind of record are read. */
export type FileShelf = Required<Pick<Shelf<FileItem>, 'list' | 'under'>>

export const isNumber = (id: string) => /^\d{1,9}$/.test(id)

/** Facts about the instance that the mapping functions need. The mapping itself makes no requests. */
export type MapContext = Awaited<ReturnType<typeof prepareContext>>

export type OwnParts = Partial<RecordParts> & Pick<RecordParts, 'fields'>

/** The kinds of records that have a page of their own. */
const shown: readonly Kind[] = ['version', 'issue', 'attachment', 'user']

/** Checks a record and adds the parts that all entities share: author, address, times, custom fields and warnings. */
export function mapRecord<K extends Kind>(
  context: MapContext,
  entity: string,
  kind: K,
  given: unknown,
  partsOf: (raw: Raw<K>, author: UserRef | undefined) => OwnParts,
): MappedRecord {
  const { raw, odd } = takeFields(kind, given)
  const { id, created_on, updated_on, custom_fields } = raw
  const custom = mapCustomFields(context, kind, custom_fields)
  // The user of a membership is no author.
  const author = toUserRef(context, kind === 'membership' ? undefined : (raw.author ?? raw.user))
  const { customFields, ...parts } = partsOf(raw, author)
  // Redmine does not tell when a note or file changed, so its creation time counts.
  const isTimeless = kind === 'journal' || kind === 'attachment'
  return finishRecord(entity, {
    sourceId: String(id),
    createdAt: toMoment(created_on),
    updatedAt: toMoment(isTimeless ? created_on : updated_on),
    sourceUrl: shown.includes(kind) ? `${context.base}/${listOf(kind)}/${id}` : undefined,
    createdBy: author,
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
  const visit = (given: unknown, key = ''): void => {
    for (const thing of objectsIn([given].flat())) {
      if (personKeys.includes(key)) {
        if (Number.isSafeInteger(thing.id)) people.add(Number(thing.id))
      } else if ('value' in thing) {
        const values = textsOf(thing.value).filter((one) => /^\d+$/.test(one))
        if (userFields.has(Number(thing.id))) for (const one of values) people.add(Number(one))
        if (versionFields.has(Number(thing.id))) for (const one of values) versions.add(one)
      } else for (const [name, inner] of Object.entries(thing)) visit(inner, name)
    }
  }
  visit(items)
  return { people, versions }
}
