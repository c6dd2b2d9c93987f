import { afterEach, describe, expect, test, vi } from 'vitest'
import { readBefore } from './expect-whole.ts'
import { listChanges } from './facts.ts'
import { callGhost } from './ghost-seed.ts'
import type { Pair } from './pair.ts'
import { type Portal, patienceMs, startPairService } from './pair-service.ts'
import { wordpressToGhost } from './pairs-of-blogs.ts'
import { redmineToHarbour, rtToHarbour } from './pairs-of-desks.ts'
import { inDatabase, type Place, readPlaces } from './place.ts'
import { callRedmine } from './redmine-live.ts'
import { connect, takeBack } from './walk.ts'
import { callAs } from './wordpress-seed.ts'

// People delete records in a real source after the migration. The delta reports them, then they are removed or kept.

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const { wordpress, ghost, rt, redmine } = readPlaces()
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

async function migrate(pair: Pair): Promise<Portal> {
  const service = await startPairService()
  cleanups.push(
    () => service.close(),
    async () => pair.close?.(),
  )
  const portal = await connect(service, pair, true)
  await portal.until('migration_completed')
  return portal
}

async function run(portal: Portal, kind: 'delta' | 'removal'): Promise<void> {
  await portal.start(kind)
  await portal.until('migration_completed')
}

interface Listed {
  entity: string
  source_id: string
  destination_id: string | null
  state: string
  code: string | null
  title?: string
}

/** Records that the source no longer has, as `entity/source id`, as the portal lists them. */
async function listGone(portal: Portal): Promise<Listed[]> {
  const { records } = await portal.act('GET', '/records?code=gone_from_source&titles=true&limit=50')
  return records
}
const keysOf = (records: Listed[]) => records.map(({ entity, source_id }) => `${entity}/${source_id}`).sort()
const placeOf = async (portal: Portal, entity: string, sourceId: number | string): Promise<Listed> => {
  const { records } = await portal.act('GET', `/records?entity=${entity}&id=${sourceId}`)
  return records.find((record: Listed) => record.source_id === String(sourceId))
}
const countsOf = async (portal: Portal) =>
  Object.fromEntries(
    ((await portal.status()).warnings ?? [])
      .filter(({ code }: { code: string }) => code === 'gone_from_source')
      .map(({ entity, count }: { entity: string; count: number }) => [entity, count]),
  )

describe.skipIf(!wordpress || !ghost)('WordPress to Ghost (npm run live -- wordpress ghost)', () => {
  if (!wordpress || !ghost) return test.skip('not started: wordpress, ghost', () => {})
  const { source } = wordpress
  const { destination } = ghost

  test('posts and comments that were deleted, trashed or marked as spam are reported, and removed from Ghost', async () => {
    const call = callAs(source.access)
    const see = callGhost(destination.access)
    const made = async (route: string, body: object) => {
      const { id } = await call('POST', route, body)
      cleanups.push(() => call('DELETE', `${route}/${id}?force=true`).catch(() => {}))
      return id
    }
    const post = (title: string) => made('/posts', { title, content: `<p>${title}</p>`, status: 'publish' })
    const comment = (on: number, content: string) =>
      made('/comments', { post: on, content, author_name: 'Guest', author_email: 'guest@example.com' })
    const kept = await post('A post that stays')
    const deleted = await post('A post that is deleted')
    const trashed = await post('A post that is trashed')
    const edited = await post('A post that Ghost’s people edit')
    const unpublished = await post('A post that becomes a draft')
    const comments = {
      stays: await comment(kept, 'This one stays'),
      spam: await comment(kept, 'This one is spam'),
      trashed: await comment(kept, 'This one is trashed'),
      deleted: await comment(kept, 'This one is deleted'),
      withPost: await comment(trashed, 'This one goes with its post'),
    }
    const pair = await wordpressToGhost(source, destination)
    const before = await readBefore(pair)
    const portal = await migrate(pair)
    const inGhost = async (entity: string, id: number) => (await placeOf(portal, entity, id)).destination_id
    const ids = {
      kept: await inGhost('posts', kept),
      deleted: await inGhost('posts', deleted),
      trashed: await inGhost('posts', trashed),
      edited: await inGhost('posts', edited),
    }
    await run(portal, 'delta')
    expect(await countsOf(portal)).toEqual({})

    await call('DELETE', `/posts/${deleted}?force=true`)
    await call('DELETE', `/posts/${trashed}`)
    await call('DELETE', `/posts/${edited}`)
    await call('POST', `/posts/${unpublished}`, { status: 'draft' })
    await call('POST', `/comments/${comments.spam}`, { status: 'spam' })
    await call('DELETE', `/comments/${comments.trashed}`)
    await call('DELETE', `/comments/${comments.deleted}?force=true`)
    await run(portal, 'delta')
    const goneComments = [comments.spam, comments.trashed, comments.deleted, comments.withPost]
    const told = await listGone(portal)
    expect(keysOf(told)).toEqual(
      [...[deleted, trashed, edited].map((id) => `posts/${id}`), ...goneComments.map((id) => `comments/${id}`)].sort(),
    )
    expect(await countsOf(portal)).toEqual({ posts: 3, comments: 4 })
    expect(told.find(({ entity, source_id }) => entity === 'posts' && source_id === String(trashed))?.title).toBe(
      'A post that is trashed',
    )

    const { posts } = await see('GET', `/posts/${ids.edited}/`)
    const [now] = posts as { updated_at: string }[]
    await see('PUT', `/posts/${ids.edited}/`, { posts: [{ updated_at: now?.updated_at, custom_excerpt: 'Edited' }] })
    await run(portal, 'removal')
    const isThere = (id: string | null) =>
      see('GET', `/posts/${id}/`).then(
        () => true,
        () => false,
      )
    expect(await Promise.all([ids.kept, ids.deleted, ids.trashed, ids.edited].map(isThere))).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect(await placeOf(portal, 'posts', edited)).toMatchObject({ state: 'written', code: 'edited' })
    expect((await placeOf(portal, 'comments', comments.stays)).state).toBe('written')
    for (const id of goneComments) expect((await placeOf(portal, 'comments', id)).state).toBe('removed')
    expect(await countsOf(portal)).toEqual({})
    const { items } = await portal.status()
    const written = (await portal.records()).filter(({ state }) => state === 'written')
    expect(items.posts).toBe(written.filter(({ entity }) => entity === 'posts').length)
    expect(items.comments).toBe(written.filter(({ entity }) => entity === 'comments').length)

    // Restoring a post from the trash changes it, so the next delta copies it.
    await call('POST', `/posts/${trashed}`, { status: 'publish' })
    await run(portal, 'delta')
    expect(await placeOf(portal, 'posts', trashed)).toMatchObject({ state: 'written', code: null })

    await takeBack(portal)
    expect(await isThere(ids.edited)).toBe(true)
    // The edited post stays, together with its category. Files can never be removed from Ghost.
    const isWritten = ({ state, entity }: { state: string; entity: string }) =>
      state === 'written' && entity !== 'media'
    const stayed = (await portal.records()).filter(isWritten)
    expect(stayed.filter(({ entity }) => entity !== 'categories')).toMatchObject([{ destination_id: ids.edited }])
    for (const { entity, destination_id } of stayed) {
      await see('DELETE', `/${entity === 'posts' ? 'posts' : 'tags'}/${destination_id}/`)
    }
    expect(await pair.read()).toEqual(before.facts)
    if (before.rows && pair.rows) expect(listChanges(before.rows, await pair.rows())).toEqual([])
  })
})

