import { idOf } from '../../twins/zendesk/account.ts'
import { seedGuide } from '../../twins/zendesk/seed.ts'
import { startZendeskTwin } from '../../twins/zendesk/twin.ts'

export const moreArticles = 12

/** A Help Center of three levels, with drafts, articles for agents, duplicate titles, links and a file. */
export async function startGuide(cleanup: AsyncDisposableStack) {
  const twin = await startZendeskTwin()
  cleanup.defer(() => twin.close())
  seedGuide(twin.account, twin.guide, twin.staff)
  const [first] = twin.guide.list('articles')
  const [section] = twin.guide.list('sections')
  for (let at = 0; at < moreArticles; at += 1) {
    const isOurs = at % 3 === 0
    const settings = { ...first?.more, label_names: [], user_segment_id: isOurs ? 360_100_000_003 : null }
    const link = `<a href="${twin.url}/hc/en-us/articles/${first?.id}-Put-it-out">first</a>`
    const words = { title: `Article ${at % 6}`, body: `<p>Text ${at}, see the ${link}</p>`, draft: at % 4 === 0 }
    twin.guide.make('articles', idOf(section ?? { id: '0' }), { ...words, locale: 'en-us' }, { more: settings })
  }
  return twin
}
