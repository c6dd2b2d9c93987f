import type { Page } from '../connectors/contract/contract.ts'
import { UnreadableAnswerError } from '../errors.ts'

/**
 * All pages of records that a source is asked for by their ids. Records below others may come in several pages, such as
 * files of tickets and those of their comments.
 */
export async function* pagesOf<P extends Pick<Page<unknown>, 'next'>>(
  read: (cursor: string | null) => Promise<P>,
): AsyncGenerator<P> {
  const seen = new Set<string | null>()
  for (let cursor: string | null = null; !seen.has(cursor); ) {
    seen.add(cursor)
    const page: P = await read(cursor)
    yield page
    if (page.next === null) return
    cursor = page.next
  }
  throw new UnreadableAnswerError('a list of a tool does not end')
}
