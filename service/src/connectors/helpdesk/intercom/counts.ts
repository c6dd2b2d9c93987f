import type { Reader } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import type { IntercomApi } from './api.ts'
import { lacking } from './look-around.ts'
import { findWithheld } from './withheld.ts'

/** The number of records in a list. Null if Intercom does not tell. */
export async function countOf(api: IntercomApi, path: string): Promise<number | null> {
  const json = await api.look(path, lacking, { per_page: 1 })
  const count = (json as { total_count?: unknown } | null)?.total_count
  return json === null ? 0 : Number.isInteger(count) ? Number(count) : null
}

/** Counts what is read and what Intercom withholds. */
export function openCounts(api: IntercomApi): Pick<Reader, 'count' | 'countWithheld'> {
  const total = (path: string) => () => countOf(api, path)
  return {
    count: (only) =>
      countEach(
        {
          groups: async () => (await api.short('/teams', 'teams', {}, lacking)).length,
          organizations: null,
          contacts: total('/contacts'),
          ...{ tickets: null, comments: null, attachments: null },
          categories: total('/help_center/collections'),
          articles: async () => {
            const [open, internal] = [await total('/articles')(), await total('/internal_articles')()]
            return open === null || internal === null ? null : open + internal
          },
        },
        only,
      ),
    countWithheld: () => findWithheld(api),
  }
}
