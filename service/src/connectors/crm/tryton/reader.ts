import type { RecordRef } from '../../../families/record.ts'
import { askForLess } from '../../../outbound/ask-for-less.ts'
import type { Account, Reader, RecordPage, Wanted } from '../../contract/contract.ts'
import { createTrytonApi, type Domain } from './api.ts'
import { countRecords } from './count-records.ts'
import { countSkipped } from './count-skipped.ts'
import { customFieldsToRead } from './custom-fields.ts'
import { createDirectory } from './directory.ts'
import { followTryton } from './follow-address.ts'
import { findGone, findIds } from './list-ids.ts'
import { locateDatabase } from './locate-database.ts'
import { type ReadEntity, type ReadRequest, readers } from './read-entities.ts'
import { readFile } from './read-file.ts'
import { pipelineId, pipelineName, states } from './states.ts'
import { toWireMoment } from './wire-values.ts'

const largestPage = 100

export function openTryton(account: Account, pageSize = largestPage): Reader {
  const api = createTrytonApi(account)
  const directory = createDirectory(api)
  const place = locateDatabase(account.access.instanceUrl)
  const read = async (entity: string, request: Omit<ReadRequest, 'limit' | 'after'>, cursor: string | null) => {
    const readPage: ReadEntity | undefined = readers[entity]
    if (!readPage) return fixedPage(entity, request)
    const after = cursor === null ? 0 : Number(cursor)
    return askForLess(pageSize, (limit) => readPage(api, directory, { ...request, after, limit }))
  }
  return {
    count: (only) => countRecords(api, directory, only),
    countSkipped: () => countSkipped(api, directory),
    async users(cursor) {
      const start = cursor === null ? 0 : Number(cursor)
      const people = await directory.people()
      const items = people.slice(start, start + pageSize)
      return {
        items: items.map(({ id, name, email, isActive }) => ({ id, name, email, isActive })),
        next: start + pageSize < people.length ? String(start + pageSize) : null,
      }
    },
    customFields: async (entity) => customFieldsToRead(entity),
    read: (entity, cursor, { since }) =>
      read(entity, { domain: [], since: since === undefined ? null : toWireMoment(since) }, cursor),
    readSome: (entity, wanted, cursor) => read(entity, { domain: domainOf(entity, wanted), since: null }, cursor),
    after: (entity, cursor) => (readers[entity] ? String(Number(cursor ?? 0) + pageSize) : null),
    follow: (address, from) => followTryton(address, place, from),
    findIds: (entity, ids) => findIds(api, entity, ids),
    findGone: (entity, ids) => findGone(api, entity, ids),
    openFile: (record) => readFile(api, record),
  }
}

/** Which field of a model leads to what a record hangs on. */
const parentFields: Record<string, string> = {
  notes: 'resource',
  attachments: 'resource',
  relationships: 'from_',
  deals: 'party',
}

function domainOf(entity: string, wanted: Wanted): Domain {
  // Relations are shown twice, the stored one under twice its id.
  const factor = entity === 'relationships' ? 2 : 1
  if ('ids' in wanted) {
    const ids = wanted.ids.map((id) => (readers[entity] ? Number(id) * factor : id))
    return [['id', 'in', ids.filter((id) => typeof id === 'string' || Number.isSafeInteger(id))]]
  }
  const field = parentFields[entity]
  if (field === undefined) return [['id', 'in', []]]
  const toValue = ({ entity: parent, sourceId }: RecordRef) =>
    field === 'resource'
      ? `${parent === 'deals' ? 'sale.opportunity' : 'party.party'},${Number(sourceId)}`
      : Number(sourceId)
  return [[field, 'in', wanted.parents.map(toValue)]]
}

/** Pipelines and stages: Tryton has always the same. */
function fixedPage(entity: string, { domain, since }: Pick<ReadRequest, 'domain' | 'since'>): RecordPage {
  const fixed = {
    pipelines: [{ sourceId: pipelineId, fields: { name: pipelineName, position: 0 } }],
    stages: states.map(({ id, label, outcome }, position) => ({
      sourceId: id,
      fields: { pipeline: { entity: 'pipelines', sourceId: pipelineId }, name: label, position, outcome },
    })),
  }
  const [clause] = domain as [string, string, string[]][]
  const records = entity === 'pipelines' || entity === 'stages' ? fixed[entity] : []
  const wanted = records.filter(({ sourceId }) => since === null && (!clause || clause[2].includes(sourceId)))
  return { items: wanted.map((record) => ({ entity, ...record })), warnings: [], next: null }
}
