import Type from 'typebox'
import { ObstacleError } from '../../../errors.ts'
import type { Family } from '../../../families/index.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  DestinationEntity,
  DestinationField,
  FoundRecord,
  Leftovers,
  OutgoingRecord,
  RemovableRecord,
  SideRecords,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import * as outcomes from '../../kit/outcomes.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import type { RedmineApi, Sent } from './api.ts'
import { keyFieldName, keyFieldOf, keyIn } from './custom-fields.ts'
import type { Directory } from './directory.ts'
import type { Fields, Form, Known } from './form.ts'
import type { Locks } from './locks.ts'
import { hashKey, markText, writeLineIn } from './markers.ts'
import type { WikiPlace } from './read-projects.ts'
import { issueParts, type Kind, parseWhole, type Raw } from './schema.ts'
import { nameOfUser } from './to-records.ts'
import { textFormatOf, type Vocabulary } from './vocabulary.ts'

/** One opened instance, passed to the writing functions. */
export interface Writing extends Known {
  api: RedmineApi
  directory: Directory
  /** Temporary changes that must be restored later if this process stops. */
  notes: Leftovers
  /** Where we note rows that we create besides records. */
  sides: SideRecords | undefined
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

export interface Job<N = unknown, R extends OutgoingRecord = OutgoingRecord> extends Call {
  record: R
  /** The record's fields in Redmine's form. */
  native: N
  /** Receives a code for each part that could not be written. */
  losses: WriteLoss[]
}

/** A record that was found. Its id is that of `raw`, unless the destination id has another form. */
export interface Hit<R> extends Pick<FoundRecord, 'url'> {
  raw: R
  id?: string
  version?: string | null
}

/** Writes, finds and removes records of one entity. Records are found one by one, or all together. */
export interface EntityWriter<R = unknown, N = Fields> {
  form: Form<R, N>
  /** The kind of custom fields that the entity has. */
  customized?: Kind
  /** Fields of the family that Redmine lacks, or that it sets itself. */
  without?: readonly string[]
  /** Redmine's limits and options, by field. */
  facts?(vocabulary: Vocabulary): Record<string, Partial<DestinationField>>
  /** The entity's description besides its fields. */
  about?(family: Family): Partial<DestinationEntity>
  /** A refusal throws a RefusedError. */
  write(job: Job<N>): Promise<WriteOutcome>
  find?(call: Call, record: SoughtRecord): Promise<Hit<R>[]>
  findAll?(call: Call, records: readonly SoughtRecord[]): Promise<(Hit<R> & { key: string })[]>
  /** Returns null for a missing record, why it must stay, or Redmine's answer to the removal. */
  remove(call: Call, record: RemovableRecord): Promise<Sent | string | null>
}

export const entityWriter = <R, N>(form: Form<R, N>, rules: Omit<EntityWriter<R, N>, 'form'>): EntityWriter<R, N> => ({
  form,
  ...rules,
})

export const written = ({ record, losses }: Job, id: number | string, url: string, version: string | null = null) =>
  outcomes.written(record.key, id, { url, version }, losses)

/** The outcome for an existing record of this name or address: ours from before a crash, or somebody else's. */
export const matched = (job: Job, id: number | string, url: string, isOurs = false): WriteOutcome =>
  isOurs ? written({ ...job, losses: [] }, id, url) : outcomes.matched(job.record.key, id, url)

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

export const optionsOf = (choices: Vocabulary['statuses']): Partial<DestinationField> => ({
  options: choices.filter(({ isActive }) => isActive).map(({ option }) => option),
})

const kinds = {
  issue: { query: { status_id: '*', sort: 'id' }, include: { include: issueParts } },
  time_entry: { query: {}, include: {} },
} as const

const keyFieldMissing = (message: string) => new ObstacleError('key_field_missing', 'customer', message)

/** The obstacle of an issue that got no key. `tracker` is set if only this tracker lacks the field. */
export function keyFieldLacking(tracker?: string): ObstacleError {
  const where = tracker === undefined ? 'issues' : `issues of the tracker "${tracker}"`
  return keyFieldMissing(
    `Redmine has no custom field "${keyFieldName}" for ${where}. Make one of the format Text, for all projects and trackers, used as a filter.`,
  )
}

/**
 * Finds records by key, and by known id if people emptied the key field. A key can give several records, because
 * Redmine does not keep the field unique.
 */
export async function findByKeyField<K extends keyof typeof kinds>(
  { api, vocabulary }: Writing,
  kind: K,
  records: readonly SoughtRecord[],
): Promise<{ key: string; raw: Raw<K> }[]> {
  if (records.length === 0) return []
  const { query, include } = kinds[kind]
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
