import { ObstacleError, RetryableError } from '../../../errors.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import type {
  Account,
  OutgoingRecord,
  RemovableRecord,
  SoughtRecord,
  WriteOutcome,
  Writer,
} from '../../contract/contract.ts'
import { createTrytonApi } from './api.ts'
import { describeTryton } from './describe.ts'
import { createDirectory } from './directory.ts'
import { findParties } from './find-parties.ts'
import { textOf } from './from-family.ts'
import { createLookUp } from './look-up.ts'
import type { Kind } from './party-kind.ts'
import { preflightTryton } from './preflight.ts'
import { prepareDealsToGo, reasonsToKeepDeals, reasonsToKeepParties, removeAboutNotes } from './removal-rules.ts'
import { removeEach } from './remove-each.ts'
import { findFiles, sendFile } from './send-file.ts'
import { removeSides } from './sides.ts'
import { pipelineId, stateFor } from './states.ts'
import * as stored from './stored-content.ts'
import { TrytonRefusal } from './tryton-refusal.ts'
import { findDeals, writeDeals } from './write-deals.ts'
import { findNotes, writeNotes } from './write-notes.ts'
import { writeParties } from './write-parties.ts'
import { findRelationships, writeRelationships } from './write-relationships.ts'
import { findTags, removeTags, writeTags } from './write-tags.ts'

const usersPerPage = 200
const isParty = (entity: string): entity is Kind => entity === 'accounts' || entity === 'contacts'
const beside = runBeside(new URL('./stored-content.ts', import.meta.url).href, stored)

export function openTrytonWriter(account: Account): Writer {
  const api = createTrytonApi(account)
  const directory = createDirectory(api)
  const lookUp = createLookUp(api, directory, account.sides)

  const find = async (entity: string, sought: readonly SoughtRecord[]) => {
    if (sought.length === 0) return []
    if (isParty(entity)) return findParties(api, directory, entity, sought)
    if (entity === 'tags') return findTags(api, sought)
    if (entity === 'relationships') return findRelationships(api, directory, sought)
    if (entity === 'deals') return findDeals(api, directory, sought)
    if (entity === 'notes' || entity === 'activities') return findNotes(api, sought)
    if (entity === 'attachments') return findFiles(api, sought)
    // Pipelines and stages are Tryton's own, never ours.
    return []
  }
  const remove = async (entity: string, records: readonly RemovableRecord[]) => {
    const common = { find: () => find(entity, records), hasTimestamps: true }
    if (entity === 'tags') return removeTags(api, records)
    if (isParty(entity)) {
      const reasons = (ids: readonly number[]) => reasonsToKeepParties(api, directory, records, ids)
      const before = (ids: readonly number[]) => removeAboutNotes(api, records, ids)
      return removeEach(api, { ...common, model: 'party.party', reasons, before }, records)
    }
    if (entity === 'deals') {
      const reasons = (ids: readonly number[]) => reasonsToKeepDeals(api, records, ids)
      const before = (ids: readonly number[]) => prepareDealsToGo(api, records, ids)
      // Cancelling is a change of our own, which Tryton would hold against us.
      return removeEach(api, { ...common, model: 'sale.opportunity', hasTimestamps: false, reasons, before }, records)
    }
    if (entity === 'relationships') {
      const idOf = (destinationId: string) => Number(destinationId) * 2
      return removeEach(api, { ...common, model: 'party.relation.all', hasTimestamps: false, idOf }, records)
    }
    const model = entity === 'attachments' ? 'ir.attachment' : 'ir.note'
    return removeEach(api, { ...common, model }, records)
  }

  const write = async (entity: string, records: readonly OutgoingRecord[]): Promise<WriteOutcome[]> => {
    if (records.length === 0) return []
    if (isParty(entity)) return writeParties(api, directory, lookUp, entity, records)
    if (entity === 'tags') return writeTags(api, records, account.sides)
    if (entity === 'relationships') return writeRelationships(api, directory, lookUp, records)
    if (entity === 'deals') return writeDeals(api, directory, records)
    if (entity === 'notes' || entity === 'activities') {
      const names = new Map((await directory.people()).map(({ id, name }) => [id, name]))
      return writeNotes(api, entity, records, names)
    }
    if (entity === 'pipelines' || entity === 'stages') return records.map((record) => matchFixed(entity, record))
    throw new Error(`Tryton takes no ${entity}`)
  }

  return {
    describe: () => describeTryton(api, directory),
    preflight: () => preflightTryton(api, directory),

    /** Only employees can own anything. */
    async users(cursor) {
      const start = cursor === null ? 0 : Number(cursor)
      const { company } = await api.preferences()
      const people = (await directory.people()).filter(({ companyId }) => companyId !== null && companyId === company)
      return {
        items: people
          .slice(start, start + usersPerPage)
          .map(({ id, name, email, isActive }) => ({ id, name, email, isActive })),
        next: start + usersPerPage < people.length ? String(start + usersPerPage) : null,
      }
    },

    write: (entity, records) => reporting(() => write(entity, records)),
    writeFile: (_entity, file) => reporting(() => sendFile(api, file)),
    find: (entity, records) => reporting(() => find(entity, records)),
    remove: (entity, records) => reporting(() => remove(entity, records)),
    removeSides: (records, { isForced }) => reporting(() => removeSides(api, records, isForced)),
    asStored: (entity, content) => beside('storedContent', entity, content),
  }
}

/** Records that Tryton refuses have their outcome; what is refused besides is a matter of rights. */
async function reporting<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof TrytonRefusal)) throw error
    if (error.kind !== 'refused') throw new RetryableError('Tryton stumbled over a request')
    throw new ObstacleError(
      'not_permitted',
      'customer',
      'Tryton refuses what records need besides themselves: notes, relation types or categories. Please connect it with a user who may create these.',
    )
  }
}

/** Tryton's own way of selling takes in every pipeline, and its states every stage. */
function matchFixed(entity: string, { key, fields }: { key: string; fields: Record<string, unknown> }): WriteOutcome {
  const id = entity === 'pipelines' ? pipelineId : stateFor(textOf(fields.name), textOf(fields.outcome))
  return { key, result: 'matched', destinationId: id, url: null }
}
