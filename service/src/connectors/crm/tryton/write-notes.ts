import type { OutgoingRecord, SentRelation, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { refused } from '../../kit/outcomes.ts'
import { originOf, toNoteText } from './deals-from-family.ts'
import { findMarkedTexts, knownIds, rulesOf } from './find-rows.ts'
import { listOf, textOf } from './from-family.ts'
import { markerOf, readMarked, withMarker } from './marker.ts'
import type { Tryton } from './tryton.ts'
import { stampOf } from './wire-values.ts'
import { writeRows } from './write-rows.ts'

type Parent = SoughtRecord['parent']
const parentOf = ({ fields }: Pick<OutgoingRecord, 'fields'>): Parent => listOf<SentRelation>(fields.related)[0] ?? null

/** Tryton's reference to the parent of a note or file; null without a parent. */
export function toResource(relation: unknown): string | null {
  const [sent] = listOf<Pick<SentRelation, 'entity' | 'destinationId'>>(relation)
  const id = Number(sent?.destinationId)
  if (!sent || !Number.isSafeInteger(id)) return null
  if (sent.entity === 'accounts' || sent.entity === 'contacts') return `party.party,${id}`
  return sent.entity === 'deals' ? `sale.opportunity,${id}` : null
}

export const findPlaced = (tryton: Tryton, model: 'ir.note' | 'ir.attachment') => (sought: readonly SoughtRecord[]) =>
  findMarkedTexts(
    tryton,
    model,
    sought.map(({ key, parent }) => ({ key, resource: toResource(parent) })),
  )

export const noteRules = (tryton: Tryton) =>
  rulesOf(
    async (ids) =>
      (await tryton.rowsIn('ir.note', 'id', ids)).flatMap((row) => {
        const { id, resource, message } = row
        // A note whose parent was deleted is invisible, so it counts as missing.
        if (resource === null) return []
        return { id, version: stampOf(row), fields: { resource, text: readMarked(message).text } }
      }),
    findPlaced(tryton, 'ir.note'),
  )

/** Writes notes and activities. If the author has no account, the text gets the author's name. */
export async function writeNotes(
  tryton: Tryton,
  entity: string,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const rules = noteRules(tryton)
  const authors = new Map((await tryton.people()).map(({ id, name }) => [id, name]))
  const placed = records.filter((record) => toResource(parentOf(record)) !== null)
  const known = await knownIds(rules, placed, parentOf)
  const tasks = records.map((record) => {
    const { key, fields, createdAt } = record
    const resource = toResource(fields.related)
    const unplaced = 'This note belongs to no record, and Tryton has no place for such a note.'
    if (resource === null) return refused(key, 'unrelated', unplaced)
    const author = authors.get(textOf(fields.author ?? fields.owner))
    const createdBy = record.createdBy ?? (author === undefined ? null : { name: author, email: null, userId: null })
    const message = withMarker(toNoteText(entity, record), markerOf(key), originOf({ createdAt, createdBy }))
    return { key, id: known.get(key) ?? null, values: { resource, message } }
  })
  return writeRows(tryton, 'ir.note', rules, tasks)
}
