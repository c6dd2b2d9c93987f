import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { type Call, png } from '../../live/wordpress-seed.ts'

/** One real answer, with its request. `{{site}}` replaces the address of the site. */
export interface Recording {
  tool: string
  recordedOn: string
  request: { method: string; query: Record<string, string>; body: unknown }
  response: { status: number; contentType: string; body: unknown }
}

export const recordingsFolder = join(import.meta.dirname, '../../../service/src/connectors/blog/wordpress/recordings')

/** The time of the request always differs. */
const changing = new Set(['before'])

export function readRecordings(): Recording[] {
  return readdirSync(recordingsFolder)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(recordingsFolder, name), 'utf8')) as Recording)
}

/** A request in the recorded form. For a file, only its presence is recorded. */
export async function readRequest(request: IncomingMessage): Promise<Recording['request'] & { raw: Buffer }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const raw = Buffer.concat(chunks)
  const query = Object.fromEntries(new URL(request.url ?? '/', 'http://x').searchParams)
  for (const name of changing) if (name in query) query[name] = '…'
  const isForm = request.headers['content-type']?.startsWith('multipart/') === true
  const body = raw.length === 0 ? null : isForm ? 'a form' : (JSON.parse(raw.toString()) as unknown)
  return { method: request.method ?? '', query, body, raw }
}

/** Creates the records of the recorded site: those of a fresh site, and one of each kind. */
export async function seedRecorded(call: Call): Promise<void> {
  const ada = await call('POST', '/users', {
    username: 'ada',
    name: 'Ada L',
    email: 'ada@customer.example',
    password: 'not used anywhere',
    roles: ['author'],
  })
  const top = await call('POST', '/categories', { name: 'Küche & Bad' })
  const below = await call('POST', '/categories', { name: 'Fliesen', parent: top.id })
  const tag = await call('POST', '/tags', { name: 'R&D' })
  const form = new FormData()
  form.set('alt_text', 'A view')
  form.set('file', new Blob([new Uint8Array(png(400, 300))]), 'view.png')
  const image = await call('POST', '/media', form)
  const { id: post } = await call('POST', '/posts', {
    title: 'Tiles &amp; more',
    slug: 'tiles',
    status: 'publish',
    date_gmt: '2015-05-05T05:05:05Z',
    author: ada.id,
    content: `Hello\n\n<img src="${image.source_url}" />`,
    featured_media: image.id,
    tags: [tag.id],
    categories: [below.id],
  })
  const guest = {
    author_name: 'Guest',
    author_email: 'guest@mail.example',
    status: 'approved',
    date_gmt: '2015-06-01T00:00:00Z',
  }
  const { id: parent } = await call('POST', '/comments', { post, content: 'Nice', ...guest })
  await call('POST', '/comments', { post, content: 'Thanks', author: ada.id, parent, date_gmt: '2015-06-02T00:00:00Z' })
}
