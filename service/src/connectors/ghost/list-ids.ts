import { Check } from 'typebox/value'
import type { GhostApi } from './api.ts'
import { errorSchema, isId, type ListName } from './schema.ts'

/** Those of the ids that the list shows. A comment that was deleted stays in its table, and in no list. */
export async function findIds(api: GhostApi, name: ListName, ids: readonly string[]): Promise<string[]> {
  // Lists of comments and members ignore which fields are wanted.
  const found = await api.listByIds(name, ids, { fields: 'id', include: '', formats: '' })
  return found.map(({ id }) => id)
}

export async function findGone(api: GhostApi, name: ListName, ids: readonly string[]): Promise<string[]> {
  const gone: string[] = []
  for (const id of ids.filter(isId)) {
    const { status, json } = await api.look(`/${name}/${id}/`)
    // Without Ghost's own words the answer is somebody else's, such as a server's in front of it.
    const isUnknown = status === 404 && Check(errorSchema, json)
    const [record] = status === 200 ? ((json as Record<string, { status?: unknown }[]>)[name] ?? []) : []
    if (isUnknown || (name === 'comments' && record?.status === 'deleted')) gone.push(id)
  }
  return gone
}
