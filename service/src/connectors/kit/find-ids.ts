import type { ToolAnswer } from '../../outbound/call-tool.ts'
import type { Page } from '../contract/contract.ts'
import type { Http } from './http.ts'
import { sideBySide } from './side-by-side.ts'

/** Whether a text can be an id of a tool whose ids are whole numbers. */
export const isNumberId = (id: string): boolean => /^[1-9]\d{0,14}$/.test(id)

/** Returns the ids that the tool's list contains when asked for them. For `Reader.findIds`. */
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

export const isMissing = ({ status }: ToolAnswer<unknown>): boolean => status === 404 || status === 410

/**
 * Returns the ids for which the tool answers 404 or 410. A record that the account may not see (403) is not included.
 * `isGone` is for tools that say it in another way. For `Reader.findGone`.
 */
export async function findMissing(
  http: Http,
  ids: readonly string[],
  pathOf: (id: string) => string,
  isGone: (answer: ToolAnswer<unknown>, id: string) => boolean = isMissing,
): Promise<string[]> {
  const gone: string[] = []
  // An id made only of dots would change the path.
  for (const id of ids.filter((one) => !/^\.*$/.test(one))) {
    if (isGone(await http.look(pathOf(encodeURIComponent(id)), [403, 404, 410]), id)) gone.push(id)
  }
  return gone
}

/** Returns the ids of which `isGone` says so, for a tool that shows deleted records in its own way. */
export async function goneAmong(
  ids: readonly string[],
  atOnce: number,
  isGone: (id: string) => Promise<boolean>,
): Promise<string[]> {
  const gone = await sideBySide(ids, atOnce, isGone)
  return ids.filter((_, index) => gone[index])
}
