import type { Reader } from '../../contract/contract.ts'
import { uncounted } from '../../kit/count-skipped.ts'
import { readAll } from '../../kit/pages.ts'
import { largestPage, type ZendeskApi } from './api.ts'
import type { Brand } from './look-around.ts'

/**
 * Counts records that no run copies: deleted tickets, which Zendesk keeps for 30 days, suspended tickets, which are
 * mails that Zendesk made no tickets of, and parts of the Help Center.
 */
export const countSkipped = (
  api: ZendeskApi,
  brands: () => Promise<readonly Brand[]>,
): Required<Pick<Reader, 'countSkipped'>> => ({
  async countSkipped() {
    const [deleted, suspended] = [await countOf(api, '/deleted_tickets'), await countOf(api, '/suspended_tickets')]
    const { host } = new URL(api.site)
    const all = await brands()
    const own = all.find(({ hosts }) => hosts.includes(host)) ?? all.find(({ isDefault }) => isDefault)
    const others = all.filter((brand) => brand.hasHelpCenter && brand !== own)
    return {
      ...(deleted !== null && { deleted_tickets: deleted }),
      ...(suspended !== null && { suspended_tickets: suspended }),
      article_translations: await countTranslations(api),
      other_help_centers: others.length,
    }
  },
})

/** Only numbered pages tell a count. Null if the account may not see the list. */
async function countOf(api: ZendeskApi, path: string): Promise<number | null> {
  const { json } = await api.http.look(path, uncounted, { per_page: 1 })
  const { count } = (json ?? {}) as { count?: unknown }
  return Number.isSafeInteger(count) ? Number(count) : null
}

/** Counts translated articles. The list of a language contains both its translations and its original articles. */
async function countTranslations(api: ZendeskApi): Promise<number> {
  const { status, json } = await api.http.look('/help_center/locales.json', [403, 404])
  const { locales } = (status === 200 ? json : {}) as { locales?: unknown }
  let translations = 0
  // An account with one language has no translations.
  for (const locale of Array.isArray(locales) && locales.length > 1 ? locales : []) {
    const path = `/help_center/${encodeURIComponent(String(locale))}/articles.json`
    const articles = await readAll(api.list(path, 'articles', {}, [404]), largestPage)
    translations += articles.filter(({ source_locale: own }) => own !== locale).length
  }
  return translations
}
