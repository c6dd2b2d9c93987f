import { RetryableError } from '../../errors.ts'
import { runBeside } from '../../threads/run-beside.ts'
import type { WriteLoss } from '../../warnings/codes.ts'
import type { OutgoingRecord, WriteOutcome } from '../contract.ts'
import { writeEach } from '../kit/write-each.ts'
import { type Answer, askable, type GhostApi, includesOf, lostAccess, quote } from './api.ts'
import * as family from './from-family.ts'
import { authorIds, lineOf, textOf, toTagRequest } from './from-family.ts'
import { markerOf } from './mark-record.ts'
import { type RawRecord, takeWhole } from './schema.ts'
import { storedForm } from './store-long.ts'
import { toStored, type WrittenEntity } from './stored-form.ts'

const fromFamily = runBeside(new URL('./from-family.ts', import.meta.url).href, family)

type Refused = Extract<Answer, { result: 'refused' }>

export function toRefusal(key: string, { status, code, message }: Refused): WriteOutcome {
  if (status === 403) throw lostAccess(status)
  const gone = status === 404
  return {
    key,
    result: 'refused',
    code: gone ? 'gone' : code,
    message: gone ? 'It was deleted in Ghost after it had been imported.' : message,
  }
}

export async function toWritten(
  entity: Exclude<WrittenEntity, 'media'>,
  key: string,
  record: RawRecord,
  losses: readonly WriteLoss[] = [],
): Promise<WriteOutcome> {
  const { url, version } = await storedForm('toStored', entity, record)
  return { key, result: 'written', destinationId: record.id, url, version, ...(losses.length > 0 ? { losses } : {}) }
}

/** One after the other: Ghost takes one a request. */
export function writePosts(
  api: GhostApi,
  entity: 'posts' | 'pages',
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  return writeEach(records, (record) => writePost(api, entity, record))
}

/** Someone may save the same post at the same time; then we look again. */
const mostCollisions = 3

async function writePost(api: GhostApi, entity: 'posts' | 'pages', record: OutgoingRecord): Promise<WriteOutcome> {
  const { key, fields, destinationId } = record
  const { request, losses } = await fromFamily('toPostRequest', entity, record, {
    site: api.site,
    now: Date.now(),
  })
  // Nothing is ever mailed: that needs a newsletter to be named here.
  const query = { ...includesOf(entity), source: 'html' }
  for (let turn = 1; ; turn += 1) {
    const answer = await send(api, entity, destinationId, request, query)
    if (answer.result === 'done') {
      const written = takeWhole(entity, api.one(entity, answer.json))
      // An author that is gone becomes the owner of the site, without a word.
      const isReplaced = authorIds(fields).some((id) => !written.authors.some((author) => author.id === id))
      return toWritten(entity, key, written, isReplaced ? [...losses, 'author_replaced'] : losses)
    }
    if (answer.code !== 'update_collision') return toRefusal(key, answer)
    if (turn === mostCollisions) throw new RetryableError('someone else keeps saving the same post')
  }
}

async function send(
  api: GhostApi,
  entity: 'posts' | 'pages' | 'tags',
  destinationId: string | null,
  request: Record<string, unknown>,
  query: Record<string, string | number> = {},
): Promise<Answer> {
  if (destinationId === null) return api.send('POST', `/${entity}/`, { json: { [entity]: [request] } }, query)
  const [present] = await api.listByIds(entity, [destinationId])
  if (!present) return { result: 'refused', code: 'gone', message: '', status: 404 }
  const { updated_at } = takeWhole(entity, present)
  const json = { [entity]: [{ ...request, updated_at }] }
  return api.send('PUT', `/${entity}/${destinationId}/`, { json }, query)
}

/** A tag that the site has already is used as it is. Ghost would make a second one of the same name. */
export function writeTags(api: GhostApi, records: readonly OutgoingRecord[]): Promise<WriteOutcome[]> {
  return writeEach(records, (record) => writeTag(api, record))
}

async function writeTag(api: GhostApi, record: OutgoingRecord): Promise<WriteOutcome> {
  const { key, destinationId } = record
  const existing = destinationId === null ? await findTag(api, record) : null
  if (existing && toStored('tags', existing).marker !== markerOf(key)) {
    return { key, result: 'matched', destinationId: existing.id, url: takeWhole('tags', existing).url }
  }
  const answer = await send(api, 'tags', existing?.id ?? destinationId, toTagRequest(record))
  return answer.result === 'done' ? toWritten('tags', key, api.one('tags', answer.json)) : toRefusal(key, answer)
}

async function findTag(api: GhostApi, { fields }: OutgoingRecord): Promise<RawRecord | null> {
  const name = lineOf(fields, 'name').toLowerCase()
  const words = askable(lineOf(fields, 'name'))
  const slug = askable(textOf(fields, 'slug'))
  const asked = [...(words === '' ? [] : [`name:~${quote(words)}`]), ...(slug === '' ? [] : [`slug:${quote(slug)}`])]
  if (asked.length === 0) return null
  for (let page = 1; ; page += 1) {
    const { records, total } = await api.list('tags', { filter: asked.join(','), order: 'id asc', page })
    const same = records.find((tag) => takeWhole('tags', tag).name.toLowerCase() === name)
    if (same || records.length === 0 || page * 100 >= total) return same ?? null
  }
}
