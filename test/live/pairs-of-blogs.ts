import { blogOfHarbour } from './blog-of-harbour.ts'
import {
  copied,
  explainedOf,
  ghostInHarbour,
  inWordpress,
  protectedLater,
  toGhost,
  toWordpress,
  wordpressInHarbour,
} from './blog-rules.ts'
import { type BlogRules, compareBlogs } from './compare-blogs.ts'
import { csvBlog, csvBlogZip } from './csv-blog.ts'
import { selfIds } from './desk-of-harbour.ts'
import type { Facts } from './facts.ts'
import { readGhost, readGhostRows } from './facts-ghost.ts'
import { readWordpress, readWordpressRows } from './facts-wordpress.ts'
import { openGhost, openHarbour, openWordpress } from './open-destination.ts'
import type { Pair } from './pair.ts'
import type { Place } from './place.ts'
import { readAsAnyone } from './wordpress-unusual.ts'

const walk = (from: string, to: string) => ({ from, to, family: 'blog' as const })
const silent = { sends_no_mail: true, can_undo: true, delivery_class: 'C' }

export async function wordpressToGhost(source: Place, place: Place): Promise<Pair> {
  return {
    walk: walk('wordpress', 'ghost'),
    source: source.access,
    ...(await openGhost(place)),
    promises: silent,
    moments: [
      ['posts', 3],
      ['comments', 2],
      ['comments', 8],
    ],
    // Ghost has no passwords, so a protected post with a future date cannot be restricted.
    explained: [...(await explainedOf(source)), ...(await protectedLater(source))],
    read: () => readGhost(place),
    rows: () => readGhostRows(place),
    compare: async (before, now, records) => {
      const left = (await protectedLater(source)).map((line) => line.split(' ').slice(0, 2).join(' '))
      const facts = new Map([...copied(await readWordpress(source))].filter(([key]) => !left.includes(key)))
      return compareBlogs(facts, before, now, records, toGhost)
    },
  }
}

export async function wordpressToWordpress(source: Place, place: Place): Promise<Pair> {
  const shown = await readAsAnyone(place)
  return {
    walk: walk('wordpress', 'wordpress'),
    source: source.access,
    ...(await openWordpress(place)),
    promises: silent,
    moments: [
      ['posts', 3],
      ['comments', 2],
      ['comments', 8],
    ],
    explained: await explainedOf(source),
    read: () => readWordpress(place),
    rows: () => readWordpressRows(place),
    compare: async (before, now, records) =>
      compareBlogs(copied(await readWordpress(source)), before, now, records, inWordpress),
    async outsiders() {
      const [before, now] = [await readAsAnyone(source), await readAsAnyone(place)]
      const most = (what: string) => (before.get(what) ?? 0) + (shown.get(what) ?? 0)
      return [...now].flatMap(([what, count]) => (count > most(what) ? [`everyone sees ${what}`] : []))
    },
  }
}

export async function ghostToWordpress(source: Place, place: Place): Promise<Pair> {
  return {
    walk: walk('ghost', 'wordpress'),
    source: source.access,
    ...(await openWordpress(place)),
    promises: silent,
    moments: [
      ['posts', 3],
      ['comments', 2],
      ['comments', 6],
    ],
    explained: [],
    read: () => readWordpress(place),
    rows: () => readWordpressRows(place),
    compare: async (before, now, records) =>
      compareBlogs(withoutMembers(await readGhost(source)), before, now, records, toWordpress),
  }
}

const titled = (facts: Facts): Facts =>
  new Map([...facts].filter(([key, { title }]) => !key.startsWith('posts ') || title !== ''))
const withoutMembers = (facts: Facts): Facts => new Map([...facts].filter(([key]) => !key.startsWith('members ')))

const csvMoments: Pair['moments'] = [
  ['posts', 10],
  ['comments', 5],
  ['comments', 20],
]

export async function csvToGhost(place: Place): Promise<Pair> {
  const rules: BlogRules = { ...toGhost, namesAuthors: false, member: ({ isSubscribed }) => ({ isSubscribed }) }
  return {
    walk: walk('csv', 'ghost'),
    source: { zip: csvBlogZip() },
    ...(await openGhost(place)),
    promises: silent,
    moments: csvMoments,
    explained: [],
    read: () => readGhost(place),
    rows: () => readGhostRows(place),
    compare: (before, now, records) => compareBlogs(csvBlog(), before, now, records, rules),
  }
}

export async function csvToWordpress(place: Place): Promise<Pair> {
  return {
    walk: walk('csv', 'wordpress'),
    source: { zip: csvBlogZip() },
    ...(await openWordpress(place)),
    promises: silent,
    moments: csvMoments,
    explained: [],
    read: () => readWordpress(place),
    rows: () => readWordpressRows(place),
    compare: (before, now, records) =>
      compareBlogs(withoutMembers(csvBlog()), before, now, records, { ...toWordpress, namesAuthors: false }),
  }
}

const toHarbour = {
  promises: { can_undo: true, delivery_class: 'A' },
  moments: [
    ['posts', 1],
    ['pages', 1],
    ['comments', 1],
  ] as Pair['moments'],
  explained: [],
}

export async function wordpressToHarbour(source: Place): Promise<Pair> {
  return {
    walk: walk('wordpress', 'open'),
    source: source.access,
    ...(await openHarbour()),
    ...toHarbour,
    // Harbour refuses a post without a title.
    explained: ['posts 16 refused blank', ...(await explainedOf(source))],
    compare: async (_before, now, records) =>
      compareBlogs(
        copied(titled(await readWordpress(source))),
        new Map(),
        blogOfHarbour(now),
        selfIds(records),
        wordpressInHarbour,
      ),
  }
}

export async function ghostToHarbour(source: Place): Promise<Pair> {
  return {
    walk: walk('ghost', 'open'),
    source: source.access,
    ...(await openHarbour()),
    ...toHarbour,
    compare: async (_before, now, records) =>
      compareBlogs(await readGhost(source), new Map(), blogOfHarbour(now), selfIds(records), ghostInHarbour),
  }
}
