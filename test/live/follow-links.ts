import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { LinkedBlog, WrittenLink } from './linked-blog.ts'
import { type PairService, type Portal, type PortalOptions, startPairService } from './pair-service.ts'
import type { Place } from './place.ts'
import { lookForMail, takeBack } from './walk.ts'

// Migrates a source with links, and follows these links in the destination as its readers would.

export type Cleanups = (() => Promise<unknown>)[]

export interface Moved {
  portal: Portal
  urlOf(entity: string, sourceId: string): string
}

export async function move(
  walk: PortalOptions,
  source: Place,
  destination: { destination: Place['access'] },
  cleanups: Cleanups,
): Promise<Moved> {
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

export const warningsOf = async ({ portal }: Moved, entity: string, sourceId: string): Promise<string[]> =>
  (await portal.act('GET', `/records/${entity}/${encodeURIComponent(sourceId)}`)).warnings

/** The remaining links that the portal reports for a record. */
export async function oldLinksOf(moved: Moved, entity: string, sourceId: string): Promise<string[]> {
  const told = 'link_to_source:'
  const warnings = await warningsOf(moved, entity, sourceId)
  return warnings.filter((code) => code.startsWith(told)).map((code) => code.slice(told.length))
}

const decode = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#038;', '&')

/** The links of a page that people see, by their text. */
export async function readAnchors(url: string): Promise<Map<string, string>> {
  return anchorsIn(await (await fetch(url)).text(), url)
}

export function anchorsIn(html: string, url: string): Map<string, string> {
  const anchors = html.matchAll(/<a\b[^>]*?href="([^"]*)"[^>]*>([^<]*)<\/a>/g)
  return new Map(Array.from(anchors, ([, href = '', label = '']) => [label, withoutRef(new URL(decode(href), url))]))
}

/** Removes the `ref` parameter that Ghost adds to links to other sites. */
function withoutRef(url: URL): string {
  if (url.searchParams.has('ref')) url.searchParams.delete('ref')
  return url.href
}

/** Debian's package has no theme, and without a theme WordPress shows no page. */
const theme = `<?php
add_action('template_redirect', function () {
  $title = is_singular() ? get_the_title(get_queried_object_id()) : single_term_title('', false);
  echo '<title>' . esc_html($title) . '</title>';
  while (have_posts()) { the_post(); the_content(); }
  exit;
}, 99);
`

export async function showPages({ folder }: Place, cleanups: Cleanups): Promise<void> {
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

/** Finds wrong links. Each link must point to the record with its title, or stay in the source. */
export async function findWrong(
  links: readonly WrittenLink[],
  hrefOf: (label: string) => string | undefined,
  { source, destination }: { source: string; destination: string },
  look: (url: string) => Promise<string> = titleAt,
): Promise<string[]> {
  const wrong: string[] = []
  for (const { label, title } of links) {
    const href = hrefOf(label) ?? 'no link'
    if (title === null) {
      if (!href.startsWith(source)) wrong.push(`${label}: ${href}`)
      continue
    }
    const found = href.startsWith(destination) ? await look(href) : 'elsewhere'
    if (!found.startsWith(`200 ${title}`)) wrong.push(`${label}: ${href} is ${found}`)
  }
  return wrong
}

export async function expectBlogLinks(blog: LinkedBlog, moved: Moved, source: Place, place: Place): Promise<void> {
  const anchors = await readAnchors(moved.urlOf('posts', blog.linking))
  const sites = { source: source.url, destination: place.url }
  expect(await findWrong(blog.links, (label) => anchors.get(label), sites)).toEqual([])
  expect(anchors.get('foreign')).toMatch(/^https:\/\/example\.org\/x/)
  expect(anchors.get('post with anchor')).toMatch(/#part$/)
  const kept = blog.links.filter(({ title }) => title === null).map(({ label }) => anchors.get(label))
  expect((await oldLinksOf(moved, 'posts', blog.linking)).sort()).toEqual(kept.sort())
}
