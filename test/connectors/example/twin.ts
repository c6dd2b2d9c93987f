import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Twin } from '../twin-contract.ts'

/** The most records that Larch returns at once, even if more are requested. */
const mostAtOnce = 5
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))
/** A time with a zone offset of its own. */
const moment = (day: number) => `2026-03-${String(day + 1).padStart(2, '0')}T10:00:00+01:00`

const people = many(12, (index) => ({
  id: `p${index}`,
  full_name: `Person ${index}`,
  mails: index === 3 ? [] : [`p${index}@larch.example`],
  made: moment(index),
  changed: moment(index),
}))
const cases = many(13, (index) => ({
  id: `c${index}`,
  title: index === 2 ? '' : `Case ${index}`,
  state: index === 7 ? 9 : 1 + (index % 2),
  requester: `p${index % 12}`,
  owner: index % 3 === 0 ? null : 'u1',
  fields: index === 5 ? null : [{ name: 'Colour', value: index === 4 ? 'gone' : 'r' }],
  made: moment(index),
  changed: moment(index + 1),
}))
const messagesOf = (id: string) =>
  many(Number(id.slice(1)) % 8, (index) => ({
    id: `${id}m${index}`,
    case: id,
    text: `Message **${index}**`,
    by_staff: index % 2 === 0,
    author: index % 2 === 0 ? 'u1' : 'p1',
    internal: index === 2,
    made: moment(index),
  }))

const listOf = (path: string): readonly { id: string; changed?: string }[] | null => {
  const ofCase = /^\/cases\/(c\d+)\/messages$/.exec(path)?.[1]
  if (ofCase !== undefined) return messagesOf(ofCase)
  const choices = [{ value: 'r', label: 'Red' }]
  const fields = [{ id: 'f1', name: 'Colour', kind: 'choice', choices }]
  const staff = [{ id: 'u1', name: 'Una', mail: 'una@larch.example' }]
  const lists: Record<string, readonly { id: string; changed?: string }[]> = {
    '/people': people,
    '/cases': cases,
    '/fields': fields,
    '/staff': staff,
  }
  return lists[path] ?? null
}

/** Larch, as its documentation would describe it: pages in the header Link, times in a zone, nulls, an unknown state. */
export async function startTwin(): Promise<Twin> {
  const server = createServer((request, response) => {
    const send = (status: number, json: unknown, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
    const expected = `Basic ${Buffer.from('ada:twin-key').toString('base64')}`
    if (request.headers.authorization !== expected) return send(401, { error: 'unauthorized' })
    const url = new URL(request.url ?? '', 'http://larch.example')
    const path = url.pathname.replace(/^\/api/, '')
    if (path === '/me') return send(200, { name: 'A Larch account' })
    const list = listOf(path)
    if (!list) return send(404, { error: 'not found' })
    const since = Date.parse(url.searchParams.get('changed_since') ?? '1970-01-01T00:00:00Z')
    const wanted = list.filter(({ changed }) => changed === undefined || Date.parse(changed) >= since)
    const size = Math.min(mostAtOnce, Number(url.searchParams.get('per_page') ?? mostAtOnce))
    const page = Number(url.searchParams.get('page') ?? 1)
    url.searchParams.set('page', String(page + 1))
    const next = page * size < wanted.length ? { link: `<${url}>; rel="next"` } : {}
    return send(200, wanted.slice((page - 1) * size, page * size), next)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    access: { instanceUrl: `http://127.0.0.1:${port}/`, username: 'ada', token: 'twin-key' },
    source: { family: 'helpdesk', entities: ['contacts', 'tickets', 'comments'], withoutFiles: 'Larch has no files' },
    close: () => new Promise((done) => server.close(() => done())),
  }
}
