import { entityOf, type Family } from '../../../families/index.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type * as contract from '../../contract/contract.ts'
import { familyEntity } from '../../kit/family-entity.ts'
import { once } from '../../kit/once.ts'
import { openWriter, type WrittenEntity } from '../../kit/open-writer.ts'
import { matched, written } from '../../kit/outcomes.ts'
import { removeEach } from '../../kit/remove.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { writeEach } from '../../kit/write-each.ts'
import type { Offer } from '../../kit/write-record.ts'
import { createRedmineApi } from './api.ts'
import { createDirectory, removeMember } from './directory.ts'
import { inCall, restoreItems } from './locks.ts'
import { checkPreparation } from './preflight.ts'
import { listToolUsers } from './read-offset-lists.ts'
import { type Raw, take } from './schema.ts'
import { customTaken, storedCustom, textFormatOf, type Vocabulary, writeCustomValue } from './vocabulary.ts'
import { writeComments } from './write-comments.ts'
import { writeContacts } from './write-contacts.ts'
import { writeFiles } from './write-files.ts'
import { writeIssues } from './write-issues.ts'
import { writeComponents, writeMemberships, writeMilestones, writeTimeEntries } from './write-project-lists.ts'
import { writeProjects } from './write-projects.ts'
import { writeWikiPages } from './write-wiki-pages.ts'
import type { Call, EntityWriter, Fields, Hit, Known, Writing } from './writing.ts'

const capabilities: contract.DestinationDescription['capabilities'] = {
  deliveryClass: 'C',
  delete: true,
  // The API cannot switch off mail: see preflight.ts.
  silentCreate: false,
  backdate: false,
  createField: false,
  batchSize: 10,
  // Notes of a thread must be written in order, and two changes of one issue at the same time would collide.
  concurrency: 1,
  settleMs: 0,
}

const shared = { comments: writeComments, attachments: writeFiles }
const writers: Partial<Record<Family, Record<string, EntityWriter>>> = {
  project: {
    projects: writeProjects,
    memberships: writeMemberships,
    milestones: writeMilestones,
    components: writeComponents,
    issues: writeIssues,
    time_entries: writeTimeEntries,
    wiki_pages: writeWikiPages,
    ...shared,
  },
  helpdesk: { groups: writeProjects, contacts: writeContacts, tickets: writeIssues, ...shared },
}

function writerOf(family: Family, entity: string): EntityWriter {
  const writer = writers[family]?.[entity]
  if (!writer) throw new Error(`Redmine takes no ${entity} of the family ${family}`)
  return writer
}

export const declaredOf = (family: Family, entity: string) =>
  familyEntity(family, entity, writerOf(family, entity).without)

/** What Redmine takes of an entity: limits, options and custom fields. */
export function offerOf(family: Family, entity: string, vocabulary: Vocabulary): Offer {
  const { facts, about, customized } = writerOf(family, entity)
  const known = Object.entries(facts?.(vocabulary) ?? {}).filter(([name]) => name in entityOf(family, entity).fields)
  const customFields = customized ? customTaken(vocabulary, customized) : []
  return { required: 'family', fields: Object.fromEntries(known), customFields, ...about?.(family) }
}

// These functions have no side effects. For long texts they run in a thread.

export const wantedOf = (entity: string, fields: Fields, known: Known): Fields =>
  writerOf(known.family, entity).form.wanted(fields, known)
export const heldOf = (entity: string, raw: unknown, known: Omit<Known, 'vocabulary'>): Fields =>
  writerOf(known.family, entity).form.held(raw, known)

/** Predicts the content that Redmine will store. */
export function storedContent(entity: string, { fields, customFields }: contract.OutgoingContent, known: Known) {
  const custom = Object.entries(customFields).map(([key, { value }]) => [key, writeCustomValue(value)])
  return { fields: wantedOf(entity, fields, known), customFields: Object.fromEntries(custom), ...noTimes }
}

