import type { Reader } from '../../contract/contract.ts'
import { countSkippedEach, uncounted } from '../../kit/count-skipped.ts'
import { objectsIn, type RawRecord, valueAt } from '../../kit/lens.ts'
import { readAll } from '../../kit/pages.ts'
import { largestPage, type ZendeskApi } from './api.ts'
import { findWithheld, unlessClosed } from './help-center.ts'
import type { Brand } from './look-around.ts'

/**
 * Counts records that no run copies: deleted tickets, which Zendesk keeps for 30 days, suspended tickets, which are
 * mails that Zendesk made no tickets of, custom objects, the community forum, and parts of the Help Center.
 */
export function openCounts(
  api: ZendeskApi,
  brands: () => Promise<readonly Brand[] | null>,
): Required<Pick<Reader, 'countSkipped' | 'countWithheld'>> {
  const { host } = new URL(api.site)
  const ownOf = (all: readonly Brand[] | null) =>
    all?.find(({ hosts }) => hosts.includes(host)) ?? all?.find(({ isDefault }) => isDefault)
  return {
    countSkipped: () =>
      countSkippedEach({
        deleted_tickets: () => countOf(api, '/deleted_tickets'),
        suspended_tickets: () => countOf(api, '/suspended_tickets'),
        custom_records: () => countCustomRecords(api),
        community_posts: () => countOf(api, '/community/posts.json'),
        article_translations: () => countTranslations(api),
        async other_help_centers() {
          const all = await brands()
          return all?.filter((brand) => brand.hasHelpCenter && brand !== ownOf(all)).length ?? null
        },
      }),
    // A brand without a Help Center withholds nothing.
    countWithheld: async () => (ownOf(await brands())?.hasHelpCenter === false ? {} : findWithheld(api)),
  }
}

/** Only numbered pages tell a count. Null if the account may not see the list. */
async function countOf(api: ZendeskApi, path: string): Promise<number | null> {
  const { json } = await api.http.look(path, uncounted, { per_page: 1 })
  const { count } = (json ?? {}) as { count?: unknown }
  return Number.isSafeInteger(count) ? Number(count) : null
}

/** Counts the records of custom objects. Null if the account does not open them. */
async function countCustomRecords(api: ZendeskApi): Promise<number | null> {
  const { status, json } = await api.http.look('/custom_objects', uncounted)
  if (status !== 200) return null
  let records = 0
  for (const { key } of objectsIn((json as { custom_objects?: unknown }).custom_objects)) {
    const path = `/custom_objects/${encodeURIComponent(String(key))}/records/count`
    const count = valueAt(((await api.http.look(path, uncounted)).json ?? {}) as RawRecord, 'count.value')
    records += Number(count) || 0
  }
  return records
}

/**
 * Counts translated articles. The list of a language contains both its translations and its original articles. Null if
 * the account does not open its Help Center.
 */
async function countTranslations(api: ZendeskApi): Promise<number | null> {
  const { status, json } = await api.http.look('/help_center/locales.json', [403, 404])
  if (status === 403) return null
  const { locales } = (status === 200 ? json : {}) as { locales?: unknown }
  let translations = 0
  // An account with one language has no translations.
  for (const locale of Array.isArray(locales) && locales.length > 1 ? locales : []) {
    const path = `/help_center/${encodeURIComponent(String(locale))}/articles.json`
    const articles = await readAll(unlessClosed(api, api.list(path, 'articles', {}, [404])), largestPage)
    translations += articles.filter(({ source_locale: own }) => own !== locale).length
  }
  return translations
}
