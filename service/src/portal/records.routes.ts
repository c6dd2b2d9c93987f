import type { FastifyInstance } from 'fastify'
import type { MappingChanges } from '../db/mapping-changes.ts'
import type { Db } from '../db/open-database.ts'
import { RequestError, ValidationError } from '../errors.ts'
import { type Family, familyDefinitions } from '../families/index.ts'
import { type ListedRecord, listRecords, type RecordFilter, sumRecords } from '../imports/list-records.ts'
import { isAboutField } from '../warnings/codes.ts'
import { admitByCookie } from './admit-by-cookie.ts'
import type { PortalParts } from './portal-parts.ts'
import { presentRecord, type ViewedRecord } from './present-record.ts'
import type { PortalComparison, PortalName, PortalRecord, PortalSums, PortalThread } from './records-contract.ts'

/** Records on both sides. Given by the engine, which can ask both tools. */
export interface PortalRecordViews {
  viewRecord(question: {
    importId: string
    entity: string
    sourceId: string | null
    changes: MappingChanges | null
  }): Promise<ViewedRecord>
  /** By `entity/source id`. */
  compareListed(
    importId: string,
    records: readonly { entity: string; source_id: string }[],
  ): Promise<ReadonlyMap<string, PortalComparison & PortalName>>
  viewThread(
    importId: string,
    record: { entity: string; sourceId: string },
  ): Promise<{ records: ViewedRecord[]; isWhole: boolean }>
  /** By the number or title that people see. */
  findNamed(
    importId: string,
    sought: string,
  ): Promise<{ found: (PortalName & { entity: string; sourceId: string })[]; looked: number; isWhole: boolean }>
}

/** The titles of records in the destination, by `entity/source id`. Given by the engine. */
export type PortalTitleRecords = (
  importId: string,
  records: readonly { entity: string; source_id: string }[],
) => Promise<ReadonlyMap<string, string>>

const states = ['intended', 'written', 'matched', 'refused', 'filtered', 'held', 'deleted', 'removed'] as const
const findings = ['removable', 'edited', 'missing', 'unknown'] as const
const verdicts = ['fine', 'flagged'] as const
const mostPerPage = 200
/** Titles cost requests to the destination. */
const mostWithTitles = 50
const longestSought = 200
const mostFound = 20

type WithId = { Params: { id: string } }

/** The outcome of every record, and the findings of an undo. */
export function registerRecordRoutes(app: FastifyInstance, parts: PortalParts): void {
  const { db } = parts
  const options = { schema: { hide: true } }

  app.get<WithId & { Querystring: Record<string, unknown> }>(
    '/portal/imports/:id/records',
    options,
    async (request) => {
      const { query } = request
      const imp = await admitByCookie(parts, request)
      const hasTitles = query.titles === 'true'
      const isCompared = query.compare === 'true'
      const limit = readLimit(query.limit, hasTitles || isCompared ? mostWithTitles : mostPerPage)
      const records = await listRecords(db, imp.id, readFilter(query, imp.family), {
        after: readAfter(query.after),
        limit,
      })
      const last = records.at(-1)
      const next = records.length === limit && last ? `${last.entity}/${last.source_id}` : null
      const listed = records.map(withoutFieldWarnings)
      if (isCompared) {
        const compared = await parts.compareListed(imp.id, records)
        return { records: listed.map((record) => withComparison(record, compared)), next }
      }
      const titles = hasTitles ? await parts.titleRecords(imp.id, records) : null
      if (!titles) return { records: listed, next }
      const titleOf = ({ entity, source_id }: ListedRecord) => titles.get(`${entity}/${source_id}`)
      return { records: listed.map((record) => ({ ...record, title: titleOf(record) })), next }
    },
  )

  app.get<WithId & { Querystring: { q?: unknown } }>('/portal/imports/:id/find', options, async (request) => {
    const imp = await admitByCookie(parts, request)
    const { q } = request.query
    const sought = typeof q === 'string' ? q.trim() : ''
    if (sought === '' || sought.length > longestSought) {
      throw new ValidationError({ q: [`must have 1 to ${longestSought} characters`] })
    }
    return findRecords(parts, imp.id, sought)
  })

  app.get<WithId>('/portal/imports/:id/sums', options, async (request) => {
    const imp = await admitByCookie(parts, request)
    const entities: PortalSums['entities'] = {}
    for (const { entity, state, undo_finding, count, ...is } of await sumRecords(db, imp.id)) {
      entities[entity] ??= { states: {}, undo: {}, settled: 0, checked: { same: 0, different: 0 } }
      const sums = entities[entity]
      sums.states[state] = (sums.states[state] ?? 0) + count
      if (state === 'deleted' && is.is_gone) sums.settled += count
      if (state === 'written' && is.is_verified) sums.checked.same += count
      if (state === 'written' && is.is_different) sums.checked.different += count
      if (undo_finding !== null) sums.undo[undo_finding] = (sums.undo[undo_finding] ?? 0) + count
    }
    const [preview, check] = await Promise.all([
      findReadOnlyRun(db, imp.id, 'preview'),
      findReadOnlyRun(db, imp.id, 'check'),
    ])
    const shown = (look: typeof preview) =>
      look && { state: look.state, obstacle: look.obstacle, finished_at: look.finished_at }
    const checked = check && { ...shown(check), done: await countChecked(db, check.id) }
    return { entities, preview: shown(preview), check: checked }
  })

  app.get<{ Params: { id: string; entity: string; '*': string } }>(
    '/portal/imports/:id/records/:entity/*',
    options,
    async (request) => {
      const imp = await admitByCookie(parts, request)
      const { entity, '*': sourceId } = request.params
      // Records made on the side are listed, too; the source has none of them.
      const isOfFamily = familyDefinitions[imp.family].entities.some(({ name }) => name === entity)
      const known = isOfFamily ? await listRecords(db, imp.id, { entity }, { after: null, limit: 1 }) : []
      if (known.length === 0) throw new RequestError('not_found', 'There is no such record in this import.')
      return presentRecord(await parts.viewRecord({ importId: imp.id, entity, sourceId, changes: null }))
    },
  )

  app.get<{ Params: { id: string; entity: string; '*': string } }>(
    '/portal/imports/:id/threads/:entity/*',
    options,
    async (request): Promise<PortalThread> => {
      const imp = await admitByCookie(parts, request)
      const { entity, '*': sourceId } = request.params
      const isOfFamily = familyDefinitions[imp.family].entities.some(({ name }) => name === entity)
      const known = isOfFamily ? await listRecords(db, imp.id, { entity, id: sourceId }, { after: null, limit: 1 }) : []
      if (known.length === 0) throw new RequestError('not_found', 'There is no such record in this import.')
      const { records, isWhole } = await parts.viewThread(imp.id, { entity, sourceId })
      return { records: records.map(presentRecord), is_whole: isWhole }
    },
  )
}

