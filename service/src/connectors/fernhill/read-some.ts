import type { RecordRef } from '../../families/record.ts'
import type { RecordPage, Wanted } from '../contract.ts'
import type { FernhillApi, ListPosition } from './api.ts'
import { readerOf, toPage } from './entity-readers.ts'
import { type RawPage, takeFields } from './schema.ts'
import { toAttachments } from './to-family.ts'

/** Only some records: by their ids, or what hangs on others. */
export async function readSome(
  api: FernhillApi,
  entity: string,
  wanted: Wanted,
  cursor: string | null,
): Promise<RecordPage> {
  if (entity === 'attachments') return readFiles(api, wanted, cursor)
  const toRecord = await readerOf(entity)(api)
  if ('ids' in wanted) {
    const { data, next } = await api.list(entity as 'tickets', { after: cursor, ids: listable(wanted.ids) })
    return toPage(data.map(toRecord), next)
  }
  const tickets = wanted.parents.filter((parent) => entity === 'comments' && parent.entity === 'tickets')
  const { data, next } = await inTurn(tickets, cursor, (ticket, position) => api.commentsOf(ticket.sourceId, position))
  return toPage(data.map(toRecord), next)
}

/** By way of their comments, which alone tell who added a file and whether customers may see it. */
async function readFiles(api: FernhillApi, wanted: Wanted, cursor: string | null): Promise<RecordPage> {
  if ('parents' in wanted) {
    const comments = wanted.parents.filter(({ entity }) => entity === 'comments').map(({ sourceId }) => sourceId)
    const { data, next } = await api.list('comments', { after: cursor, ids: listable(comments) })
    return toPage(data.flatMap(toAttachments), next)
  }
  const { data: files, next } = await api.list('attachments', { after: cursor, ids: listable(wanted.ids) })
  const comments = new Set(files.flatMap((file) => takeFields('attachments', file).raw.comment_id ?? []))
  const page = await api.list('comments', { after: null, ids: listable([...comments].map(String)) })
  const asked = new Set(wanted.ids)
  return toPage(
    page.data.flatMap(toAttachments).filter(({ record }) => asked.has(record.sourceId)),
    next,
  )
}

/** The desk knows whole numbers only; anything else cannot be one of its records. */
function listable(ids: readonly string[]): string[] {
  const numbers = ids.filter((id) => /^[1-9]\d{0,14}$/.test(id))
  // It must be asked for something; this one does not exist.
  return numbers.length === 0 ? ['999999999999999'] : numbers
}

/** The lists of several records one after the other; the cursor tells whose turn it is. */
async function inTurn(
  refs: RecordRef[],
  cursor: string | null,
  read: (ref: RecordRef, position: ListPosition) => Promise<RawPage>,
): Promise<RawPage> {
  const [turn, after] = cursor === null ? [0, null] : (JSON.parse(cursor) as [number, string | null])
  const ref = refs[turn]
  if (!ref) return { data: [], next: null }
  const page = await read(ref, { after })
  const next = page.next === null ? [turn + 1, null] : [turn, page.next]
  return { data: page.data, next: page.next === null && turn + 1 >= refs.length ? null : JSON.stringify(next) }
}
