import type { OutgoingRecord } from '../connectors/contract.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, FieldValue, RecordRef, RichText, UserRef } from '../families/record.ts'
import { createGiveWay } from '../give-way.ts'
import { type Cause, type MapContext, type MappedContent, mapRecord, type Refusal } from '../mapping/map-record.ts'
import { createTextMapper } from '../mapping/map-texts.ts'
import { createRecordBudget, type RecordBudget } from '../text/budget-text.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { findPageLinks, type PageLinks } from './find-links.ts'
import { hashInTurns, hashRecord, storedContent } from './hash-record.ts'
import { type LedgerRow, ledgerPlaces, type Place, type Places, stateKey } from './ledger.ts'
import { findUsers, type MatchedUser } from './match-users.ts'
import { recordKey } from './record-key.ts'
import type { MappingParts } from './run-context.ts'

/** A record of the source, as it would be sent now. */
export interface PreparedRecord {
  record: FamilyRecord
  parent: RecordRef | null
  parentRow: Place | undefined
  /** Null when it has to wait for what it hangs on. */
  sending: {
    outgoing: OutgoingRecord
    hash: string
    warnings: WarningCode[]
    causes: Cause[]
    isIncomplete: boolean
    /** Why it is not sent, but listed as refused. */
    refusal?: Refusal
  } | null
}

export interface PrepareOptions {
  isLastPass: boolean
  isAhead?: boolean
  /** How long the texts of a record may be worked on here before they go to a thread. */
  hereMs?: number
  /** Where records are that others refer to; as the ledger knows unless said. */
  places?: Places
}

/**
 * Maps the records of a page. In the last pass nothing is waited for any more. `isAhead`: only looked at before
 * anything is written, so what they refer to counts as there.
 */
export async function prepareRecords(
  parts: MappingParts,
  entityName: string,
  records: readonly FamilyRecord[],
  options: PrepareOptions & { known: ReadonlyMap<string, LedgerRow> },
): Promise<PreparedRecord[]> {
  const entity = entityOf(parts.family, entityName)
  const context = await loadMapContext(parts, entityName, records, options)
  const prepared: PreparedRecord[] = []
  // Others have their turn between records: requests, and what the database and the tools have answered.
  const giveWay = createGiveWay()
  for (const record of records) {
    const turn = giveWay()
    if (turn) await turn
    prepared.push(await prepare(record))
  }
  return prepared

  async function prepare(record: FamilyRecord): Promise<PreparedRecord> {
    const parent = entity.parent === undefined ? null : ((record.fields[entity.parent] ?? null) as RecordRef | null)
    const parentRow = parent ? context.rows.get(stateKey(parent)) : undefined
    const mapped = mapWithTexts(record, context)
    const content = mapped instanceof Promise ? await mapped : mapped
    if (!content) return { record, parent, parentRow, sending: null }
    const { warnings, causes, isIncomplete, fields, customFields, refusal } = content
    const row = options.known.get(stateKey(record))
    const outgoing: OutgoingRecord = {
      key: recordKey(parts.importId, record.entity, record.sourceId),
      revision: (row?.attempts ?? 0) + 1,
      destinationId: row?.destination_id ?? null,
      fields,
      customFields,
      createdAt: record.createdAt ?? null,
      updatedAt: record.updatedAt ?? null,
      createdBy: record.createdBy ? authorOf(context.findUser(record.createdBy)) : null,
    }
    if (refusal) return { record, parent, parentRow, sending: refusedSending(outgoing, warnings, refusal) }
    const turn = giveWay()
    if (turn) await turn
    const stored = await storedContent(parts, entityName, outgoing)
    const hash = await hashInTurns(stored)
    return { record, parent, parentRow, sending: { outgoing, hash, warnings, causes, isIncomplete } }
  }
}

const authorOf = (user: MatchedUser | undefined): OutgoingRecord['createdBy'] =>
  user ? { name: user.name, email: user.email, userId: user.userId } : null

/** Nothing of it is compared with the destination: it never gets there. */
const refusedSending = (outgoing: OutgoingRecord, warnings: WarningCode[], refusal: Refusal) => ({
  outgoing,
  hash: hashRecord({ fields: { refusal }, customFields: {}, createdAt: null, updatedAt: null }),
  warnings: [...new Set<WarningCode>([...warnings, refusal])],
  causes: [],
  isIncomplete: false,
  refusal,
})

