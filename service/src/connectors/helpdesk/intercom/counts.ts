import type { Reader, Skipped } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { IntercomApi } from './api.ts'
import { lacking } from './look-around.ts'
import { findWithheld } from './withheld.ts'

/** The number of records in a list. Null if Intercom does not tell. */
async function countOf(api: IntercomApi, path: string): Promise<number | null> {
  const json = await api.look(path, lacking, { per_page: 1 })
  const count = (json as { total_count?: unknown } | null)?.total_count
  return json === null ? 0 : Number.isInteger(count) ? Number(count) : null
}

/** Counts what is read and what Intercom withholds. */
export function openCounts(api: IntercomApi): Pick<Reader, 'count' | 'countSkipped' | 'countWithheld'> {
  const total = (path: string) => () => countOf(api, path)
  const articles = async () => {
    const [open, internal] = [await countOf(api, '/articles'), await countOf(api, '/internal_articles')]
    return open === null || internal === null ? null : open + internal
  }
  return {
    count: (only) =>
      countEach(
        {
          groups: async () => (await api.short('/teams', 'teams', {}, lacking)).length,
          organizations: null,
          contacts: total('/contacts'),
          ...{ tickets: null, comments: null, attachments: null },
          categories: total('/help_center/collections'),
          articles,
        },
        only,
      ),
    countSkipped: () => countSkipped(api),
    countWithheld: () => findWithheld(api),
  }
}

/** Counts what no run copies: translations, and news items. */
const countSkipped = (api: IntercomApi): Promise<Skipped> =>
  countSkippedEach({
    article_translations: () => countTranslations(api),
    news: () => countOf(api, '/news/news_items'),
  })

/** A workspace with one language has no translations. */
async function countTranslations(api: IntercomApi): Promise<number> {
  const centers = await api.short('/help_center/help_centers', 'data', {}, lacking)
  const isTranslated = centers.some(({ locales }) => Array.isArray(locales) && locales.length > 1)
  const all = isTranslated ? await api.all('/articles', 'data', {}, lacking) : []
  return all.reduce((sum, article) => sum + translationsOf(article), 0)
}

/** The number of languages that an article has beside its default language. */
function translationsOf(raw: RawRecord): number {
  const contents = Object.entries((raw.translated_content ?? {}) as Record<string, unknown>)
  return contents.filter(
    ([locale, content]) => typeof content === 'object' && content !== null && locale !== raw.default_locale,
  ).length
}
