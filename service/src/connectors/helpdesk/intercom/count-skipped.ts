import type { Skipped } from '../../contract/contract.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { IntercomApi } from './api.ts'
import { countOf } from './counts.ts'
import { lacking } from './look-around.ts'

/** Counts what no run copies: translations, and news items. */
export const countSkipped = (api: IntercomApi): Promise<Skipped> =>
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
