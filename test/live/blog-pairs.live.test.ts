import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import { zipOf } from '../connectors/csv-upload.ts'
import { rows } from '../portal/csv-export.ts'
import { type BlogFacts, readGhostFacts, readWordpressFacts } from './blog-facts.ts'
import { type BlogRules, compareBlogs } from './compare-blogs.ts'
import { startGhost } from './ghost.ts'
import { callGhost } from './ghost-seed.ts'
import { isGiven as isGhostGiven, openGhostSite } from './ghost-site.ts'
import { expectClosed, type PairService, patienceMs, startPairService } from './pair-service.ts'
import { arrive, takeAll, takeBack, takeSample } from './walk.ts'
import { startWordpress } from './wordpress.ts'
import { callAs } from './wordpress-seed.ts'
import { isGiven as isWordpressGiven, openSite } from './wordpress-site.ts'

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

// Whole imports between real blogs, through the service as it runs. Set WHERRY_LIVE_GHOST=start, and for those with
// WordPress WHERRY_LIVE_WORDPRESS=start.

const counts = ({ posts, pages, comments }: BlogFacts) => [posts, pages, comments].map(({ length }) => length)
const withoutByline = (words: string) => words.replace(/\s*Written by .*$/, '')
const bytesAt = async (url: string) => {
  const answer = await fetch(url)
  return answer.ok ? Buffer.from(await answer.arrayBuffer()) : null
}
/** Ghost and WordPress both keep what was uploaded beside what they show. */
const originalAt = async (url: string) => {
  const whole = url.replace(/-\d+x\d+(\.\w+)$/, '$1')
  const kept = await Promise.all(
    [whole.replace(/(\.\w+)$/, '_o$1'), whole.replace('-scaled.', '.'), whole].map(bytesAt),
  )
  return kept.find((bytes) => bytes !== null) ?? null
}
async function isSamePicture(from: string, to: string): Promise<boolean> {
  const [one, other] = [await originalAt(from), await originalAt(to)]
  return one !== null && other !== null && one.equals(other) && new URL(from).host !== new URL(to).host
}

let service: PairService
beforeAll(async () => {
  if (isGhostGiven) service = await startPairService()
})
afterAll(() => service?.close())

describe.skipIf(!isGhostGiven || !isWordpressGiven)('from WordPress to Ghost', () => {
  const statuses: Record<string, string> = { publish: 'published', future: 'scheduled' }
  const rules: BlogRules = {
    // What only some may see is not shown to everyone, and nothing is published that was not.
    status: ({ status }) => statuses[status] ?? 'draft',
    terms: ({ terms }) => terms,
    words: withoutByline,
    date: ({ date }) => date,
    isSamePicture,
  }

  test('everything comes over once, whatever breaks on the way, and can be taken back', async () => {
    const wordpress = await openSite()
    const ghost = await startGhost('pair-destination')
    try {
      const call = callGhost(ghost.access)
      const before = await readGhostFacts(call)
      const walk = {
        ...{ from: 'wordpress', to: 'ghost', family: 'blog' as const },
        ...{ source: wordpress.access, destination: ghost.access },
      }
      const { portal, plan } = await arrive(service, walk)
      expect(plan.destination).toMatchObject({ sends_no_mail: true, can_undo: true, delivery_class: 'C' })
      await portal.start('sample')
      await portal.untilWritten('posts', 3)
      await service.killWorkers()
      await service.startWorker()
      await portal.untilWritten('comments', 2)
      await ghost.restart()
      await portal.until('sample_migration_completed')
      await takeAll(portal)
      const records = await portal.records()
      expectClosed(records)
      const source = await readWordpressFacts(wordpress.call)
      const after = await readGhostFacts(call)
      expect(await compareBlogs(source, before, after, records, rules)).toEqual([])
      expect(await ghost.mails()).toBe(0)
      await takeBack(portal)
      expect(await readGhostFacts(call)).toEqual(before)
      for (const name of ['tags', 'members', 'labels']) {
        const { total } = (await call('GET', `/${name}/?limit=1`)).meta.pagination
        expect([name, total]).toEqual([name, name === 'tags' ? 1 : 0])
      }
      expect(counts(await readWordpressFacts(wordpress.call))).toEqual(counts(source))
    } finally {
      await ghost.stop()
      await wordpress.stop()
    }
  })
})

describe.skipIf(!isGhostGiven || !isWordpressGiven)('from Ghost to WordPress', () => {
  const statuses: Record<string, string> = { published: 'publish', scheduled: 'future', draft: 'draft' }
  const rules: BlogRules = {
    status: ({ status }) => statuses[status] ?? 'private',
    // A post without any category has the one that WordPress gives.
    terms: ({ terms }) => [...terms, 'Uncategorized'].sort(),
    words: withoutByline,
    date: ({ status, date }) => (status === 'draft' ? null : date),
    isSamePicture,
  }

  test('everything comes over once, though the worker is killed, and can be taken back', async () => {
    const ghost = await openGhostSite()
    const wordpress = await startWordpress('pair-destination')
    try {
      const call = callAs(wordpress.access)
      const before = await readWordpressFacts(call)
      const walk = {
        ...{ from: 'ghost', to: 'wordpress', family: 'blog' as const },
        ...{ source: ghost.access, destination: wordpress.access },
      }
      const { portal } = await arrive(service, walk)
      await portal.start('sample')
      await portal.untilWritten('posts', 3)
      await service.killWorkers()
      await service.startWorker()
      await portal.until('sample_migration_completed')
      await takeAll(portal)
      const records = await portal.records()
      expectClosed(records)
      const source = await readGhostFacts(ghost.call)
      const after = await readWordpressFacts(call)
      const pageTerms = (facts: BlogFacts) => ({ ...facts, pages: facts.pages.map((page) => ({ ...page, terms: [] })) })
      const pageRules = {
        ...rules,
        terms: (post: { terms: string[] }) =>
          post.terms.length > 0 || source.posts.includes(post as never) ? rules.terms(post as never) : [],
      }
      expect(await compareBlogs(pageTerms(source), before, pageTerms(after), records, pageRules)).toEqual([])
      expect(await wordpress.mails()).toBe(0)
      await takeBack(portal)
      expect(await readWordpressFacts(call)).toEqual(before)
      expect(counts(await readGhostFacts(ghost.call))).toEqual(counts(source))
    } finally {
      await wordpress.stop()
      await ghost.stop()
    }
  })
})

