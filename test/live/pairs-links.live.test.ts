import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type LinkedBlog, writeLinkedBlog } from './linked-blog.ts'
import { type LinkedDesk, writeLinkedDesk } from './linked-desk.ts'
import { openGhost, openRedmine, openWordpress } from './open-destination.ts'
import { type PairService, type Portal, type PortalOptions, patienceMs, startPairService } from './pair-service.ts'
import { type Place, readPlaces } from './place.ts'
import { callRedmine } from './redmine-live.ts'
import { lookForMail, takeBack } from './walk.ts'

// Links of every form in texts of a real source, followed in the destination as its readers do.

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const { wordpress, ghost, rt, redmine } = readPlaces()
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

interface Moved {
  portal: Portal
  urlOf(entity: string, sourceId: string): string
}

async function move(walk: PortalOptions, source: Place, destination: { destination: Place['access'] }): Promise<Moved> {
  const service: PairService = await startPairService()
  cleanups.push(() => service.close())
  const portal = await service.openPortal({ ...walk, startsFull: true })
  await portal.connect('source', source.access)
  await portal.connect('destination', destination.destination)
  await lookForMail(portal, walk)
  await portal.until('migration_completed')
  cleanups.push(() => takeBack(portal))
  const records = await portal.records()
  return {
    portal,
    urlOf(entity, sourceId) {
      const found = records.find((record) => record.entity === entity && record.source_id === sourceId)
      return String((found as { destination_url?: string } | undefined)?.destination_url)
    },
  }
}

/** What the portal says of the links that were left. */
async function oldLinksOf({ portal }: Moved, entity: string, sourceId: string): Promise<string[]> {
  const { warnings } = await portal.act('GET', `/records/${entity}/${encodeURIComponent(sourceId)}`)
  return warnings
    .filter((code: string) => code.startsWith('link_to_source:'))
    .map((code: string) => code.slice('link_to_source:'.length))
}

const decode = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#038;', '&')

/** The links of a page that people see, by their words. */
async function readAnchors(url: string): Promise<Map<string, string>> {
  const html = await (await fetch(url)).text()
  const anchors = html.matchAll(/<a\b[^>]*?href="([^"]*)"[^>]*>([^<]*)<\/a>/g)
  return new Map(Array.from(anchors, ([, href = '', label = '']) => [label, withoutRef(new URL(decode(href), url))]))
}

/** Ghost adds to links that leave it where readers came from. */
function withoutRef(url: URL): string {
  if (url.searchParams.has('ref')) url.searchParams.delete('ref')
  return url.href
}

/** The package of Debian has no theme, and without one nobody sees a page. */
const theme = `<?php
add_action('template_redirect', function () {
  $title = is_singular() ? get_the_title(get_queried_object_id()) : single_term_title('', false);
  echo '<title>' . esc_html($title) . '</title>';
  while (have_posts()) { the_post(); the_content(); }
  exit;
}, 99);
`

async function showPages({ folder }: Place): Promise<void> {
  const plugins = join(folder, 'site/wp-content/mu-plugins')
  await mkdir(plugins, { recursive: true })
  await writeFile(join(plugins, 'show-pages.php'), theme)
  cleanups.push(() => rm(plugins, { recursive: true }))
}

async function titleAt(url: string): Promise<string> {
  const answer = await fetch(url)
  const type = String(answer.headers.get('content-type'))
  const text = await answer.text()
  if (type.startsWith('image/')) return `${answer.status} ${type}`
  return `${answer.status} ${/<title>([^<]*)<\/title>/.exec(text)?.[1] ?? ''}`
}