function withComparison(
  record: ListedRecord,
  compared: ReadonlyMap<string, PortalComparison & PortalName>,
): ListedRecord & Pick<PortalRecord, 'title' | 'number' | 'comparison'> {
  const found = compared.get(`${record.entity}/${record.source_id}`)
  if (!found) return { ...record, comparison: null }
  const { title, number, verdict, fields } = found
  return { ...record, title, number, comparison: { verdict, fields } }
}

/** Finds records by either id in the ledger, and by number or title in the source if the source answers. */
async function findRecords({ db, findNamed, compareListed }: PortalParts, importId: string, sought: string) {
  const byId = await listRecords(db, importId, { id: sought }, { after: null, limit: mostFound })
  const { found, looked, isWhole } = await findNamed(importId, sought).catch(() => nothingNamed)
  const names = new Map<string, PortalName>(
    found.map(({ entity, sourceId, ...name }) => [`${entity}/${sourceId}`, name]),
  )
  const keyOf = ({ entity, source_id }: ListedRecord) => `${entity}/${source_id}`
  const records = [...byId]
  for (const { entity, sourceId } of found) {
    const rows = await listRecords(db, importId, { entity, id: sourceId }, { after: null, limit: 2 })
    const isNew = (row: ListedRecord) => row.source_id === sourceId && !byId.some((one) => keyOf(one) === keyOf(row))
    records.push(...rows.filter(isNew))
  }
  const unnamed = records.filter((record) => !names.has(keyOf(record)))
  const compared = unnamed.length === 0 ? null : await compareListed(importId, unnamed).catch(() => null)
  const named = records.map((record) => {
    const { title, number } = names.get(keyOf(record)) ?? compared?.get(keyOf(record)) ?? {}
    return { ...withoutFieldWarnings(record), ...(title !== undefined && { title, number: number ?? null }) }
  })
  return { records: named, looked_at: looked, is_whole: isWhole }
}

const nothingNamed = { found: [], looked: 0, isWhole: false }

/** The newest preview or check. */
async function findReadOnlyRun(db: Db, importId: string, kind: 'preview' | 'check') {
  const run = await db
    .selectFrom('runs')
    .select(['id', 'state', 'obstacle', 'finished_at'])
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run ?? null
}

async function countChecked(db: Db, runId: string): Promise<number> {
  const { done } = await db
    .selectFrom('run_stages')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>('done'), eb.lit(0)).as('done'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  return Number(done)
}

/** Fields that the destination lacks are warned of once, with the import, and not with each record. */
const withoutFieldWarnings = (record: ListedRecord): ListedRecord => {
  const warned = record.warned?.filter((code) => !isAboutField(code)) ?? []
  return { ...record, warned: warned.length === 0 ? null : warned }
}

function readFilter(
  { entity, state, code, finding, verdict, id }: Record<string, unknown>,
  family: Family,
): RecordFilter {
  const entities = familyDefinitions[family].entities.map(({ name }) => name)
  const oneOf = <T extends string>(name: string, value: unknown, allowed: readonly T[]): T | undefined => {
    const found = allowed.find((candidate) => candidate === value)
    if (value !== undefined && !found) throw new ValidationError({ [name]: [`must be one of ${allowed.join(', ')}`] })
    return found
  }
  return {
    entity: oneOf('entity', entity, entities),
    state: oneOf('state', state, states),
    code: typeof code === 'string' ? code : undefined,
    finding: oneOf('finding', finding, findings),
    verdict: oneOf('verdict', verdict, verdicts),
    id: typeof id === 'string' ? id : undefined,
  }
}

function readLimit(limit: unknown, most: number): number {
  if (limit === undefined) return most
  const number = typeof limit === 'string' && /^\d{1,4}$/.test(limit) ? Number(limit) : 0
  if (number < 1 || number > most) throw new ValidationError({ limit: [`must be from 1 to ${most}`] })
  return number
}

/** `entity/source id`, as the page before ended. */
function readAfter(after: unknown): { entity: string; sourceId: string } | null {
  if (after === undefined) return null
  const slash = typeof after === 'string' ? after.indexOf('/') : -1
  if (typeof after !== 'string' || slash < 1)
    throw new ValidationError({ after: ['must be "next" of the page before'] })
  return { entity: after.slice(0, slash), sourceId: after.slice(slash + 1) }
}
