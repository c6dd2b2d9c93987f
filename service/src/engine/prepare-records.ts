import type { OutgoingRecord } from '../connectors/contract/contract.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, FieldValue, RecordRef, RichText, UserRef } from '../families/record.ts'
import { createGiveWay } from '../give-way.ts'
import { type Cause, type MapContext, type MappedContent, mapRecord, type Refusal } from '../mapping/map-record.ts'
import { createTextMapper } from '../mapping/map-texts.ts'
import { createRecordBudget, type RecordBudget } from '../text/budget-text.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { findPageLinks, type PageLinks } from './find-links.ts'
import { hashOutgoing, hashRecord } from './hash-record.ts'
import { hasComeInside, type LedgerRow, ledgerPlaces, type Place, type Places, refKey } from './ledger.ts'
import { findUsers, type MatchedUser } from './match-users.ts'
import { isWrittenLater } from './plan-stages.ts'
import { recordKey } from './record-key.ts'
import type { OpenedImport } from './run-context.ts'

/** A record of the source in the form in which it would be sent now. */
export interface PreparedRecord {
  record: FamilyRecord
  parent: RecordRef | null
  parentRow: Place | undefined
  /** Null for a record that waits for its parent. */
  sending: PreparedSending | null
}

export interface PreparedSending {
  outgoing: OutgoingRecord
  hash: string
  warnings: WarningCode[]
  causes: Cause[]
  /** Whether it refers to records that are not written yet, so that the link stage writes it again. */
  isIncomplete: boolean
  /** The reason why the record is listed as refused instead of sent. */
  refusal?: Refusal
}

export interface PrepareOptions {
  /** Nothing is waited for any more: references to records that did not arrive are lost. */
  isLastPass: boolean
  /** The records are only looked at before anything is written, so the records that they refer to count as written. */
  isAhead?: boolean
  /** Milliseconds that this thread may spend on the texts of a record. Longer work moves to a worker thread. */
  hereMs?: number
  /** Places of related records; those of the ledger by default. */
  places?: Places
  /** The records are parts of new parents, which have no ids yet. */
  comesInside?: boolean
}

/** Maps the records of a page. */
export async function prepareRecords(
  parts: OpenedImport,
  entityName: string,
  records: readonly FamilyRecord[],
  options: PrepareOptions & { known: ReadonlyMap<string, LedgerRow> },
): Promise<PreparedRecord[]> {
  const entity = entityOf(parts.family, entityName)
  const context = await loadMapContext(parts, entityName, records, options)
  const prepared: PreparedRecord[] = []
  // Gives way to other work between records: requests, and answers of the database and of tools.
  const giveWay = createGiveWay()
  for (const record of records) {
    const turn = giveWay()
    if (turn) await turn
    const one = prepare(record)
    prepared.push(one instanceof Promise ? await one : one)
  }
  return prepared

  // Without a promise, unless a text is long or the connector has to ask: every record passes here.
  function prepare(record: FamilyRecord): PreparedRecord | Promise<PreparedRecord> {
    const parent = entity.parent === undefined ? null : ((record.fields[entity.parent] ?? null) as RecordRef | null)
    const mapped = mapWithTexts(record, options.comesInside && parent ? withParent(context, parent) : context)
    return mapped instanceof Promise
      ? mapped.then((content) => finish(record, parent, content))
      : finish(record, parent, mapped)
  }

  function finish(
    record: FamilyRecord,
    parent: RecordRef | null,
    content: MappedContent | null,
  ): PreparedRecord | Promise<PreparedRecord> {
    const parentRow = parent ? context.rows.get(refKey(parent)) : undefined
    if (!content) return { record, parent, parentRow, sending: null }
    const { warnings, causes, isIncomplete, fields, customFields, refusal } = content
    const row = options.known.get(refKey(record))
    const outgoing: OutgoingRecord = {
      key: recordKey(parts.importId, record.entity, record.sourceId),
      revision: (row?.attempts ?? 0) + 1,
      destinationId: row?.destination_id ?? null,
      fields,
      customFields,
      createdAt: record.createdAt ?? null,
      updatedAt: record.updatedAt ?? null,
      createdBy: authorOf(record, context),
    }
    if (refusal) return { record, parent, parentRow, sending: refusedSending(outgoing, warnings, refusal) }
    const withHash = (hash: string): PreparedRecord => ({
      record,
      parent,
      parentRow,
      sending: { outgoing, hash, warnings, causes, isIncomplete },
    })
    const hashed = (): string | Promise<string> => hashOutgoing(parts, entityName, outgoing, hasComeInside(row))
    const turn = giveWay()
    const hash = turn ? turn.then(hashed) : hashed()
    return hash instanceof Promise ? hash.then(withHash) : withHash(hash)
  }
}

/** The parent counts as copied, although its id is unknown. */
const withParent = (context: PageContext, parent: RecordRef): PageContext => ({
  ...context,
  resolveRecord: (ref) =>
    refKey(ref) === refKey(parent) ? { key: context.keyOf(ref), destinationId: '' } : context.resolveRecord(ref),
})