const beside = runBeside(import.meta.url, { wantedOf, heldOf, storedContent })
const knownOf = ({ family, accountId, vocabulary }: Known): Known => ({ family, accountId, vocabulary })
/** Redmine sets its own times, so none are compared. */
const noTimes = { createdAt: null, updatedAt: null }

export function openRedmineWriter(account: contract.Account, family: Family): contract.Writer {
  const api = createRedmineApi(account)
  const directory = createDirectory(api, family, account.sides)
  const notes = account.leftovers ?? { note: async () => {}, forget: async () => {} }
  const open = once(async (): Promise<Writing> => {
    const me = take('user', await api.find('/users/current.json', 'user'))
    const vocabulary = await directory.vocabulary()
    return { api, directory, notes, sides: account.sides, family, vocabulary, accountId: me.id, last: null }
  })
  const during = async <T>(act: (call: Call) => Promise<T>): Promise<T> => inCall(await open(), act)

  const rowOf = (entity: string, writer: EntityWriter): WrittenEntity => {
    const { find, customized } = writer
    const writeOne = async (call: Call, record: contract.OutgoingRecord) => {
      const native = await beside('wantedOf', entity, record.fields, knownOf(call))
      const losses: WriteLoss[] = []
      const { isOurs, ...hit } = await writer.write({ ...call, record, native, losses })
      const place = await placeOf(call, writer, hit)
      if (isOurs === false) return matched(record.key, place.destinationId, place.url)
      return written(record.key, place.destinationId, place, isOurs ? [] : losses)
    }
    const findEach = async (call: Call, records: readonly contract.SoughtRecord[]) => {
      const found = await sideBySide(records, 1, async (record) =>
        ((await find?.(call, record)) ?? []).map((raw) => ({ key: record.key, raw })),
      )
      return found.flat()
    }
    const { findAll = findEach } = writer
    return {
      declared: declaredOf(family, entity),
      offer: async () => offerOf(family, entity, (await open()).vocabulary),
      write: (records) => during((call) => writeEach(records, (record) => writeOne(call, record))),
      writeFile: (file) => during((call) => writeOne(call, file)),
      find: (records) =>
        during(async (call) =>
          sideBySide(await findAll(call, records), 1, async ({ key, ...hit }) => {
            const fields = await beside('heldOf', entity, hit.raw, { family, accountId: call.accountId })
            const customFields = customized ? storedCustom(call, customized, hit.raw as Raw<'user'>) : {}
            return { key, ...(await placeOf(call, writer, hit)), fields, customFields, ...noTimes }
          }),
        ),
      // Redmine answers 422 if other records still need this one.
      remove: (records) => during((call) => removeEach(records, (record) => writer.remove(call, record))),
      asStored: async (content) => beside('storedContent', entity, content, knownOf(await open())),
    }
  }

  return openWriter('Redmine', {
    describe: async () => ({
      account: { name: new URL(api.base).host },
      capabilities,
      textFormat: textFormatOf((await open()).vocabulary),
      // Redmine does not tell its limit. It refuses files that are too large.
      maxFileBytes: null,
    }),
    entities: async () =>
      Object.fromEntries(Object.entries(writers[family] ?? {}).map((row) => [row[0], rowOf(...row)])),
    users: (cursor) => listToolUsers(api, cursor, 100),
    removeSides: (records, { isForced }) =>
      during((call) => sideBySide(records, 1, (side) => removeMember(call, side, isForced))),
    restore: (items) => restoreItems(api, directory, items),
    preflight: async () => checkPreparation((await open()).vocabulary, family),
  })
}

async function placeOf(call: Call, writer: EntityWriter, { raw, id = writer.id?.(raw), url }: Hit<unknown>) {
  return {
    destinationId: id ?? String((raw as { id: number }).id),
    url: url ?? writer.url(call, raw),
    version: (await writer.version?.(call, raw)) ?? null,
  }
}
