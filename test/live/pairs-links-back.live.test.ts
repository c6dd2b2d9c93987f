import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  anchorsIn,
  type Cleanups,
  expectBlogLinks,
  findWrong,
  move,
  oldLinksOf,
  showPages,
  warningsOf,
} from './follow-links.ts'
import { writeLinkedGhost } from './linked-ghost.ts'
import { lookInRedmine, writeLinkedRedmine } from './linked-redmine.ts'
import { openRedmine, openRt, openWordpress } from './open-destination.ts'
import { patienceMs } from './pair-service.ts'
import { type Place, readPlaces } from './place.ts'
import { callRedmine } from './redmine-live.ts'

// Like pairs-links.live.test.ts, in the other direction.

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const { wordpress, ghost, rt, redmine } = readPlaces()
const cleanups: Cleanups = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

describe.skipIf(!wordpress || !ghost)('links of a Ghost (npm run live -- wordpress ghost)', () => {
  if (!wordpress || !ghost) return test.skip('not started: wordpress, ghost', () => {})

  test('point to the same records in WordPress', async () => {
    const { source } = ghost
    const blog = await writeLinkedGhost(source)
    cleanups.push(blog.remove)
    await showPages(wordpress.destination, cleanups)
    const opened = await openWordpress(wordpress.destination)
    const moved = await move({ from: 'ghost', to: 'wordpress', family: 'blog' }, source, opened, cleanups)
    await expectBlogLinks(blog, moved, source, wordpress.destination)
  })
})

describe.skipIf(!redmine)('links of a Redmine (npm run live -- redmine rt)', () => {
  if (!redmine) return test.skip('not started: redmine', () => {})
  const { source } = redmine

  test('point to the same issues, notes, files and pages in another Redmine', async () => {
    const { destination } = redmine
    const linked = await writeLinkedRedmine(source)
    cleanups.push(linked.remove)
    const walk = { from: 'redmine', to: 'redmine', family: 'project' as const }
    const moved = await move(walk, source, await openRedmine(destination), cleanups)
    // One issue has a version that is shared only by the parent of its project.
    const { warnings = [] } = await moved.portal.status()
    expect(warnings.map(({ code }: { code: string }) => code)).not.toContain('lost:milestone_refused')
    const issue = moved.urlOf('issues', linked.linking).slice(destination.url.length)
    const { json } = await callRedmine(destination, 'GET', `${issue}.json`)
    const description = String(json.issue.description)
    const hrefOf = (label: string) => description.split(`"${label}":`)[1]?.split(/\s/)[0]
    const sites = { source: source.url, destination: destination.url }
    const { none, ...found } = linked.links
    const all = [...Object.values(found).flat(), ...none]
    expect(await findWrong(all, hrefOf, sites, lookInRedmine(destination))).toEqual([])
    for (const label of ['the note', 'the change']) expect(hrefOf(label)).toMatch(/#(?:change|note)-\d+$/)
    expect(await oldLinksOf(moved, 'issues', linked.linking)).toHaveLength(none.length)
    // A number that its author escaped is no link in the destination either.
    expect(description).toMatch(/^!#\d+ is none\.\r?$/m)
    const page = await (await fetch(destination.url + issue)).text()
    expect(page).toMatch(/<p>#\d+ is none\.<\/p>/)
  })

  test.skipIf(!rt)(
    'point to the same tickets in Request Tracker; its texts never change, so other links stay',
    async () => {
      if (!rt) return
      const { destination } = rt
      const linked = await writeLinkedRedmine(source)
      cleanups.push(linked.remove)
      const walk = { from: 'redmine', to: 'rt', family: 'helpdesk' as const }
      const moved = await move(walk, source, await openRt(destination), cleanups)
      const id = new URL(moved.urlOf('tickets', linked.linking)).searchParams.get('id')
      const anchors = anchorsIn(await firstMessage(destination, String(id)), destination.url)
      const sites = { source: source.url, destination: destination.url }
      const { issues, later, pages, none } = linked.links
      // A link to a note points to its ticket; files arrive later, so links to them stay.
      const leads = [...issues, ...later.filter(({ title }) => title === 'Linked issue')]
      const files = later.filter((link) => !leads.includes(link))
      const stays = [...files, ...pages, ...none].map((link) => ({ ...link, title: null }))
      const look = async (url: string) => {
        const ticket = new URL(url).searchParams.get('id')
        const { status, json } = await ask(destination, `/ticket/${ticket}`)
        return `${status} ${json.Subject}`
      }
      expect(await findWrong([...leads, ...stays], (label) => anchors.get(label), sites, look)).toEqual([])
      expect(await warningsOf(moved, 'tickets', linked.linking)).toContain('link_not_rewritten')
    },
  )
})

async function ask(place: Place, path: string) {
  const headers = { authorization: `token ${place.access.token}` }
  const answer = await fetch(`${place.url}/REST/2.0${path}`, { headers })
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests that know them
  return { status: answer.status, json: (await answer.json()) as any }
}

/** The first text of a ticket, as it is stored. */
async function firstMessage(place: Place, ticket: string): Promise<string> {
  const { json } = await ask(place, `/ticket/${ticket}/attachments?fields=ContentType&per_page=100`)
  for (const { id, ContentType } of json.items) {
    if (ContentType !== 'text/html') continue
    const { json: part } = await ask(place, `/attachment/${id}`)
    return Buffer.from(String(part.Content), 'base64').toString('utf8')
  }
  throw new Error(`ticket ${ticket} says nothing`)
}
