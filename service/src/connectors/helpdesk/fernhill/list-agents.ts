import Type from 'typebox'
import type { ToolUser } from '../../../families/record.ts'
import type { Page } from '../../contract/contract.ts'
import { checkShape } from '../../kit/http.ts'
import { takeFields } from '../../kit/take-fields.ts'
import type { FernhillApi } from './api.ts'

const text = Type.String()
export const agentFields = {
  name: text,
  email: Type.Union([text, Type.Null()]),
  group_ids: Type.Array(Type.Integer({ minimum: 1 })),
  deleted: Type.Boolean(),
}
const agentSchema = Type.Object(agentFields)

/** Fernhill allows 50 requests per second. 20 per page stay below that limit. */
const probesPerPage = 20
/** After this many unused ids in a row we assume that no agent follows. */
const missesAtEnd = 5
/** A larger gap means that the desk does not count ids one by one. Then we do not search the gap for former agents. */
const widestGap = 1_000

/**
 * Lists all agents, including former ones. Fernhill's list omits former agents, but tickets and comments still name
 * them. `GET /agents/:id` still answers for them, so this function requests every id that the list skips.
 */
export async function listAgents(api: FernhillApi, cursor: string | null, size: number): Promise<Page<ToolUser>> {
  // The cursor holds the next id to handle, and the list page that contains it.
  const [, from, after] = /^(\d+):(.*)$/s.exec(cursor ?? '1:') ?? []
  const fromId = Number(from)
  const page = await api.list('agents')({})(after || null, size)
  const listed = page.items.map((agent) => ({ ...agent, id: Number(agent.id) })).filter(({ id }) => id >= fromId)
  const isEnd = page.next === null
  const lastId = listed.at(-1)?.id ?? fromId - 1
  const untilId = isEnd ? lastId + missesAtEnd : lastId
  const gaps = idsBetween(fromId, untilId, new Set(listed.map(({ id }) => id)))
  const probed = gaps.slice(0, probesPerPage)

  const gone: ToolUser[] = []
  for (const id of probed) {
    const { status, json } = await api.http.look(`/agents/${id}`, [404])
    if (status !== 404) gone.push(toUser({ ...checkShape('Fernhill Desk', agentSchema, json, 'an agent'), id }))
  }
  const isCut = probed.length < gaps.length
  const doneId = isCut ? (probed.at(-1) ?? untilId) : untilId
  const present = listed.filter(({ id }) => id <= doneId).map(toUser)
  const items = [...present, ...gone].sort((a, b) => Number(a.id) - Number(b.id))

  const goesOn = isCut || (isEnd && gone.some(({ id }) => Number(id) > lastId))
  if (goesOn) return { items, next: `${doneId + 1}:${after}` }
  return { items, next: isEnd ? null : `${lastId + 1}:${page.next}` }
}

function toUser(agent: { id: number }): ToolUser {
  const { name = `Agent ${agent.id}`, email = null, deleted = false } = takeFields(agentFields, agent)
  return { id: String(agent.id), name, email, isActive: !deleted }
}

function idsBetween(first: number, last: number, listed: ReadonlySet<number>): number[] {
  const gaps: number[] = []
  let start = first
  for (const id of [...listed, last + 1]) {
    if (id - start <= widestGap) for (let gap = start; gap < id; gap += 1) gaps.push(gap)
    start = id + 1
  }
  return gaps
}
