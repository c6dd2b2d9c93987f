import type { Family } from '../../../families/index.ts'
import type { CustomFieldValue, FieldValue, RecordRef, RichText, UserRef } from '../../../families/record.ts'
import { type Customized, movableFields, readCustomValue } from './custom-fields.ts'
import { linkReferences, type Surroundings } from './link-references.ts'
import { withoutMarks } from './markers.ts'
import { type Kind, type Raw, take, takeFields } from './schema.ts'
import { textFormatOf, type Vocabulary } from './vocabulary.ts'

/** Facts about the instance for the pure mapping. */
export interface MapContext {
  family: Family
  base: string
  vocabulary: Vocabulary
  /** Ids that are people: assignees may also be groups, and authors may have been deleted. */
  people: ReadonlySet<number>
  /** For custom fields that hold versions. */
  versionNames: ReadonlyMap<string, string>
}

export type { MappedRecord } from '../../kit/read-record.ts'

type CustomValues = { id: number; name: string; value?: unknown }[]

const customizedBy: Partial<Record<Kind, Customized>> = {
  ...{ project: 'project', user: 'user', version: 'version', issue: 'issue', timeEntry: 'time_entry' },
}

/** A thing, and what every record of one says. */
export function takeAbout<K extends Kind>(context: MapContext, kind: K, given: unknown) {
  const { raw, odd } = takeFields(kind, given)
  // Notes and files have one time, because nobody sees when they change.
  const { id, created_on, updated_on = isTimeless(kind) ? created_on : undefined, custom_fields } = raw as Raw<'issue'>
  const custom = mapCustomFields(context, customizedBy[kind], custom_fields)
  const stamps = { createdAt: toMoment(created_on), updatedAt: toMoment(updated_on) }
  return { raw, about: { ...stamps, ...custom, sourceId: String(id), odd: [...odd, ...custom.odd] } }
}

const isTimeless = (kind: Kind) => kind === 'journal' || kind === 'attachment'

/** Custom fields of a thing; what cannot be read is named. */
function mapCustomFields(
  { vocabulary, people, versionNames }: MapContext,
  customized: Customized | undefined,
  given: CustomValues | undefined,
): { customFields: Record<string, CustomFieldValue>; odd: string[] } {
  const movable = customized ? movableFields(vocabulary.fields, customized) : []
  const fields = new Map(movable.map((field) => [field.id, field]))
  const customFields: Record<string, CustomFieldValue> = {}
  const odd: string[] = []
  for (const { id, name, value } of given ?? []) {
    const field = fields.get(id)
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

/** The context of an issue's texts. They show and link to any file of the issue. */
export const aroundIssue = ({ id, project, attachments = [] }: Raw<'issue'>) => ({
  issue: id,
  project: project?.id,
  files: attachments.map((file) => take('attachment', file)),
})

/** A text of people, with the pictures of the same thing that it shows by their names. */
export function toRichText(
  { vocabulary, base }: MapContext,
  text: string | null | undefined,
  about: Surroundings & { files?: readonly Raw<'attachment'>[] },
): RichText | undefined {
  if (text === null || text === undefined) return undefined
  const { files = [] } = about
  const format = vocabulary.textFormat
  const body = linkReferences(withoutMarks(text) ?? '', format, base, about)
  const inlineFiles = files.flatMap(({ id, filename }) =>
    filename !== undefined && showsFile(body, filename, format) ? [{ url: filename, attachment: String(id) }] : [],
  )
  return { format: textFormatOf(vocabulary), body, ...(inlineFiles.length > 0 ? { inlineFiles } : {}) }
}

/** Redmine takes a picture without an address from the attachments: `!name.png!`, or `![](name.png)`. */
export function showsFile(text: string, fileName: string, format: 'textile' | 'markdown'): boolean {
  const at = text.indexOf(fileName)
  if (at < 1) return false
  return format === 'textile'
    ? text.includes(`!${fileName}`) || text.includes(`>${fileName}`)
    : text.includes(`](${fileName}`)
}