describe.skipIf(!rt)('Request Tracker to Harbour (npm run live -- rt)', () => {
  if (!rt) return test.skip('not started: rt', () => {})

  test('a deleted ticket is reported with its messages, and removed', async () => {
    const ask = async (method: string, path: string, body: object) => {
      const answer = await fetch(`${rt.source.url}/REST/2.0${path}`, {
        method,
        headers: { authorization: `token ${rt.source.access.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(answer.ok).toBe(true)
      return (await answer.json()) as { id: string }
    }
    const text = { ContentType: 'text/plain', Content: 'Deleted later' }
    const chosen: string[] = []
    for (const Subject of ['Deleted later', 'Deleted, too']) {
      const { id } = await ask('POST', '/ticket', { Queue: 'General', Subject, ...text })
      await ask('POST', `/ticket/${id}/comment`, text)
      chosen.push(String(id))
    }
    const portal = await migrate(await rtToHarbour(rt.source))
    for (const id of chosen) await ask('PUT', `/ticket/${id}`, { Status: 'deleted' })
    await run(portal, 'delta')
    const gone = await listGone(portal)
    expect(
      gone
        .filter(({ entity }) => entity === 'tickets')
        .map(({ source_id }) => source_id)
        .sort(),
    ).toEqual(chosen.toSorted())
    expect(await countsOf(portal)).toEqual({ tickets: 2, comments: 2 })
    await run(portal, 'removal')
    expect(await countsOf(portal)).toEqual({})
    for (const id of chosen) expect((await placeOf(portal, 'tickets', id)).state).toBe('removed')
    await takeBack(portal)
  })
})

describe.skipIf(!redmine)('Redmine to Harbour (npm run live -- redmine)', () => {
  if (!redmine) return test.skip('not started: redmine', () => {})
  const { source } = redmine as { source: Place }

  test('a deleted issue is reported with its notes; issues of an archived project are not', async () => {
    const { json } = await callRedmine(source, 'GET', '/projects/alpha.json')
    const issue = { project_id: json.project.id, subject: 'Deleted later', description: 'See below.' }
    const { id } = (await callRedmine(source, 'POST', '/issues.json', { issue })).json.issue
    await callRedmine(source, 'PUT', `/issues/${id}.json`, { issue: { notes: 'A note that goes with it' } })
    const project = { name: 'Archived later', identifier: 'archived-later' }
    const archived = (await callRedmine(source, 'POST', '/projects.json', { project })).json.project.id
    cleanups.push(() => callRedmine(source, 'DELETE', `/projects/${archived}.json`))
    const hidden = (await callRedmine(source, 'POST', '/issues.json', { issue: { ...issue, project_id: archived } }))
      .json.issue.id
    const portal = await migrate(await redmineToHarbour(source))
    expect((await placeOf(portal, 'tickets', hidden)).state).toBe('written')
    await callRedmine(source, 'DELETE', `/issues/${id}.json`)
    await inDatabase(source, (ask) => ask('update projects set status = 9 where id = $1', [archived]))
    cleanups.push(() => inDatabase(source, (ask) => ask('update projects set status = 1 where id = $1', [archived])))
    await run(portal, 'delta')
    expect(await countsOf(portal)).toEqual({ tickets: 1, comments: 1 })
    expect((await listGone(portal)).map(({ source_id }) => source_id.split('-')[0])).toEqual([String(id), String(id)])
    await run(portal, 'removal')
    expect((await placeOf(portal, 'tickets', id)).state).toBe('removed')
    expect((await placeOf(portal, 'tickets', hidden)).state).toBe('written')
    await takeBack(portal)
  })
})
