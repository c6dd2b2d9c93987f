import { Type } from 'typebox'
import { answer, refuse } from '../answers.ts'
import { type Clock, createClock } from '../clock.ts'
import type { Limit } from '../limits.ts'
import { cursorPage, numberOf } from '../pages.ts'
import { createStore } from '../store.ts'
import { type Operation, startToolTwin } from '../tool-twin.ts'

/** A hosted tool's protection against a record sent twice. */
export type HostedKey = 'upsert' | 'idempotency' | 'listed' | 'searched' | 'none'

export interface HostedThing {
  id: string
  entity: string
  /** Identifies our record for the test. The tool itself ignores it. */
  trace: string
  externalId: string | null
  content: unknown
}

export interface HostedOptions {
  key: HostedKey
  token: string
  /** Time during which the search index misses a new record. */
  lagMs?: number
  /** Time during which an idempotency key is remembered. */
  remembersMs?: number
  limits?: readonly Limit[]
}

const closed = { additionalProperties: false }
const content = Type.Object({}, { additionalProperties: true })
const withKey = Type.Object({ external_id: Type.String({ maxLength: 300 }), content }, closed)

/** A fictional hosted tool with exactly one delivery class. */
export async function startHosted(options: HostedOptions, clock: Clock = createClock()) {
  const { key, token, lagMs = 0, remembersMs = 0, limits = [] } = options
  const things = createStore<HostedThing>(clock, { lagMs })
  const remembered = new Map<string, { id: string; until: number }>()
  /** The keys that were searched. */
  const sought = new Set<string>()
  const present = ({ id, externalId, content: kept }: HostedThing) => ({ id, external_id: externalId, content: kept })
  const find = (entity = '', id = ''): HostedThing => {
    const found = things.get(id)
    return found?.entity === entity ? found : refuse(404, { error: 'not found' })
  }
  const isOf = (entity: string | undefined, externalId: string | null) => (one: HostedThing) =>
    one.entity === entity && one.externalId === externalId

  const make: Operation = {
    method: 'POST',
    path: '/api/v1/:entity',
    json: key === 'none' ? Type.Object({ content }, closed) : withKey,
    act({ params, json, headers }) {
      const said = headers['idempotency-key']
      const known = typeof said === 'string' ? remembered.get(said) : undefined
      if (key === 'idempotency' && known && clock.now() < known.until) return answer(200, { id: known.id })
      const id = things.nextId()
      const trace = String(headers['x-trace-id'])
      const externalId = json.external_id ?? null
      things.put({ id, entity: String(params.entity), trace, externalId, content: json.content })
      if (typeof said === 'string') remembered.set(said, { id, until: clock.now() + remembersMs })
      return answer(201, { id })
    },
  }
  const upsert: Operation = {
    method: 'PUT',
    path: '/api/v1/:entity/upsert',
    json: withKey,
    act({ params, json, headers }) {
      const [known] = things.list(isOf(params.entity, json.external_id))
      const id = known?.id ?? things.nextId()
      const trace = String(headers['x-trace-id'])
      things.put({ id, entity: String(params.entity), trace, externalId: json.external_id, content: json.content })
      return answer(known ? 200 : 201, { id })
    },
  }
  const list: Operation = {
    method: 'GET',
    path: '/api/v1/:entity',
    query: { external_id: true, size: /\d+/, after: true },
    act({ params, query }) {
      const externalId = query.get('external_id')
      if (externalId !== null) sought.add(externalId)
      const items = things.list((one) => one.entity === params.entity && one.externalId === externalId)
      const size = numberOf(query.get('size'), { otherwise: 20, most: 100 })
      const page = cursorPage(items, { after: query.get('after'), size, keyOf: ({ id }) => Number(id) })
      return answer(200, { data: page.items.map(present), next: page.next })
    },
  }
  const search: Operation = {
    method: 'GET',
    path: '/api/v1/search/:entity',
    query: { external_id: true },
    act({ params, query }) {
      sought.add(String(query.get('external_id')))
      return answer(200, {
        data: things.search(isOf(params.entity, query.get('external_id'))).map(present),
        next: null,
      })
    },
  }
  const ofOne: Operation[] = [
    {
      method: 'GET',
      path: '/api/v1/:entity/:id',
      act: ({ params }) => answer(200, present(find(params.entity, params.id))),
    },
    {
      method: 'PUT',
      path: '/api/v1/:entity/:id',
      json: Type.Object({ content }, closed),
      act({ params, json }) {
        const known = find(params.entity, params.id)
        return answer(200, present(things.put({ ...known, content: json.content })))
      },
    },
    {
      method: 'DELETE',
      path: '/api/v1/:entity/:id',
      act({ params }) {
        things.remove(find(params.entity, params.id).id)
        return answer(204)
      },
    },
  ]
  const lookups = { upsert: [list], idempotency: [list], listed: [list], searched: [search], none: [] }[key]
  const operations = [key === 'upsert' ? upsert : make, ...lookups, ...ofOne]
  const twin = await startToolTwin(
    () => ({
      operations,
      limits,
      admit: ({ headers }) => (headers.authorization === `Bearer ${token}` ? null : answer(401, { error: 'who?' })),
      keyOf: ({ headers }) => headers['x-trace-id'] as string | undefined,
    }),
    clock,
  )
  return Object.assign(twin, { things, sought })
}

export type HostedTwin = Awaited<ReturnType<typeof startHosted>>