describe.skipIf(!isGhostGiven)('from files to Ghost', () => {
  test('every row comes over once, in its thread, and can be taken back', async () => {
    const ghost = await startGhost('pair-files')
    try {
      const call = callGhost(ghost.access)
      const before = await readGhostFacts(call)
      const posts = Array.from(
        { length: 30 },
        (_, index) => `p${index},Post ${index} 🚀,<p>Text ${index} שלום</p>,published,2015-05-05T05:05:05Z,News`,
      )
      const comments = Array.from(
        { length: 30 },
        (_, index) =>
          `k${index},p${index % 3},Guest ${index},g${index % 7}@export.example,<p>Comment ${index}</p>,approved,${index < 3 ? '' : `k${index - 3}`},2016-01-01T00:00:${String(index).padStart(2, '0')}Z`,
      )
      const people = Array.from({ length: 10 }, (_, index) => `s${index}@export.example,Reader ${index},subscribed`)
      const zip = zipOf([
        { name: 'tags.csv', content: rows('name,slug', 'News,news') },
        { name: 'posts.csv', content: rows('id,title,body,status,published_at,tags', ...posts) },
        {
          name: 'comments.csv',
          content: rows('id,post_id,author_name,author_email,body,status,parent_comment_id,created_at', ...comments),
        },
        { name: 'subscribers.csv', content: rows('email,name,status', ...people) },
      ])
      const portal = await service.openPortal({ from: 'csv', to: 'ghost', family: 'blog' })
      const { id } = await portal.act('POST', '/uploads', { file_name: 'export.zip', size: zip.length })
      await portal.act('PUT', `/uploads/${id}/content?offset=0`, new Uint8Array(zip))
      await portal.wait('the files to be read', async () => {
        const { status, json } = await portal.send('POST', `/uploads/${id}/finish`, {})
        if (status > 202) throw new Error(JSON.stringify(json))
        return status === 200 ? json : null
      })
      await portal.act('PUT', '/accounts/source', { upload: id })
      await portal.connect('destination', ghost.access)
      await portal.plan()
      await takeSample(portal, { from: 'csv', to: 'ghost', family: 'blog' })
      await portal.sponsor()
      await portal.start('full')
      await portal.untilWritten('posts', 22)
      await service.killWorkers()
      await ghost.restart()
      await service.startWorker()
      await portal.until('migration_completed')
      const records = await portal.records()
      expectClosed(records)
      const after = await readGhostFacts(call)
      expect(after.posts.map(({ title, words, status }) => `${title} ${words} ${status}`).sort()).toEqual(
        Array.from({ length: 30 }, (_, index) => `Post ${index} 🚀 Text ${index} שלום published`).sort(),
      )
      const idOf = (source: string) =>
        records.find(({ entity, source_id }) => entity === 'comments' && source_id === source)?.destination_id ?? null
      expect(after.comments).toHaveLength(30)
      for (let index = 0; index < 30; index += 1) {
        expect(after.comments.find((comment) => comment.id === idOf(`k${index}`))).toMatchObject({
          words: `Comment ${index}`,
          email: `g${index % 7}@export.example`,
          parent: index < 3 ? null : idOf(`k${index - 3}`),
        })
      }
      const people_ = (await call('GET', '/members/?limit=100')).members.filter(({ email }: { email: string }) =>
        email.startsWith('s'),
      )
      expect(people_).toHaveLength(10)
      expect(await ghost.mails()).toBe(0)
      await takeBack(portal)
      expect(await readGhostFacts(call)).toEqual(before)
      expect((await call('GET', '/members/?limit=1')).meta.pagination.total).toBe(0)
    } finally {
      await ghost.stop()
    }
  })
})

describe.skipIf(!isGhostGiven)('from Ghost to Harbour', () => {
  test('everything comes over once, and can be taken back', async () => {
    const ghost = await openGhostSite()
    const token = 'harbour-token'
    const harbour = await startHarbour({ port: 0, dataFile: ':memory:', token, adminKey: 'admin-key' })
    try {
      const walk = {
        ...{ from: 'ghost', to: 'open', family: 'blog' as const, source: ghost.access },
        destination: { instanceUrl: harbour.baseUrl, username: null, token },
      }
      const { portal } = await arrive(service, walk)
      await portal.start('sample')
      await portal.untilWritten('posts', 3)
      await service.killWorkers()
      await service.startWorker()
      await portal.until('sample_migration_completed')
      await takeAll(portal)
      const records = await portal.records()
      expectClosed(records)
      const source = await readGhostFacts(ghost.call)
      const written = (entity: string) => records.filter((record) => record.entity === entity).length
      expect(['posts', 'pages', 'comments'].map(written)).toEqual(counts(source))
      await takeBack(portal)
      const left = (await portal.records()).filter(({ state }) => state === 'written')
      expect(left).toEqual([])
    } finally {
      await harbour.close()
      await ghost.stop()
    }
  })
})
