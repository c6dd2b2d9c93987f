import type { Page } from '../contract/contract.ts'
import type { Http } from './http.ts'

/** For a tool whose ids are whole numbers: nothing else can be one of its records. */
export const isNumberId = (id: string): boolean => /^[1-9]\d{0,14}$/.test(id)

/** Those of the ids that a list shows when it is asked for them. For `Reader.findIds`. */
export async function findListed(
  ids: readonly string[],
  list: (ids: readonly string[], cursor: string | null) => Promise<Page<{ id: string | number }>>,
): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = null
  while (ids.length > 0) {
    const page: Page<{ id: string | number }> = await list(ids, cursor)
    found.push(...page.items.map(({ id }) => String(id)))
    if (page.next === null) break
    cursor = page.next
  }
  return found
}

/**
 * Those of which the tool itself says that there is no such record: 404, or 410. One that the account may not see is not
 * among them. For `Reader.findGone`.
 */
export async function findMissing(
  http: Http,
  ids: readonly string[],
  pathOf: (id: string) => string,
): Promise<string[]> {
  const gone: string[] = []
  // An id of dots alone would change the path.
  for (const id of ids.filter((one) => !/^\.*$/.test(one))) {
    const { status } = await http.look(pathOf(encodeURIComponent(id)), [403, 404, 410])
    if (status === 404 || status === 410) gone.push(id)
  }
  return gone
}