/** Mapping takes no time of its own; what the texts need is done in between, beside the event loop. */
function mapWithTexts(
  record: FamilyRecord,
  context: PageContext,
): MappedContent | null | Promise<MappedContent | null> {
  const texts = createTextMapper(context.links.of(record), context.links.found, context.budgets.get(record))
  // A text that was converted may become part of another one, which is then converted, too.
  const map = (): MappedContent | null | Promise<MappedContent | null> => {
    const content = mapRecord(record, { ...context, mapText: texts.mapText })
    return texts.isWaiting() ? texts.catchUp().then(map) : content
  }
  return map()
}

type PageContext = Omit<MapContext, 'mapText'> & {
  rows: Map<string, Place>
  links: PageLinks
  /** What the texts of each record may still take. */
  budgets: ReadonlyMap<FamilyRecord, RecordBudget>
  findUser(ref: UserRef): MatchedUser | undefined
}

/** Looks up everything that the records refer to at once. */
async function loadMapContext(
  parts: MappingParts,
  entityName: string,
  records: readonly FamilyRecord[],
  { isLastPass, isAhead = false, hereMs, places = ledgerPlaces(parts) }: PrepareOptions,
): Promise<PageContext> {
  const { db, importId, family, mapping } = parts
  const entity = entityOf(family, entityName)
  const fileEntity = family === 'blog' ? 'media' : 'attachments'
  const values = records.flatMap(allValues)
  const refs = values.filter((value): value is RecordRef => isObject(value) && 'sourceId' in value)
  const people = [...values, ...records.flatMap(({ createdBy }) => createdBy ?? [])]
  const userIds = people.flatMap((value) => (isObject(value) && 'userId' in value ? [value.userId] : []))
  const budgets = new Map(records.map((record) => [record, createRecordBudget(hereMs)]))
  const written = [...budgets].map(([record, budget]) => ({ record, texts: textsOf(record), budget }))
  const [rows, links, users] = await Promise.all([
    places.byRef(refs),
    findPageLinks(parts, written, { fileEntity, isLastPass, places }),
    findUsers(db, importId, userIds),
  ])
  return {
    rows,
    entity,
    mapping,
    findUser: ({ userId }) => users.get(userId),
    resolveUser: ({ userId }) => users.get(userId)?.userId ?? null,
    keptName: ({ userId }) => users.get(userId)?.keptName ?? null,
    resolveRecord(ref) {
      const row = rows.get(stateKey(ref))
      if (row?.destination_id != null && (row.state === 'written' || row.state === 'matched')) {
        return { key: recordKey(importId, ref.entity, ref.sourceId), destinationId: row.destination_id }
      }
      if (!row && isAhead) {
        return { key: recordKey(importId, ref.entity, ref.sourceId), destinationId: ref.sourceId }
      }
      // It may come with a retry, or be brought back.
      if (row && ['refused', 'held', 'deleted'].includes(row.state)) return 'waiting'
      // What is written later is not there yet; in the last pass, or for what came before, it never will be.
      const isLater = entity.secondPass?.some((field) => entity.fields[field]?.to?.includes(ref.entity))
      // A record that an undo removed comes again with this run.
      const isOver = row !== undefined && row.state !== 'intended' && row.state !== 'removed'
      return !isLastPass && isLater && !isOver ? 'unknown' : 'lost'
    },
    links,
    budgets,
  }
}

/** Also words without markup: a destination may keep them as a text with links. */
export function textsOf(record: FamilyRecord): RichText[] {
  return allValues(record).flatMap((value): RichText[] => {
    if (typeof value === 'string') return value.includes('://') ? [{ format: 'plain', body: value }] : []
    return isObject(value) && 'format' in value ? [value] : []
  })
}

function allValues({ fields, customFields = {} }: FamilyRecord): FieldValue[] {
  const custom = Object.values(customFields).map(({ value }) => value)
  return [...Object.values(fields), ...custom].flat() as FieldValue[]
}

const isObject = (value: unknown): value is Extract<FieldValue, object> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
