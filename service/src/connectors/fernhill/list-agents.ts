import type { ToolUser } from '../../families/record.ts'
import type { Page } from '../contract.ts'
import type { FernhillApi } from './api.ts'
import { takeFields } from './schema.ts'

/** Well below the 50 requests a second that the desk allows, so that a page never runs into the limit by itself. */
const probesPerPage = 20
/** So many ids that were never given, one after the other, and we take it that there are no more agents. */
const missesAtEnd = 5
/** A desk that does not count its ids one by one; looking for those who left would never end. */
const widestGap = 1_000

interface Position {
  after: string | null
  /** The first id of this page that has not been dealt with. */
  fromId: number
}

/**
 * All agents, those who left among them. The list leaves these out, but they stay owners and authors, and
 * `GET /agents/:id` still names them: so every id that the list jumps over is asked for.
 */
export async function listAgents(api: FernhillApi, cursor: string | null): Promise<Page<ToolUser>> {
  const { after, fromId } = readPosition(cursor)
  const page = await api.list('agents', { after })
  const listed = page.data.filter(({ id }) => id >= fromId)
  const isEnd = page.next === null
  const lastId = listed.at(-1)?.id ?? fromId - 1
  const untilId = isEnd ? lastId + missesAtEnd : lastId
  const gaps = idsBetween(fromId, untilId, new Set(listed.map(({ id }) => id)))
  const probed = gaps.slice(0, probesPerPage)

  const gone: ToolUser[] = []
  for (const id of probed) {
    const agent = await api.agent(id)
    if (agent) gone.push({ id: String(id), name: agent.name, email: agent.email, isActive: !agent.deleted })
  }
  const isCut = probed.length < gaps.length
  const doneId = isCut ? (probed.at(-1) ?? untilId) : untilId
  const present = listed.filter(({ id }) => id <= doneId).map((raw) => toUser(takeFields('agents', raw).raw))
  const items = [...present, ...gone].sort((a, b) => Number(a.id) - Number(b.id))

  const goesOn = isCut || (isEnd && gone.some(({ id }) => Number(id) > lastId))
  if (goesOn) return { items, next: writePosition({ after, fromId: doneId + 1 }) }
  return { items, next: isEnd ? null : writePosition({ after: page.next, fromId: lastId + 1 }) }
}

function toUser(raw: { id: number; name?: string; email?: string | null; deleted?: boolean }): ToolUser {
  return {
    id: String(raw.id),
    name: raw.name ?? `Agent ${raw.id}`,
    email: raw.email ?? null,
    isActive: raw.deleted !== true,
  }
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

function readPosition(cursor: string | null): Position {
  if (cursor === null) return { after: null, fromId: 1 }
  const colon = cursor.indexOf(':')
  return { fromId: Number(cursor.slice(0, colon)), after: cursor.slice(colon + 1) || null }
}

function writePosition({ after, fromId }: Position): string {
  return `${fromId}:${after ?? ''}`
}
