import type { Account, Reader } from '../../contract/contract.ts'
import { isNumberId } from '../../kit/find-ids.ts'
import { readLists } from '../../kit/read-lists.ts'
import { countRecords, countSkipped } from './count-records.ts'
import { followTryton } from './follow-address.ts'
import { findGone, findIds, models } from './list-ids.ts'
import { pageOfPeople } from './list-people.ts'
import { listEntities } from './read-entities.ts'
import { readFile } from './read-file.ts'
import { isState, pipelineId } from './states.ts'
import { openAccount } from './tryton.ts'

const largestPage = 100
const isId = (id: string) => isNumberId(id) || id === pipelineId || isState(id)

export function openTryton(account: Account, pageSize = largestPage): Reader {
  const tryton = openAccount(account)
  return {
    ...readLists('Tryton', listEntities(tryton), pageSize, isId),
    count: (only) => countRecords(tryton, only),
    countSkipped: () => countSkipped(tryton),
    users: async (cursor) => pageOfPeople(await tryton.people(), cursor, pageSize),
    after: (entity, cursor) => (models[entity] ? String(Number(cursor ?? 0) + pageSize) : null),
    follow: (address, from) => followTryton(address, tryton, from),
    // Finds ids without reading whole records.
    findIds: (entity, ids) => findIds(tryton, entity, ids),
    findGone: (entity, ids) => findGone(tryton, entity, ids),
    openFile: (record) => readFile(tryton, record),
  }
}
