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
import { describeTryton } from './describe.ts'
import { findParties } from './find-parties.ts'
import { textOf } from './from-family.ts'
import { factorOf, models } from './list-ids.ts'
import { pageOfPeople } from './list-people.ts'
import { withLookUp } from './look-up.ts'
import type { Kind } from './party-kind.ts'
import { preflightTryton } from './preflight.ts'
import { TrytonRefusal } from './read-answer.ts'
import { prepareDealsToGo, reasonsToKeepDeals, reasonsToKeepParties, removeAboutNotes } from './removal-rules.ts'
import { type Removal, removeEach } from './remove-each.ts'
import { findFiles, sendFile } from './send-file.ts'
import { removeSides } from './sides.ts'
import { pipelineId, stateFor } from './states.ts'
import * as stored from './stored-content.ts'
import { openAccount } from './tryton.ts'
import { findDeals, writeDeals } from './write-deals.ts'
import { findNotes, writeNotes } from './write-notes.ts'
import { writeParties } from './write-parties.ts'
import { readRelationships, writeRelationships } from './write-relationships.ts'
import { readTags, removeTags, writeTags } from './write-tags.ts'
import { wantedOf } from './write-tasks.ts'

const usersPerPage = 200
const isParty = (entity: string): entity is Kind => entity === 'accounts' || entity === 'contacts'
const beside = runBeside(new URL('./stored-content.ts', import.meta.url).href, stored)

export function openTrytonWriter(account: Account): Writer {
  const tryton = withLookUp(openAccount(account))

  const find = async (entity: string, sought: readonly SoughtRecord[]) => {
    if (sought.length === 0) return []
    if (isParty(entity)) return findParties(tryton, entity, sought)
    if (entity === 'tags') return readTags(tryton, wantedOf(sought, new Map()))
    if (entity === 'relationships') {
      const wanted = wantedOf(sought, new Map()).map(({ key, id }) => ({ key, id: id * factorOf(entity) }))
      return readRelationships(tryton, wanted)
    }
    if (entity === 'deals') return findDeals(tryton, sought)
    if (entity === 'notes' || entity === 'activities') return findNotes(tryton, sought)
    if (entity === 'attachments') return findFiles(tryton, sought)
    // Pipelines and stages belong to Tryton and are never removed.
    return []
  }
  const remove = async (entity: string, records: readonly RemovableRecord[]) => {
    if (entity === 'tags') return removeTags(tryton, records)
    const rules: Partial<Removal> = {}
    if (isParty(entity)) {
      rules.reasons = (parties) => reasonsToKeepParties(tryton, parties)
      rules.before = (parties) => removeAboutNotes(tryton, parties)
    }
    if (entity === 'deals') {
      rules.reasons = (deals) => reasonsToKeepDeals(tryton, deals)
      rules.before = (deals) => prepareDealsToGo(tryton, deals)
    }
    const removal = {
      model: models[entity] ?? 'ir.note',
      idOf: (destinationId: string) => Number(destinationId) * factorOf(entity),
      // Cancelling a deal changes it, so Tryton would refuse the old timestamp. Relations have no timestamps.
      hasTimestamps: entity !== 'deals' && entity !== 'relationships',
      find: () => find(entity, records),
      ...rules,
    }
    return removeEach(tryton, removal, records)
  }

  const write = async (entity: string, records: readonly OutgoingRecord[]): Promise<WriteOutcome[]> => {
    if (records.length === 0) return []
    if (isParty(entity)) return writeParties(tryton, entity, records)
    if (entity === 'tags') return writeTags(tryton, records)
    if (entity === 'relationships') return writeRelationships(tryton, records)
    if (entity === 'deals') return writeDeals(tryton, records)
    if (entity === 'notes' || entity === 'activities') return writeNotes(tryton, entity, records)
    if (entity === 'pipelines' || entity === 'stages') return records.map((record) => matchFixed(entity, record))
    throw new Error(`Tryton takes no ${entity}`)
  }

  return {
    describe: () => describeTryton(tryton),
    preflight: () => preflightTryton(tryton),

    /** Lists only employees: nobody else can own a deal. */
    async users(cursor) {
      const { company } = await tryton.preferences()
      const people = (await tryton.people()).filter(({ companyId }) => companyId !== null && companyId === company)
      return pageOfPeople(people, cursor, usersPerPage)
    },

    write: (entity, records) => reporting(() => write(entity, records)),
    writeFile: (_entity, file) => reporting(() => sendFile(tryton, file)),
    find: (entity, records) => reporting(() => find(entity, records)),
    remove: (entity, records) => reporting(() => remove(entity, records)),
    removeSides: (records, { isForced }) => reporting(() => removeSides(tryton, records, isForced)),
    asStored: (entity, content) => beside('storedContent', entity, content),
  }
}

/** A refusal that no record's outcome covers is about missing rights. */
async function reporting<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof TrytonRefusal)) throw error
    if (error.kind !== 'refused') throw new RetryableError('Tryton stumbled over a request')
    throw new ObstacleError(
      'not_permitted',
      'customer',
      'Tryton refuses records that the import needs in addition: notes, relation types or categories. Please connect it with a user who may create these.',
    )
  }
}

/** Every pipeline is matched to Tryton's only pipeline, and every stage to a state. */
function matchFixed(entity: string, { key, fields }: { key: string; fields: Record<string, unknown> }): WriteOutcome {
  const id = entity === 'pipelines' ? pipelineId : stateFor(textOf(fields.name), textOf(fields.outcome))
  return { key, result: 'matched', destinationId: id, url: null }
}
