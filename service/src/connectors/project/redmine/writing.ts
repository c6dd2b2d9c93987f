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
import type { RedmineApi, Sent } from './api.ts'
import type { Directory } from './directory.ts'
import type { Locks } from './locks.ts'
import { hashKey, markText, writeLineIn } from './markers.ts'
import type { Kind, Raw } from './schema.ts'
import { nameOfUser } from './to-helpdesk.ts'
import { textFormatOf, type Vocabulary } from './vocabulary.ts'

export type Fields = Record<string, unknown>

/** One opened instance, passed to the writing functions. */
export interface Writing {
  api: RedmineApi
  directory: Directory
  family: Family
  vocabulary: Vocabulary
  /** Temporary changes that must be restored later if this process stops. */
  notes: Leftovers
  /** Where we note rows that we create besides records. */
  sides: SideRecords | undefined
  /** The user of the API key. */
  accountId: number
  /** The issue that was read last. */
  last: { issue: Raw<'issue'>; readAt: number } | null
}

/** One call of the writer, with the state that its records share. */
export interface Call extends Writing {
  locks: Locks
  /** Call it before writing as this user: Redmine makes the user a watcher, and the call removes that at its end. */
  unwatch(issueId: number, userId: number): Promise<void>
  /**
   * Reads an issue with its watchers. The answer is kept for the call and shortly after; null when the issue does not
   * exist.
   */
  issue(issueId: number): Promise<Raw<'issue'> | null>
}

/** One record to write. */
export interface Job<R extends OutgoingRecord = OutgoingRecord> extends Call {
  record: R
  /** Receives a code for each part that could not be written. */
  losses: WriteLoss[]
}

export type Found = Omit<FoundRecord, 'key'>

/** Writes, finds and removes records of one entity. Records are found one by one, or all together. */
export interface EntityWriter {
  /** The kind of custom fields that the entity has. */
  customized?: Kind
  describe(vocabulary: Vocabulary, family: Family): Omit<DestinationEntity, 'customFields'>
  /** Predicts the fields that will be found. It has no side effects. */
  stored(fields: Fields, known: Pick<Writing, 'vocabulary' | 'accountId'>): Fields
  /** A refusal throws a RefusedError. */
  write(job: Job): Promise<WriteOutcome>
  find?(call: Call, record: SoughtRecord): Promise<Found[]>
  findAll?(call: Call, records: readonly SoughtRecord[]): Promise<FoundRecord[]>
  /** Returns null for a missing record, why it must stay, or Redmine's answer to the removal. */
  remove(call: Call, record: RemovableRecord): Promise<Sent | string | null>
}

export const written = ({ record, losses }: Job, id: number | string, url: string, version: string | null = null) =>
  outcomes.written(record.key, id, { url, version }, losses)

/**
 * The outcome for an existing record with the same name or address: our own from before a crash, or somebody else's.
 */
export const matched = (job: Job, id: number | string, url: string, isOurs = false): WriteOutcome =>
  isOurs ? written({ ...job, losses: [] }, id, url) : outcomes.matched(job.record.key, id, url)

/** Redmine sets its own times, so none are compared. */
export const found = (
  id: number | string,
  url: string | null,
  version: string | null,
  fields: object,
  customFields: Fields = {},
): Found => ({ destinationId: String(id), url, version, fields: { ...fields }, customFields, ...noTimes })

export const noTimes = { createdAt: null, updatedAt: null }

/** Logins come from outside and go into a header, so only safe ones are used. */
const plainLogin = /^[\w.@-]{1,100}$/

/** The user to write as, if they have the permissions. Otherwise our account writes, and the text names the author. */
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

/** Reports a loss if the wanted author could not be set. */
export function noteAuthor({ losses }: Job, wanted: number | undefined, isKept: boolean): void {
  if (wanted !== undefined && !isKept) losses.push('author_not_kept')
}

/** A person's name for the line in a text. */
export async function nameFor({ directory, record }: Job, personId?: number): Promise<string | null> {
  const person = personId === undefined ? null : await directory.user(personId)
  return person ? nameOfUser(person) : (record.createdBy?.name.slice(0, 100) ?? null)
}

/** Describes how a text names its author. */
interface Signature {
  isAuthorKept: boolean
  /** Whether Redmine already shows the name, so that the text need not. */
  isNamed?: boolean
  personId?: number | undefined
  /** The number of the record in the source. */
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
