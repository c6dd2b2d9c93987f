import { Check } from 'typebox/value'
import type { Query, WordpressApi } from './api.ts'
import { errorSchema, type ListName, type RawRecord } from './schema.ts'

const isNumber = (id: string) => /^\d{1,15}$/.test(id)

/** Those of the ids that the list shows: neither deleted, nor in the trash, nor spam. */
export async function findIds(
  api: WordpressApi,
  name: ListName,
  query: Query,
  ids: readonly string[],
): Promise<string[]> {
  const found = await api.listByIds(name, ids.filter(isNumber).map(Number), { ...query, _fields: 'id' })
  return found.map(({ id }) => String(id))
}

/** What WordPress says of an id that it does not have. Any other 404 may be the web server's, or a route that is missing. */
const invalid = /^rest_((post|comment)_invalid_id|comment_invalid_post_id|term_invalid)$/
/** `post-trashed`: the comment went into the trash with its post. */
const deleted = new Set(['trash', 'spam', 'post-trashed'])

export async function findGone(api: WordpressApi, name: ListName, ids: readonly string[]): Promise<string[]> {
  const gone: string[] = []
  for (const id of ids.filter(isNumber)) {
    const { status, json } = await api.probe(`/wp/v2/${name}/${id}`, { context: 'edit', _fields: 'id,status' })
    const isInvalid = status === 404 && Check(errorSchema, json) && invalid.test(json.code)
    const isTrashed = status === 200 && deleted.has(String((json as RawRecord & { status?: unknown }).status))
    if (isInvalid || isTrashed) gone.push(id)
  }
  return gone
}