async function expectBlogLinks(blog: LinkedBlog, moved: Moved, source: Place, destination: Place): Promise<void> {
  const anchors = await readAnchors(moved.urlOf('posts', blog.linking))
  const wrong: string[] = []
  for (const { label, title } of blog.links) {
    const href = anchors.get(label) ?? 'no link'
    if (title === null) {
      if (!href.startsWith(source.url)) wrong.push(`${label}: ${href}`)
      continue
    }
    const found = href.startsWith(destination.url) ? await titleAt(href) : 'elsewhere'
    if (!found.startsWith(`200 ${title}`)) wrong.push(`${label}: ${href} is ${found}`)
  }
  expect(wrong).toEqual([])
  expect(anchors.get('foreign')).toMatch(/^https:\/\/example\.org\/x/)
  expect(anchors.get('post with anchor')).toMatch(/#part$/)
  const kept = blog.links.filter(({ title }) => title === null).map(({ label }) => anchors.get(label))
  expect((await oldLinksOf(moved, 'posts', blog.linking)).sort()).toEqual(kept.sort())
}

describe.skipIf(!wordpress)('links of a WordPress (npm run live -- wordpress ghost)', () => {
  if (!wordpress) return test.skip('not started: wordpress', () => {})
  const { source } = wordpress

  test('lead to the same things in another WordPress', async () => {
    const blog = await writeLinkedBlog(source)
    cleanups.push(blog.remove)
    await showPages(wordpress.destination)
    const opened = await openWordpress(wordpress.destination)
    const moved = await move({ from: 'wordpress', to: 'wordpress', family: 'blog' }, source, opened)
    await expectBlogLinks(blog, moved, source, wordpress.destination)
    const anchors = await readAnchors(moved.urlOf('posts', blog.linking))
    expect(anchors.get('post by comment')).toMatch(/#comment-\d+$/)
  })

  test.skipIf(!ghost)('lead to the same things in Ghost', async () => {
    if (!ghost) return
    const blog = await writeLinkedBlog(source)
    cleanups.push(blog.remove)
    const opened = await openGhost(ghost.destination)
    const moved = await move({ from: 'wordpress', to: 'ghost', family: 'blog' }, source, opened)
    await expectBlogLinks(blog, moved, source, ghost.destination)
  })
})

describe.skipIf(!rt || !redmine)('links of a Request Tracker (npm run live -- rt redmine)', () => {
  if (!rt || !redmine) return test.skip('not started: rt, redmine', () => {})

  test('lead to the same tickets, messages and files in Redmine', async () => {
    const { source } = rt
    const { destination } = redmine
    const desk: LinkedDesk = await writeLinkedDesk(source)
    cleanups.push(desk.remove)
    const moved = await move({ from: 'rt', to: 'redmine', family: 'helpdesk' }, source, await openRedmine(destination))
    const ask = async (url: string) => {
      const path = url.slice(destination.url.length).replace(/#.*$/, '')
      const file = /^\/attachments\/(?:download\/)?(\d+)/.exec(path)?.[1]
      const { status, json } = await callRedmine(
        destination,
        'GET',
        file === undefined ? `${path}.json` : `/attachments/${file}.json`,
      )
      return `${status} ${json?.issue?.subject ?? json?.attachment?.filename}`
    }
    for (const ticket of desk.linking) {
      const issue = moved.urlOf('tickets', ticket).slice(destination.url.length)
      const { json } = await callRedmine(destination, 'GET', `${issue}.json`)
      const description = String(json.issue.description)
      const wrong: string[] = []
      for (const { label, title } of desk.links) {
        // Words without markup have only the address.
        const [, href = 'no link'] = new RegExp(`${label}(?:":|: )(\\S+)`).exec(description) ?? []
        if (title === null) {
          if (!href.startsWith(source.url)) wrong.push(`${label}: ${href}`)
        } else {
          const found = href.startsWith(destination.url) ? await ask(href) : 'elsewhere'
          if (found !== `200 ${title}`) wrong.push(`${label}: ${href} is ${found}`)
        }
      }
      expect(wrong).toEqual([])
      expect(description).toMatch(/the message(?:":|: )\S+\/issues\/\d+#change-\d+/)
      expect(await oldLinksOf(moved, 'tickets', ticket)).toHaveLength(
        desk.links.filter(({ title }) => title === null).length,
      )
    }
  })
})
