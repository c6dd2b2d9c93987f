import type { Page } from '../contract.ts'
import type { Http } from './http.ts'

/** Ids of most tools are whole numbers; anything else cannot be one of their records. */
export const isNumberId = (id: string): boolean => /^[1-9]\d{0,14}$/.test(id)

/** Those of the ids that a list shows when it is asked for them. For `Reader.findIds`. */
export async function findListed(
  ids: readonly string[],
  list: (ids: readonly string[], cursor: string | null) => Promise<Page<{ id: string | number }>>,
): Promise<string[]> {
  const asked = ids.filter(isNumberId)
  const found: string[] = []
  let cursor: string | null = null
  while (asked.length > 0) {
    const page: Page<{ id: string | number }> = await list(asked, cursor)
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
  for (const id of ids.filter(isNumberId)) {
    const { status } = await http.look(pathOf(id), [403, 404, 410])
    if (status === 404 || status === 410) gone.push(id)
  }
  return gone
}
