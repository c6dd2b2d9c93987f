import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A destination that makes use of every choice in docs/destination-protocol.md. */

type Fields = Record<string, unknown>
interface Rule {
  type: string
  many?: boolean
  required?: boolean
  max_length?: number
  options?: string[]
  to?: string[]
}
interface Stored {
  entity: string
  id: string
  version: number
  fields: Fields
  custom: Record<string, { value: unknown }>
}
interface Sent {
  external_id: string
  fields?: Fields | null
  custom_fields?: Record<string, { value: unknown }> | null
  version?: string
}
type Refusal = { code: string; message: string }

const relation = (...to: string[]): Rule => ({ type: 'relation', to })
const allEntities: Record<string, Record<string, Rule>> = {
  contacts: {
    name: { type: 'text', required: true, max_length: 40 },
    emails: { type: 'email', many: true },
    is_suspended: { type: 'boolean' },
  },
  tickets: {
    subject: { type: 'text', required: true },
    description: { type: 'rich_text' },
    status: { type: 'option', options: ['Backlog', 'Done'] },
    requester: relation('contacts'),
    collaborators: { ...relation('contacts'), many: true },
    assignee: { type: 'user' },
    tags: { type: 'text', many: true },
    due_at: { type: 'datetime' },
  },
  attachments: { parent: { ...relation('tickets'), required: true }, file_name: { type: 'text', required: true } },
  media: { file_name: { type: 'text', required: true }, alt: { type: 'text' } },
  posts: { title: { type: 'text', required: true }, excerpt: { type: 'long_text' }, feature_image: relation('media') },
}
const byFamily = { helpdesk: ['contacts', 'tickets', 'attachments'], blog: ['media', 'posts'] }
const carried = ['parent', 'file_name', 'content_type', 'size', 'sha256']
const users = ['ann', 'bob', 'eve']

