import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Cleanups, expectBlogLinks, findWrong, move, oldLinksOf, readAnchors, showPages } from './follow-links.ts'
import { writeLinkedBlog } from './linked-blog.ts'
import { type LinkedDesk, writeLinkedDesk } from './linked-desk.ts'
import { lookInRedmine } from './linked-redmine.ts'
import { openGhost, openRedmine, openWordpress } from './open-destination.ts'
import { patienceMs } from './pair-service.ts'
import { readPlaces } from './place.ts'
import { callRedmine } from './redmine-live.ts'

// Links of every form in texts of a real source, followed in the destination as its readers do.

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const { wordpress, ghost, rt, redmine } = readPlaces()
const cleanups: Cleanups = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

describe.skipIf(!wordpress)('links of a WordPress (npm run live -- wordpress ghost)', () => {
  if (!wordpress) return test.skip('not started: wordpress', () => {})
  const { source } = wordpress

  test('point to the same records in another WordPress', async () => {
    const blog = await writeLinkedBlog(source)
    cleanups.push(blog.remove)
    await showPages(wordpress.destination, cleanups)
    const opened = await openWordpress(wordpress.destination)
    const moved = await move({ from: 'wordpress', to: 'wordpress', family: 'blog' }, source, opened, cleanups)
    await expectBlogLinks(blog, moved, source, wordpress.destination)
    const anchors = await readAnchors(moved.urlOf('posts', blog.linking))
    expect(anchors.get('post by comment')).toMatch(/#comment-\d+$/)
  })

  test.skipIf(!ghost)('point to the same records in Ghost', async () => {
    if (!ghost) return
    const blog = await writeLinkedBlog(source)
    cleanups.push(blog.remove)
    const opened = await openGhost(ghost.destination)
    const moved = await move({ from: 'wordpress', to: 'ghost', family: 'blog' }, source, opened, cleanups)
    await expectBlogLinks(blog, moved, source, ghost.destination)
  })
})

describe.skipIf(!rt || !redmine)('links of a Request Tracker (npm run live -- rt redmine)', () => {
  if (!rt || !redmine) return test.skip('not started: rt, redmine', () => {})

  test('point to the same tickets, messages and files in Redmine', async () => {
    const { source } = rt
    const { destination } = redmine
    const desk: LinkedDesk = await writeLinkedDesk(source)
    cleanups.push(desk.remove)
    const walk = { from: 'rt', to: 'redmine', family: 'helpdesk' as const }
    const moved = await move(walk, source, await openRedmine(destination), cleanups)
    for (const ticket of desk.linking) {
      const issue = moved.urlOf('tickets', ticket).slice(destination.url.length)
      const { json } = await callRedmine(destination, 'GET', `${issue}.json`)
      const description = String(json.issue.description)
      // Plain text has only the address.
      const hrefOf = (label: string) => new RegExp(`${label}(?:":|: )(\\S+)`).exec(description)?.[1]
      const sites = { source: source.url, destination: destination.url }
      expect(await findWrong(desk.links, hrefOf, sites, lookInRedmine(destination))).toEqual([])
      expect(description).toMatch(/the message(?:":|: )\S+\/issues\/\d+#change-\d+/)
      expect(await oldLinksOf(moved, 'tickets', ticket)).toHaveLength(
        desk.links.filter(({ title }) => title === null).length,
      )
    }
  })
})
