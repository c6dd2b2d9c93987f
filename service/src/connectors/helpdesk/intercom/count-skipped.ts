import type { Skipped } from '../../contract/contract.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { IntercomApi } from './api.ts'
import { lacking } from './look-around.ts'

/** Counts translations, which no run copies. A workspace with one language has none. */
export async function countSkipped(api: IntercomApi): Promise<Skipped> {
  const centers = await api.short('/help_center/help_centers', 'data', {}, lacking)
  const isTranslated = centers.some(({ locales }) => Array.isArray(locales) && locales.length > 1)
  const all = isTranslated ? await api.all('/articles', 'data', {}, lacking) : []
  return { article_translations: all.reduce((sum, article) => sum + translationsOf(article), 0) }
}

/** The number of languages that an article has beside its default language. */
function translationsOf(raw: RawRecord): number {
  const contents = Object.entries((raw.translated_content ?? {}) as Record<string, unknown>)
  return contents.filter(
    ([locale, content]) => typeof content === 'object' && content !== null && locale !== raw.default_locale,
  ).length
}
