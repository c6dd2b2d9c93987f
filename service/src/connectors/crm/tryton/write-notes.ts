import type { FoundRecord, OutgoingRecord, SentRelation, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { refused } from '../../kit/outcomes.ts'
import { originOf, toNoteText } from './deals-from-family.ts'
import { findMarkedTexts } from './find-marked.ts'
import { listOf, textOf } from './from-family.ts'
import { markerOf, readMarked, withMarker } from './marker.ts'
import type { Row } from './schema.ts'
import type { Tryton } from './tryton.ts'
import { findRows, isNew, knownId, type Wanted, wantedOf, writeTasks } from './write-tasks.ts'

/** Tryton's reference to the parent of a note or file; null without a parent. */
export function toResource(relation: unknown): string | null {
  const [sent] = listOf<Pick<SentRelation, 'entity' | 'destinationId'>>(relation)
  const id = Number(sent?.destinationId)
  if (!sent || !Number.isSafeInteger(id)) return null
  if (sent.entity === 'accounts' || sent.entity === 'contacts') return `party.party,${id}`
  return sent.entity === 'deals' ? `sale.opportunity,${id}` : null
}

/** Writes notes and activities. If the author has no account, the text gets the author's name. */
export async function writeNotes(
  tryton: Tryton,
  entity: string,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const authors = new Map((await tryton.people()).map(({ id, name }) => [id, name]))
  const placed = records.map((record) => ({ ...record, resource: toResource(record.fields.related) }))
  const fresh = placed.filter((record) => record.resource !== null && isNew(record))
  const marked = await findMarkedTexts(tryton, 'ir.note', fresh)
  const tasks = placed.map((record) => {
    const { key, resource, fields, createdAt } = record
    const unplaced = 'This note belongs to no record, and Tryton has no place for such a note.'
    if (resource === null) return refused(key, 'unrelated', unplaced)
    const author = authors.get(textOf(fields.author ?? fields.owner))
    const createdBy = record.createdBy ?? (author === undefined ? null : { name: author, email: null, userId: null })
    const message = withMarker(toNoteText(entity, record), markerOf(key), originOf({ createdAt, createdBy }))
    return { key, id: knownId(record, marked), values: { resource, message } }
  })
  return writeTasks(tryton, 'ir.note', tasks, (written) => readNotes(tryton, written))
}

export const findNotes = async (tryton: Tryton, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> =>
  readNotes(tryton, await findPlaced(tryton, 'ir.note', sought))

export async function findPlaced(tryton: Tryton, model: 'ir.note' | 'ir.attachment', sought: readonly SoughtRecord[]) {
  const placed = sought.map(({ key, parent }) => ({ key, resource: parent && toResource(parent) }))
  return wantedOf(sought, await findMarkedTexts(tryton, model, placed))
}

const readNotes = (tryton: Tryton, wanted: readonly Wanted[]): Promise<FoundRecord[]> =>
  findRows(tryton, 'ir.note', wanted, (row) =>
    // A note whose parent was deleted is invisible, so it counts as missing.
    row.resource === null
      ? null
      : { version: stampOf(row), fields: { resource: row.resource, text: readMarked(row.message).text } },
  )

/** The version of a row: its time of change. */
export const stampOf = ({ write_date, create_date }: Pick<Row<'ir.note'>, 'write_date' | 'create_date'>): string =>
  JSON.stringify(write_date ?? create_date)
