import { RetryableError } from '../../../errors.ts'
import { plainType } from '../../../outbound/stream-form.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingFile, OutgoingRecord, WriteOutcome } from '../../contract/contract.ts'
import { dropBytes, nameWithExtension, sendForm } from '../../kit/files.ts'
import type { Sent } from '../../kit/http.ts'
import { writeEach } from '../../kit/write-each.ts'
import { askable, type GhostApi, includesOf, label, lostAccess, type Query, quote } from './api.ts'
import type { EntityName } from './entities.ts'
import { mapping, toStored, toTagRequest } from './mapping.ts'
import { markerOf } from './mark-record.ts'
import { parseWhole, type Raw, takeWhole, uploadSchema } from './schema.ts'
import { authorIds, textOf, toLine } from './values.ts'

export type Refused = Extract<Sent, { result: 'refused' }>
/** The refusal for a record that no longer exists. */
export const gone: Refused = { result: 'refused', status: 404, code: 'gone', message: '', json: null }

export function toRefusal(key: string, { status, code, message }: Refused): WriteOutcome {
  if (status === 403) throw lostAccess(status)
  if (status !== 404) return { key, result: 'refused', code, message }
  return { key, result: 'refused', code: 'gone', message: 'It was deleted in Ghost after it had been imported.' }
}

export async function toWritten(
  entity: Exclude<EntityName, 'media'>,
  key: string,
  record: Raw,
  losses: readonly WriteLoss[] = [],
): Promise<WriteOutcome> {
  const { url, version } = await mapping('toStored', entity, record)
  return { key, result: 'written', destinationId: record.id, url, version, ...(losses.length > 0 ? { losses } : {}) }
}

/** Writes posts one after the other, because Ghost accepts one per request. */
export function writePosts(
  api: GhostApi,
  entity: 'posts' | 'pages',
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  return writeEach(records, (record) => writePost(api, entity, record))
}

/** Number of attempts if someone else saves the same post at the same time. */
const mostCollisions = 3

async function writePost(api: GhostApi, entity: 'posts' | 'pages', record: OutgoingRecord): Promise<WriteOutcome> {
  const { key, fields, destinationId } = record
  const { request, losses } = await mapping('toPostRequest', entity, record, {
    site: api.site,
    now: Date.now(),
  })
  // Ghost sends a post by mail only if the query names a newsletter, so nothing is mailed.
  const query = { ...includesOf(entity), source: 'html' }
  for (let turn = 1; ; turn += 1) {
    const answer = await send(api, entity, destinationId, request, query)
    if (answer.result === 'done') {
      const written = takeWhole(entity, api.one(entity, answer.json))
      // Ghost silently replaces a missing author by the site's owner.
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
  query: Query = {},
): Promise<Sent> {
  if (destinationId === null) return api.send('POST', `/${entity}/`, { json: { [entity]: [request] }, query })
  const [present] = await api.listByIds(entity, [destinationId])
  if (!present) return gone
  // With `updated_at`, Ghost refuses to overwrite a post that changed meanwhile. Ghost ignores it for tags.
  const seen = entity === 'tags' ? {} : { updated_at: takeWhole(entity, present).updated_at }
  const json = { [entity]: [{ ...request, ...seen }] }
  return api.send('PUT', `/${entity}/${destinationId}/`, { json, query })
}

/** Writes tags. A tag that the site already has is used unchanged; Ghost would make a second one with the same name. */
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

async function findTag(api: GhostApi, { fields }: OutgoingRecord): Promise<Raw | null> {
  const name = toLine(fields.name).toLowerCase()
  const words = askable(toLine(fields.name))
  const slug = askable(textOf(fields, 'slug'))
  const asked = [...(words === '' ? [] : [`name:~${quote(words)}`]), ...(slug === '' ? [] : [`slug:${quote(slug)}`])]
  if (asked.length === 0) return null
  for (let page = 1; ; page += 1) {
    const { records, total } = await api.list('tags', { filter: asked.join(','), order: 'id asc', page })
    const same = records.find((tag) => takeWhole('tags', tag).name.toLowerCase() === name)
    if (same || records.length === 0 || page * 100 >= total) return same ?? null
  }
}

const types: Record<string, string> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' },
  ...{ svg: 'image/svg+xml', svgz: 'image/svg+xml', ico: 'image/x-icon', avif: 'image/avif' },
  ...{ mp4: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg' },
  ...{ mp3: 'audio/mpeg', wav: 'audio/wav', ogg: 'audio/ogg', m4a: 'audio/x-m4a' },
}
/** Extensions of files that a browser would run as part of the site. */
const active = new Set(['html', 'htm', 'xhtml', 'shtml', 'js', 'mjs', 'xml', 'xsl', 'css'])

/**
 * Sends only the bytes of a file; words about it are in the texts that use it. Ghost determines the type by the name.
 */
export async function sendFile(api: GhostApi, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, destinationId, contentType, fields } = file
  if (destinationId !== null) {
    // A stored file has nothing that could be changed.
    dropBytes(file)
    return { key, result: 'written', destinationId, url: destinationId, version: null }
  }
  const fileName = nameWithExtension(textOf(fields, 'file_name'), contentType)
  const extension = /\.([a-z0-9]{1,8})$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  if (active.has(extension)) {
    dropBytes(file)
    const message = 'A file of this kind could act as a page of the site, so it is not put there.'
    return { key, result: 'refused', code: 'unsafe_file', message }
  }
  const type = types[extension] ?? plainType(contentType)
  const kind = type.startsWith('image/') ? 'images' : /^(video|audio)\//.test(type) ? 'media' : 'files'
  const form = { field: 'file', fileName, contentType: type }
  const answer = await sendForm(label, file, form, (sending) => api.send('POST', `/${kind}/upload/`, sending))
  if (answer.result === 'refused') return toRefusal(key, answer)
  const made = (answer.json as Record<string, unknown> | null)?.[kind]
  const { url } = parseWhole(uploadSchema, Array.isArray(made) ? made[0] : null, 'a file')
  return { key, result: 'written', destinationId: url, url, version: null }
}
