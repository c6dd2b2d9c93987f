import Type from 'typebox'
import { RetryableError } from '../../../errors.ts'
import { plainType } from '../../../outbound/stream-form.ts'
import type { OutgoingFile, OutgoingRecord, WriteOutcome } from '../../contract/contract.ts'
import { dropBytes, nameWithExtension, sendForm } from '../../kit/files.ts'
import { checkShape, type Query, type Sent } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import { textOf } from '../../kit/left-out.ts'
import { matched, refusalsOf, refused, written } from '../../kit/outcomes.ts'
import { askable, type GhostApi, includesOf, label, quote, type Raw, takeWhole } from './api.ts'
import { authorIds, idsOf, toLine } from './lenses.ts'
import { mapping, toStored, toTagRequest } from './mapping.ts'

export const { accepted, present } = refusalsOf(label, [404], 'It was deleted in Ghost after it had been imported.')
export const find = async (api: GhostApi, name: 'posts' | 'pages' | 'tags' | 'comments', id: string): Promise<Raw> =>
  present((await api.listByIds(name, [id]))[0])

/** Number of attempts if someone else saves the same post at the same time. */
const mostCollisions = 3

export async function writePost(
  api: GhostApi,
  entity: 'posts' | 'pages',
  record: OutgoingRecord,
): Promise<WriteOutcome> {
  const { key, fields, destinationId } = record
  const place = { site: api.site, now: Date.now() }
  const { request, losses } = await mapping('toPostRequest', entity, record, place)
  // Ghost sends a post by mail only if the query names a newsletter, so nothing is mailed.
  const query = { ...includesOf(entity), source: 'html' }
  for (let turn = 1; ; turn += 1) {
    const answer = await send(api, entity, destinationId, request, query)
    if (answer.result === 'done' || answer.code !== 'update_collision') {
      const raw = api.one(entity, accepted(answer))
      const stored = await mapping('toStored', entity, raw)
      // Ghost silently replaces a missing author by the site's owner.
      const isReplaced = authorIds(fields).some((id) => !idsOf(raw.authors).includes(id))
      return written(key, raw.id, stored, isReplaced ? [...losses, 'author_replaced'] : losses)
    }
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
  const before = await find(api, entity, destinationId)
  // With `updated_at`, Ghost refuses to overwrite a post that changed meanwhile. Ghost ignores it for tags.
  const seen = entity === 'tags' ? {} : { updated_at: takeWhole(entity, before).updated_at }
  const json = { [entity]: [{ ...request, ...seen }] }
  return api.send('PUT', `/${entity}/${destinationId}/`, { json, query })
}

/** Writes a tag. A tag that the site already has is used unchanged; Ghost would make a second one with the same name. */
export async function writeTag(api: GhostApi, record: OutgoingRecord): Promise<WriteOutcome> {
  const { key, destinationId } = record
  const existing = destinationId === null ? await findTag(api, record) : null
  if (existing && toStored('tags', existing).marker !== digestOf(key)) {
    return matched(key, existing.id, String(existing.url))
  }
  const answer = await send(api, 'tags', existing?.id ?? destinationId, toTagRequest(record))
  const raw = api.one('tags', accepted(answer))
  return written(key, raw.id, await mapping('toStored', 'tags', raw))
}

async function findTag(api: GhostApi, { fields }: OutgoingRecord): Promise<Raw | null> {
  const name = toLine(fields.name).toLowerCase()
  const words = askable(toLine(fields.name))
  const slug = askable(textOf(fields, 'slug'))
  const asked = [...(words === '' ? [] : [`name:~${quote(words)}`]), ...(slug === '' ? [] : [`slug:${quote(slug)}`])]
  if (asked.length === 0) return null
  for (let page = 1; ; page += 1) {
    const { records, total } = await api.list('tags', { filter: asked.join(','), order: 'id asc', page })
    const same = records.find((tag) => String(takeWhole('tags', tag).name).toLowerCase() === name)
    if (same || records.length === 0 || page * 100 >= total) return same ?? null
  }
}

const types: Record<string, string> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' },
  ...{ svg: 'image/svg+xml', svgz: 'image/svg+xml', ico: 'image/x-icon', avif: 'image/avif' },
  ...{ mp4: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg' },
  ...{ mp3: 'audio/mpeg', wav: 'audio/wav', ogg: 'audio/ogg', m4a: 'audio/x-m4a' },
}
const uploadSchema = Type.Object({ url: Type.String({ pattern: '^https?://' }) })
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
    return written(key, destinationId, { url: destinationId, version: null })
  }
  const fileName = nameWithExtension(textOf(fields, 'file_name'), contentType)
  const extension = /\.([a-z0-9]{1,8})$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  if (active.has(extension)) {
    dropBytes(file)
    const message = 'A file of this kind could act as a page of the site, so it is not put there.'
    return refused(key, 'unsafe_file', message)
  }
  const type = types[extension] ?? plainType(contentType)
  const kind = type.startsWith('image/') ? 'images' : /^(video|audio)\//.test(type) ? 'media' : 'files'
  const form = { field: 'file', fileName, contentType: type }
  const answer = await sendForm(label, file, form, (sending) => api.send('POST', `/${kind}/upload/`, sending))
  const made = (accepted(answer) as Record<string, unknown> | null)?.[kind]
  const { url } = checkShape(label, uploadSchema, Array.isArray(made) ? made[0] : null, 'a file')
  return written(key, url, { url, version: null })
}
