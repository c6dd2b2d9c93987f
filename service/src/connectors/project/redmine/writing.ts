import Type from 'typebox'
import { ObstacleError } from '../../../errors.ts'
import type { Family } from '../../../families/index.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type * as contract from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { type NativeForm, nativeForm } from '../../kit/native-form.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import type { RedmineApi } from './api.ts'
import type { Directory } from './directory.ts'
import type { Locks } from './locks.ts'
import { hashKey, markText, writeLineIn } from './markers.ts'
import type { WikiPlace } from './read-projects.ts'
import { issueParts, type Kind, nameOfUser, parseWhole, type Raw } from './schema.ts'
import { keyFieldName, keyFieldOf, keyIn, textFormatOf, type Vocabulary } from './vocabulary.ts'

export type Fields = Record<string, unknown>

/** Facts about the instance that decide how a record is stored. */
export interface Known {
  family: Family
  /** The user of the API key. */
  accountId: number
  vocabulary: Vocabulary
}

/** The form of an entity in which our record and Redmine's are compared. */
export type Form<R, N> = NativeForm<R, Known, Omit<Known, 'vocabulary'>, N>
export const formOf = <R>() => nativeForm<R, Known, Omit<Known, 'vocabulary'>>()

/** Some destination ids have the form `project/id`. */
export const numberOf = (relation: unknown): number | undefined => {
  const destinationId = (relation as contract.SentRelation | undefined)?.destinationId
  const id = Number(destinationId?.split('/').at(-1) ?? Number.NaN)
  return Number.isSafeInteger(id) ? id : undefined
}
export const userIdOf = (user: unknown): number | undefined =>
  typeof user === 'string' && /^\d+$/.test(user) ? Number(user) : undefined
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.replaceAll('\0', '') : '')
export const plainText = (value: unknown): string => textOf(value).replace(/\r\n?/g, '\n')
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const sorted = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** One opened instance, passed to the writing functions. */
export interface Writing extends Known {
  api: RedmineApi
  directory: Directory
  /** Temporary changes that must be restored later if this process stops. */
  notes: contract.Leftovers
  /** Where we note rows that we create besides records. */
  sides: contract.SideRecords | undefined
  last: { issue: Raw<'issue'>; readAt: number } | null
}

/** One call of the writer, with the state that its records share. */
export interface Call extends Writing {
  locks: Locks
  /** Call it before writing as this user: Redmine makes the user a watcher, and the call removes that at its end. */
  unwatch(issueId: number, userId: number): Promise<void>
  /** Reads an issue with its watchers; null if there is none. The answer is kept for the call and shortly after. */
  issue(issueId: number): Promise<Raw<'issue'> | null>
}

export interface Job<N = unknown> extends Call {
  record: contract.OutgoingRecord
  /** The record's fields in Redmine's form. */
  native: N
  /** Receives a code for each part that could not be written. */
  losses: WriteLoss[]
}

/** A record in Redmine, with its id and address where those that the entity declares do not apply. */
export interface Hit<R> {
  raw: R
  id?: string
  url?: string
  /** Set for an existing record of the same name or address: ours from before a crash, or somebody else's. */
  isOurs?: boolean | undefined
}

/** Writes, finds and removes records of one entity. Records are found one by one, or all together. */
export interface EntityWriter<R = unknown, N = Fields> {
  form: Form<R, N>
  /** The kind of custom fields that the entity has. */
  customized?: Kind
  /** Fields of the family that Redmine lacks, or that it sets itself. */
  without?: readonly string[]
  /** Redmine's limits and options, by field. */
  facts?(vocabulary: Vocabulary): Record<string, Partial<contract.DestinationField>>
  /** The entity's description besides its fields. */
  about?(family: Family): Partial<contract.DestinationEntity>
  /** Makes the destination id, if that is not the record's number. */
  id?(raw: R): string
  url(writing: Writing, raw: R): string | null
  version?(writing: Writing, raw: R): string | Promise<string>
  /** A refusal throws a RefusedError. The record is null if Redmine's answer does not contain it. */
  write(job: Job<N>): Promise<Hit<R | null>>
  find?(call: Call, record: contract.SoughtRecord): Promise<R[]>
  findAll?(call: Call, records: readonly contract.SoughtRecord[]): Promise<(Hit<R> & { key: string })[]>
  /** Returns null for a missing record, why it must stay, or Redmine's answer to the removal. */
  remove(call: Call, record: contract.RemovableRecord): Promise<Sent | string | null>
}

export function entityWriter<R, N>(form: Form<R, N>, rules: Omit<EntityWriter<R, N>, 'form'>): EntityWriter<R, N> {
  return { form, ...rules }
}

/** Opens the project that the record belongs to. */
export async function openProjectOf({ locks, record: { fields } }: Job): Promise<number> {
  const projectId = numberOf(fields.project ?? fields.group)
  if (projectId !== undefined && (await locks.openProject(projectId))) return projectId
  throw new RefusedError('gone', 'The project that it belongs to is no longer in Redmine.')
}

