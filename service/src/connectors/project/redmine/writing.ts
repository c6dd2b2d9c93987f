import type { Family } from '../../../families/index.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  DestinationEntity,
  FoundRecord,
  Leftovers,
  OutgoingContent,
  OutgoingRecord,
  RemovableRecord,
  RemoveOutcome,
  SideRecords,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import { destinationField } from '../../kit/destination-field.ts'
import { refused } from '../../kit/outcomes.ts'
import type { RedmineApi, Refusal, Sent } from './api.ts'
import type { Directory } from './directory.ts'
import type { Locks } from './locks.ts'
import { hashKey, markText, writeLineIn } from './markers.ts'
import type { Raw } from './schema.ts'
import { nameOfUser } from './to-helpdesk.ts'
import { textFormatOf, type Vocabulary } from './vocabulary.ts'

/** Changes to restore, if this process does not. */
export type Notes = Leftovers

/** One opened instance, as the writing functions pass it around. */
export interface Writing {
  api: RedmineApi
  directory: Directory
  family: Family
  vocabulary: Vocabulary
  notes: Notes
  /** Records made on the side. */
  sides: SideRecords | undefined
  /** The user that the API key belongs to. */
  accountId: number
  /** The issue that a call asked for last. */
  last: { issue: Raw<'issue'>; readAt: number } | null
}

/** One call of the writer, and what its records share. */
export interface Call extends Writing {
  locks: Locks
  /** Before something is written as this user, whom Redmine makes a watcher for it: taken off again at the end. */
  unwatch(issueId: number, userId: number): Promise<void>
  /** Project and watchers of an issue, as they were when the call, or one shortly before, first looked; null when there is no such issue. */
  issue(issueId: number): Promise<Raw<'issue'> | null>
}

/** One record that is written. */
export interface Job<R extends OutgoingRecord = OutgoingRecord> extends Call {
  record: R
  /** Gets a code for everything that had to stay behind. */
  losses: WriteLoss[]
}

/** Writing, finding and removing of one kind of record. */
export interface EntityWriter {
  describe(vocabulary: Vocabulary, family: Family): DestinationEntity
  /** Predicts the fields that `find` will read back. Pure. */
  stored(content: OutgoingContent, writing: Pick<Writing, 'vocabulary' | 'accountId'>): Record<string, unknown>
  write(job: Job): Promise<WriteOutcome>
  find(call: Call, records: readonly SoughtRecord[]): Promise<FoundRecord[]>
  remove(call: Call, record: RemovableRecord): Promise<RemoveOutcome>
}

export const refuse = ({ record }: Job, code: string, message: string): WriteOutcome =>
  refused(record.key, code, message)

export const refuseSent = (job: Job, { code, message }: Refusal): WriteOutcome => refuse(job, code, message)

export function written(
  { record, losses }: Job,
  id: number | string,
  url: string,
  version: string | null = null,
): WriteOutcome {
  const lost = losses.length > 0 ? { losses: [...new Set(losses)] } : {}
  return { key: record.key, result: 'written', destinationId: String(id), url, version, ...lost }
}

/** A record from before this attempt, by its name or address: our own from before a crash, or somebody else's. */
export const matched = (job: Job, id: number | string, url: string, isOurs = false): WriteOutcome =>
  isOurs
    ? written({ ...job, losses: [] }, id, url)
    : { key: job.record.key, result: 'matched', destinationId: String(id), url }

/** The saved record, or the refusal. */
export const saved = (
  job: Job,
  sent: { isTaken: true; id: string } | Refusal,
  url: (id: string) => string,
): WriteOutcome => (sent.isTaken ? written(job, sent.id, url(sent.id)) : refuseSent(job, sent))

export const keep = (key: string, message: string): RemoveOutcome => ({ key, result: 'kept', message })

/** The result of a removal. 422 is Redmine saying that something still needs it. */
export function removed(key: string, sent: Sent): RemoveOutcome {
  if (sent.isTaken) return { key, result: 'removed' }
  return sent.code === 'gone' ? { key, result: 'missing' } : keep(key, sent.message)
}

export const found = (
  key: string,
  destinationId: string,
  url: string | null,
  version: string | null,
  fields: object,
  customFields: Record<string, unknown> = {},
): FoundRecord => ({ key, destinationId, url, version, fields: { ...fields }, customFields, ...noTimes })

/** Redmine keeps no times but its own. */
export const noTimes = { createdAt: null, updatedAt: null }

/** Logins come from outside and go into a header. */
const plainLogin = /^[\w.@-]{1,100}$/

/** The user to write as, when there is one who may; otherwise the account writes, and the text says who it was. */
export async function authorFor(
  { directory }: Writing,
  userId: number | undefined,
  projectId: number,
  permissions: readonly string[],
): Promise<Raw<'user'> | null> {
  const user = userId === undefined ? null : await directory.user(userId)
  if (!user || !plainLogin.test(user.login ?? '')) return null
  return (await directory.may(user, projectId, permissions)) ? user : null
}

/** Says so, when somebody was to be the author and is not. */
export function noteAuthor({ losses }: Job, wanted: number | undefined, isKept: boolean): void {
  if (wanted !== undefined && !isKept) losses.push('author_not_kept')
}

/** The name that people know someone by, for lines in texts. */
export async function nameFor({ directory, record }: Job, personId?: number): Promise<string | null> {
  const person = personId === undefined ? null : await directory.user(personId)
  return person ? nameOfUser(person) : (record.createdBy?.name.slice(0, 100) ?? null)
}

/** A text's author, for people: empty where Redmine itself names the author. */
interface Signature {
  isAuthorKept: boolean
  /** Redmine names the author, and nobody else is to be named. */
  isNamed?: boolean
  personId?: number | undefined
  /** In the source. */
  number?: string | null
}

/** A text with our mark, and a line about who wrote it. */
export async function signText(job: Job, text: string, by: Signature): Promise<string> {
  const { isAuthorKept, isNamed = isAuthorKept, personId, number = null } = by
  const { vocabulary, record } = job
  const name = isNamed ? null : await nameFor(job, personId)
  const line = writeLineIn(textFormatOf(vocabulary), name, record.createdAt, number)
  return markText(text, { hash: hashKey(record.key), isAuthorKept }, line)
}

export { destinationField as field } from '../../kit/destination-field.ts'

export const options = (choices: Vocabulary['statuses'], rest = {}) =>
  destinationField('option', {
    options: choices.filter(({ isActive }) => isActive).map(({ option }) => option),
    ...rest,
  })
