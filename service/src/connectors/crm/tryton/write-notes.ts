import type { FoundRecord, OutgoingRecord, SentRelation, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import type { TrytonApi } from './api.ts'
import { createEach } from './create-each.ts'
import { originOf, toNoteText } from './deals-from-family.ts'
import { all } from './directory.ts'
import { findMarkedTexts } from './find-marked.ts'
import { listOf, textOf } from './from-family.ts'
import { markerOf, readMarked, withMarker } from './marker.ts'
import { refusedOutcome, writtenOutcomes } from './outcomes.ts'
import type { Row } from './schema.ts'
import { TrytonRefusal } from './tryton-refusal.ts'

/** What a note or file hangs on, in Tryton's words; null for what has no place there. */
export function toResource(relation: unknown): string | null {
  const [sent] = listOf<SentRelation>(relation)
  const id = Number(sent?.destinationId)
  if (!sent || !Number.isSafeInteger(id)) return null
  if (sent.entity === 'accounts' || sent.entity === 'contacts') return `party.party,${id}`
  return sent.entity === 'deals' ? `sale.opportunity,${id}` : null
}

const resourceOfParent = (parent: SoughtRecord['parent']): string | null => parent && toResource({ ...parent, key: '' })

/** Notes and activities. `authors` are the names of people here, for what says only who wrote it. */
export async function writeNotes(
  api: TrytonApi,
  entity: string,
  records: readonly OutgoingRecord[],
  authors: ReadonlyMap<string, string>,
): Promise<WriteOutcome[]> {
  const outcomes = new Map<string, WriteOutcome>()
  const placed = records.flatMap((record) => {
    const resource = toResource(record.fields.related)
    if (resource !== null) return [{ record, key: record.key, resource }]
    const message = 'This note belongs to no record, and Tryton has no place for such a note.'
    outcomes.set(record.key, refusedOutcome(record.key, 'unrelated', message))
    return []
  })
  const marked = await findMarkedTexts(
    api,
    'ir.note',
    placed.filter(({ record }) => record.destinationId === null),
  )
  const results = new Map<string, number | TrytonRefusal>()
  const fresh: { key: string; values: Record<string, unknown> }[] = []
  for (const { record, key, resource } of placed) {
    const author = authors.get(textOf(record.fields.author ?? record.fields.owner))
    const createdBy = record.createdBy ?? (author === undefined ? null : { name: author })
    const origin = originOf({ createdAt: record.createdAt, createdBy: createdBy as OutgoingRecord['createdBy'] })
    const values = { resource, message: withMarker(toNoteText(entity, record), markerOf(key), origin) }
    const id = record.destinationId === null ? marked.get(key)?.[0] : Number(record.destinationId)
    if (id === undefined) fresh.push({ key, values })
    else results.set(key, await change(api, id, values))
  }
  const created = await createEach(api, 'ir.note', fresh)
  for (const [index, { key }] of fresh.entries()) results.set(key, created[index] as number | TrytonRefusal)
  const written = placed.flatMap(({ key }) => {
    const id = results.get(key)
    return typeof id === 'number' ? [{ key, id }] : []
  })
  for (const outcome of writtenOutcomes(placed, results, await readNotes(api, written)))
    outcomes.set(outcome.key, outcome)
  return records.map(({ key }) => outcomes.get(key) as WriteOutcome)
}

async function change(api: TrytonApi, id: number, values: Record<string, unknown>): Promise<number | TrytonRefusal> {
  try {
    await api.write('ir.note', [id], values)
    return id
  } catch (error) {
    if (error instanceof TrytonRefusal) return error
    throw error
  }
}

export async function findNotes(api: TrytonApi, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const marked = await findMarkedTexts(
    api,
    'ir.note',
    sought.map(({ key, parent }) => ({ key, resource: resourceOfParent(parent) })),
  )
  const wanted = sought.flatMap(({ key, destinationId }) => {
    const ids = marked.get(key) ?? (destinationId === null ? [] : [Number(destinationId)])
    return ids.map((id) => ({ key, id }))
  })
  return readNotes(api, wanted)
}

async function readNotes(api: TrytonApi, wanted: readonly { key: string; id: number }[]): Promise<FoundRecord[]> {
  if (wanted.length === 0) return []
  const rows = await all(api, 'ir.note', [['id', 'in', wanted.map(({ id }) => id)]])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return wanted.flatMap(({ key, id }) => {
    const row = byId.get(id)
    // What it hung on is gone: nobody will ever see it.
    if (!row || row.resource === null) return []
    return {
      key,
      destinationId: String(id),
      url: null,
      version: versionOf(row),
      fields: { resource: row.resource, text: readMarked(row.message).text },
      customFields: {},
      createdAt: null,
      updatedAt: null,
    }
  })
}

export const versionOf = ({ write_date, create_date }: Row<'ir.note'> | Row<'ir.attachment'>): string =>
  JSON.stringify(write_date ?? create_date)