/** Logins come from outside and go into a header, so only safe ones are used. */
const plainLogin = /^[\w.@-]{1,100}$/

/** The user to write as, if they have the permissions. Otherwise our account writes, and the text names the author. */
export async function authorFor({ directory }: Writing, id: number | undefined, projectId: number, rights: string[]) {
  const user = id === undefined ? null : await directory.user(id)
  if (!user || !plainLogin.test(user.login ?? '')) return null
  return (await directory.may(user, projectId, rights)) ? user : null
}

export function noteAuthor({ losses }: Job, wanted: number | undefined, isKept: boolean): void {
  if (wanted !== undefined && !isKept) losses.push('author_not_kept')
}

export async function nameFor({ directory, record }: Job, personId?: number): Promise<string | null> {
  const person = personId === undefined ? null : await directory.user(personId)
  return person ? nameOfUser(person) : (record.createdBy?.name.slice(0, 100) ?? null)
}

/** How a text names its author. `isNamed`: Redmine already shows the name. `number` is that of the source's record. */
interface Signature {
  isAuthorKept: boolean
  isNamed?: boolean
  personId?: number | undefined
  number?: string | null
}

/** Adds our mark and a line about the author to a text. */
export async function signText(job: Job, text: string, by: Signature): Promise<string> {
  const { isAuthorKept, isNamed = isAuthorKept, personId, number = null } = by
  const { vocabulary, record } = job
  const name = isNamed ? null : await nameFor(job, personId)
  const line = writeLineIn(textFormatOf(vocabulary), name, record.createdAt, number)
  return markText(text, { hash: hashKey(record.key), isAuthorKept }, line)
}

export const optionsOf = (choices: Vocabulary['statuses']): Partial<contract.DestinationField> => ({
  options: choices.filter(({ isActive }) => isActive).map(({ option }) => option),
})

const keyFieldMissing = (message: string) => new ObstacleError('key_field_missing', 'customer', message)

/** The obstacle of an issue that got no key. `tracker` is set if only this tracker lacks the field. */
export function keyFieldLacking(tracker?: string): ObstacleError {
  const where = tracker === undefined ? 'issues' : `issues of the tracker "${tracker}"`
  return keyFieldMissing(
    `Redmine has no custom field "${keyFieldName}" for ${where}. Make one of the format Text, for all projects and trackers, used as a filter.`,
  )
}

/** Finds records by key, of which there can be several, and by known id if people emptied the key field. */
export async function findByKeyField<K extends 'issue' | 'time_entry'>(
  { api, vocabulary }: Writing,
  kind: K,
  records: readonly contract.SoughtRecord[],
): Promise<{ key: string; raw: Raw<K> }[]> {
  if (records.length === 0) return []
  const [query, include] = kind === 'issue' ? [{ status_id: '*', sort: 'id' }, { include: issueParts }] : [{}, {}]
  const keyField = keyFieldOf(vocabulary.fields, kind)
  // Redmine ignores an unknown filter and would return all records.
  if (!keyField?.isFilter) {
    throw keyFieldMissing(
      `The custom field "${keyFieldName}" is missing in Redmine or not used as a filter. Please restore it.`,
    )
  }
  const keys = records.map(({ key }) => key)
  const listed = await api.all(kind, { ...query, [`cf_${keyField.id}`]: keys.join('|') })
  const byId = new Map<number, string>()
  for (const raw of listed) {
    const key = keyIn(vocabulary, kind, raw)
    if (typeof key === 'string' && keys.includes(key)) byId.set(raw.id, key)
  }
  for (const { key, destinationId } of records) {
    const isId = destinationId !== null && /^\d+$/.test(destinationId)
    if (isId && !byId.has(Number(destinationId))) byId.set(Number(destinationId), key)
  }
  const found = await sideBySide([...byId], 1, async ([id, key]) => ({ key, raw: await api.one(kind, id, include) }))
  return found.flatMap(({ key, raw }) => (raw ? [{ key, raw }] : []))
}

const resultSchema = Type.Object({ type: Type.String(), url: Type.String() })

/** Searches a mark in all projects, for records without a key field and without a known parent. */
export async function searchMarked({ api, directory }: Writing, mark: string, where: 'issues' | 'wiki_pages') {
  // `attachments` makes Redmine search the descriptions of files, too. They hold the marks of files.
  const query = { q: mark, scope: 'all', all_words: 1, [where]: 1, attachments: 1 }
  const issueIds: number[] = []
  const pages: WikiPlace[] = []
  for (const item of await api.listAll('/search.json', 'results', query)) {
    const { pathname } = new URL(parseWhole(resultSchema, item, 'a search result').url, api.base)
    const issue = /\/issues\/(\d+)$/.exec(pathname)
    const page = /\/projects\/([^/]+)\/wiki\/([^/]+)$/.exec(pathname)
    if (issue) issueIds.push(Number(issue[1]))
    const project = page && (await directory.projects()).find(({ identifier }) => identifier === page[1])
    if (project) pages.push({ projectId: project.id, title: decodeURIComponent(String(page[2])) })
  }
  return { issueIds, pages }
}