/** An author whom the source does not list has no account here, but is never nobody: a text is not the requester's then. */
function authorOf({ createdBy }: FamilyRecord, { findUser }: PageContext): OutgoingRecord['createdBy'] {
  if (!createdBy) return null
  if (createdBy.userId === undefined) return { name: createdBy.name, email: null, userId: null }
  const { name, email, userId } = findUser(createdBy) ?? { name: createdBy.userId, email: null, userId: null }
  return { name, email, userId }
}

/** A refused record is never compared: the destination does not get it. */
const refusedSending = (outgoing: OutgoingRecord, warnings: WarningCode[], refusal: Refusal) => ({
  outgoing,
  hash: hashRecord({ fields: { refusal }, customFields: {}, createdAt: null, updatedAt: null }),
  warnings: [...new Set<WarningCode>([...warnings, refusal])],
  causes: [],
  isIncomplete: false,
  refusal,
})

/** Maps a record. Its texts are converted in between, on a worker thread if they are long. */
function mapWithTexts(
  record: FamilyRecord,
  context: PageContext,
): MappedContent | null | Promise<MappedContent | null> {
  const texts = createTextMapper(context.links.of(record), context.links.found, context.budgets.get(record))
  // A converted text may become part of another text, which is converted next.
  const map = (): MappedContent | null | Promise<MappedContent | null> => {
    const content = mapRecord(record, { ...context, mapText: texts.mapText })
    return texts.isWaiting() ? texts.catchUp().then(map) : content
  }
  return map()
}

type PageContext = Omit<MapContext, 'mapText'> & {
  rows: Map<string, Place>
  links: PageLinks
  /** The time that is left for the texts of each record. */
  budgets: ReadonlyMap<FamilyRecord, RecordBudget>
  findUser(ref: UserRef): MatchedUser | undefined
  keyOf(ref: RecordRef): string
}

/** Looks up all related records together. */
async function loadMapContext(
  parts: OpenedImport,
  entityName: string,
  records: readonly FamilyRecord[],
  { isLastPass, isAhead = false, hereMs, places = ledgerPlaces(parts) }: PrepareOptions,
): Promise<PageContext> {
  const { db, importId, family, mapping } = parts
  const entity = entityOf(family, entityName)
  const fileEntity = family === 'blog' ? 'media' : 'attachments'
  const refs: RecordRef[] = []
  const userIds: string[] = []
  const budgets = new Map<FamilyRecord, RecordBudget>()
  const written = records.map((record) => {
    const texts: RichText[] = []
    eachValue(record, (value) => {
      if (isObject(value) && 'sourceId' in value) refs.push(value)
      if (isObject(value) && 'userId' in value) userIds.push(value.userId)
      addText(texts, value)
    })
    if (record.createdBy?.userId !== undefined) userIds.push(record.createdBy.userId)
    const budget = createRecordBudget(hereMs)
    budgets.set(record, budget)
    return { record, texts, budget }
  })
  const [rows, links, users] = await Promise.all([
    places.byRef(refs),
    findPageLinks(parts, written, { fileEntity, isLastPass, places }),
    findUsers(db, importId, userIds),
  ])
  const keyOf = (ref: RecordRef) => recordKey(importId, ref.entity, ref.sourceId)
  return {
    rows,
    keyOf,
    entity,
    mapping,
    findUser: ({ userId }) => users.get(userId),
    resolveUser: ({ userId }) => users.get(userId)?.userId ?? null,
    keptName: ({ userId }) => users.get(userId)?.keptName ?? null,
    resolveRecord(ref) {
      const row = rows.get(refKey(ref))
      if (row?.destination_id != null && (row.state === 'written' || row.state === 'matched')) {
        return { key: keyOf(ref), destinationId: row.destination_id }
      }
      if (!row && isAhead) {
        return { key: keyOf(ref), destinationId: ref.sourceId }
      }
      // The record may arrive with a retry, or people may restore it.
      if (row && ['refused', 'held', 'deleted'].includes(row.state)) return 'waiting'
      // A record of a later stage is not written yet. In the last pass, or for an earlier stage, it never will be.
      const isLater = isWrittenLater(family, ref.entity, entityName)
      // This run writes a record again that an undo removed.
      const isOver = row !== undefined && row.state !== 'intended' && row.state !== 'removed'
      return !isLastPass && isLater && !isOver ? 'unknown' : 'lost'
    },
    links,
    budgets,
  }
}

export function textsOf(record: FamilyRecord): RichText[] {
  const texts: RichText[] = []
  eachValue(record, (value) => addText(texts, value))
  return texts
}

/** Also words without markup: a destination may keep them as a text with links. */
function addText(texts: RichText[], value: FieldValue): void {
  if (typeof value === 'string') {
    if (value.includes('://')) texts.push({ format: 'plain', body: value })
  } else if (isObject(value) && 'format' in value) texts.push(value)
}

/** Every single value of a record; of a list, each of its values. No lists are made: every record passes here. */
function eachValue({ fields, customFields = {} }: FamilyRecord, visit: (value: FieldValue) => void): void {
  const visitAll = (value: FieldValue) => {
    if (Array.isArray(value)) for (const one of value) visit(one)
    else visit(value)
  }
  for (const name of Object.keys(fields)) visitAll(fields[name] as FieldValue)
  for (const key of Object.keys(customFields)) visitAll(customFields[key]?.value as FieldValue)
}

const isObject = (value: unknown): value is Extract<FieldValue, object> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
