import type { Account, Reader } from '../../contract/contract.ts'
import { isNumberId } from '../../kit/find-ids.ts'
import { readLists } from '../../kit/read-lists.ts'
import { countRecords, countSkipped } from './count-records.ts'
import { followTryton } from './follow-address.ts'
import { pageOfPeople } from './list-people.ts'
import { TrytonRefusal, unlessRefused } from './read-answer.ts'
import { factorOf, listEntities, models } from './read-entities.ts'
import { readFile } from './read-file.ts'
import { isState, pipelineId } from './states.ts'
import { openAccount, type Tryton } from './tryton.ts'

export const tellsDeleted = [...Object.keys(models), 'pipelines', 'stages']

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
    findIds: (entity, ids) => findIds(tryton, entity, ids),
    findGone: (entity, ids) => findGone(tryton, entity, ids),
    openFile: (record) => readFile(tryton, record),
  }
}

/** Finds ids without reading whole records. It finds archived records, too. */
async function findIds(tryton: Tryton, entity: string, ids: readonly string[]): Promise<string[]> {
  const model = models[entity]
  if (model === undefined) return [...ids]
  const factor = factorOf(entity)
  const asked = ids.filter(isNumberId).map((id) => Number(id) * factor)
  const rows = await tryton.rowsIn(model, 'id', asked, [])
  return rows.map(({ id }) => String(id / factor))
}

/**
 * Tryton gives the same answer for a missing record and for one that an access rule hides from the user. So a missing
 * record counts as deleted only if its model has no rules and the user may read the rules.
 */
async function findGone(tryton: Tryton, entity: string, ids: readonly string[]): Promise<string[]> {
  const model = models[entity]
  if (model === undefined) return []
  const of = [['model.model', '=', model === 'party.relation.all' ? 'party.relation' : model]]
  const rules = await unlessRefused(() => tryton.call('model.ir.rule.group.search_count', [of]))
  if (rules instanceof TrytonRefusal || rules !== 0) return []
  const there = new Set(await findIds(tryton, entity, ids))
  return ids.filter((id) => isNumberId(id) && !there.has(id))
}
