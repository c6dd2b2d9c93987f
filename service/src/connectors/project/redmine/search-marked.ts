import Type from 'typebox'
import { parseWhole } from './schema.ts'
import type { Writing } from './writing.ts'

export type MarkedPlace = { issueId: number } | { projectIdentifier: string; title: string }

const resultSchema = Type.Object({ type: Type.String(), url: Type.String() })

/** Searches a mark in all projects, for records without a key field and without a known parent. */
export async function searchMarked(
  { api }: Writing,
  mark: string,
  where: 'issues' | 'wiki_pages',
): Promise<MarkedPlace[]> {
  // `attachments` makes Redmine search the descriptions of files, too. They hold the marks of files.
  const query = { q: mark, scope: 'all', all_words: 1, [where]: 1, attachments: 1 }
  const results = await api.listAll('/search.json', 'results', query)
  return results.flatMap((item): MarkedPlace[] => {
    const { pathname } = new URL(parseWhole(resultSchema, item, 'a search result').url, api.base)
    const issue = /\/issues\/(\d+)$/.exec(pathname)
    if (issue) return [{ issueId: Number(issue[1]) }]
    const page = /\/projects\/([^/]+)\/wiki\/([^/]+)$/.exec(pathname)
    if (!page) return []
    return [{ projectIdentifier: String(page[1]), title: decodeURIComponent(String(page[2])) }]
  })
}