export async function startLiberalDestination(families: ('helpdesk' | 'blog')[] = ['helpdesk', 'blog']) {
  const taken = families.flatMap((family) => byFamily[family])
  const entities = Object.fromEntries(Object.entries(allEntities).filter(([name]) => taken.includes(name)))
  const describe = describeAs(families, entities)
  const files = new Map<string, Buffer>()
  const records = new Map<string, Stored>()
  let changes = 0

  const refuse = (entity: string, fields: Fields): Refusal | null => {
    for (const [name, rule] of Object.entries(entities[entity] ?? {})) {
      const values = [fields[name] ?? []].flat()
      if (rule.required && values.length === 0) return { code: 'blank', message: `No ${name}` }
      for (const value of values) {
        if (rule.type === 'user' && !users.includes(String(value))) return { code: 'unknown_user', message: 'Who?' }
        const target = records.get(String(value))?.entity
        if (rule.to && !rule.to.includes(target ?? '')) return { code: 'unknown_relation', message: 'Where?' }
      }
    }
    return null
  }
  const store = (entity: string, key: string, fields: Fields, custom: Stored['custom']) => {
    const refusal = refuse(entity, fields)
    if (refusal) return { result: 'refused', ...refusal }
    const known = records.get(key)
    changes += 1
    const record = { entity, id: known?.id ?? `#${changes}`, version: changes, fields, custom }
    records.set(key, record)
    return { result: known ? 'updated' : 'created', id: record.id, version: String(record.version), extra: true }
  }
  const write = (entity: string, { external_id, fields, custom_fields }: Sent) => {
    const known = records.get(external_id)
    const isFile = entity === 'attachments' || entity === 'media'
    if (isFile && known?.entity !== entity)
      return { external_id, result: 'refused', code: 'unknown_file', message: 'No' }
    const names = Object.keys(entities[entity] ?? {}).filter((name) => !isFile || !carried.includes(name))
    const sent = Object.fromEntries(names.map((name) => [name, fields?.[name] ?? null]))
    const kept = Object.fromEntries(carried.map((name) => [name, known?.fields[name]]))
    return { external_id, ...store(entity, external_id, { ...(isFile && kept), ...sent }, custom_fields ?? {}) }
  }
  const find = (entity: string, keys: string[]) =>
    [...new Set(keys)].reverse().flatMap((external_id) => {
      const record = records.get(external_id)
      if (record?.entity !== entity) return []
      const shown = Object.entries(record.fields).map(([name, value]) => [name, show(entities[entity]?.[name], value)])
      const custom_fields = Object.fromEntries(
        Object.entries(record.custom).map(([key, { value }]) => [key, { value }]),
      )
      const { id, version } = record
      return { external_id, id, version: String(version), fields: Object.fromEntries(shown), custom_fields, url: null }
    })
  const remove = (entity: string, { external_id, version }: Sent) => {
    const record = records.get(external_id)
    if (record?.entity !== entity) return { external_id, result: 'missing' }
    if (version !== undefined && version !== String(record.version)) return { external_id, result: 'changed' }
    records.delete(external_id)
    return { external_id, result: 'deleted' }
  }

  const answer = async (request: IncomingMessage): Promise<[number, unknown]> => {
    if (request.headers.authorization !== 'Bearer token') return [403, {}]
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://any')
    const [first = '', entity = '', act = 'write'] = pathname.slice('/wherry/'.length).split('/')
    if (first === 'describe') return [200, describe]
    if (first === 'users') return [200, listUsers(Number(query.get('limit')), Number(query.get('after') ?? 0))]
    const bytes = await readBody(request)
    if (first === 'files') {
      const kind = query.get('entity') ?? 'attachments'
      if (!entities[kind]) return [404, {}]
      if (kind !== 'attachments' && kind !== 'media') return [422, {}]
      const sha256 = createHash('sha256').update(bytes).digest('hex').toUpperCase()
      const facts = { content_type: request.headers['content-type'], size: bytes.length, sha256 }
      const parent = kind === 'attachments' ? { parent: query.get('parent') } : {}
      const fields = { file_name: query.get('file_name'), ...parent, ...facts }
      files.set(query.get('external_id') ?? '', bytes)
      return [200, { ...store(kind, query.get('external_id') ?? '', fields, {}), size: bytes.length, sha256 }]
    }
    if (!entities[entity]) return [404, {}]
    const body = JSON.parse(bytes.toString()) as { records: Sent[]; external_ids: string[] }
    if (act === 'find') return [200, { records: find(entity, body.external_ids) }]
    if (!Array.isArray(body.records) || body.records.some(({ external_id }) => !external_id)) return [422, {}]
    if (body.records.length > describe.limits.batch) return [413, {}]
    return [200, { results: body.records.map((sent) => (act === 'delete' ? remove : write)(entity, sent)) }]
  }
  const server = createServer((request, response: ServerResponse) => {
    answer(request).then(
      ([status, json]) => response.writeHead(status).end(JSON.stringify(json)),
      () => response.writeHead(400).end('{}'),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/wherry/`,
    records,
    files,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const describeAs = (families: string[], entities: typeof allEntities) => ({
  protocol: 1,
  account: { name: 'Liberal' },
  families,
  text_format: 'plain',
  limits: { batch: 3, concurrency: 1 },
  capabilities: { silent: false, backdate: false },
  entities: Object.fromEntries(
    Object.entries(entities).map(([name, rules]) => {
      const fields = Object.entries(rules).map(([field, { to: _to, ...rule }]) => [field, rule])
      const order = { key: 'order', label: 'Order', type: 'text' }
      return [name, { fields: Object.fromEntries(fields), ...(name === 'tickets' && { custom_fields: [order] }) }]
    }),
  ),
})

/** Returns pages of one user each, without e-mail addresses. */
function listUsers(_limit: number, after: number) {
  const id = users[after]
  return { data: id ? [{ id, name: id }] : [], ...(after + 1 < users.length && { next: String(after + 1) }) }
}

/** An empty value is null or false, and times have no fractions of a second. */
function show(rule: Rule | undefined, value: unknown): unknown {
  if (rule?.type === 'boolean') return value ?? false
  if (rule?.many) return value ?? []
  if (rule?.type === 'datetime' && typeof value === 'string') return value.replace(/\.000Z$/, 'Z')
  return value ?? null
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
