import type { Reader } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { IntercomApi } from './api.ts'
import { lacking } from './look-around.ts'
import { findWithheld } from './withheld.ts'

/** Counts what is read, what is left out, and what Intercom withholds. */
export function openCounts(api: IntercomApi): Pick<Reader, 'count' | 'countSkipped' | 'countWithheld'> {
  const total = (path: string) => async () => {
    const json = await api.look(path, lacking, { per_page: 1 })
    const count = (json as { total_count?: unknown } | null)?.total_count
    return json === null ? 0 : Number.isInteger(count) ? Number(count) : null
  }
  /** A workspace with one language has no translations. */
  const countTranslations = async () => {
    const centers = await api.short('/help_center/help_centers', 'data', {}, lacking)
    if (!centers.some(({ locales }) => Array.isArray(locales) && locales.length > 1)) return 0
    const all = await api.all('/articles', 'data', {}, lacking)
    return all.reduce((sum, article) => sum + translationsOf(article), 0)
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
          articles: async () => {
            const [open, internal] = [await total('/articles')(), await total('/internal_articles')()]
            return open === null || internal === null ? null : open + internal
          },
        },
        only,
      ),
    countSkipped: () => countSkippedEach({ article_translations: countTranslations }),
    countWithheld: () => findWithheld(api),
  }
}

/** The number of languages that an article has beside its default language. */
function translationsOf(raw: RawRecord): number {
  const contents = Object.entries((raw.translated_content ?? {}) as Record<string, unknown>)
  return contents.filter(
    ([locale, content]) => typeof content === 'object' && content !== null && locale !== raw.default_locale,
  ).length
}
