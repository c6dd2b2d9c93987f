import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Cleanups, type Moved, move, warningsOf } from './follow-links.ts'
import { openGhost, openRedmine, openRt, openWordpress, runPerl } from './open-destination.ts'
import { patienceMs } from './pair-service.ts'
import { inDatabase, type Place, readPlaces } from './place.ts'
import { type Planted, plantInGhost, plantInRedmine, plantInWordpress } from './plant-secrets.ts'
import { callRedmine } from './redmine-live.ts'
import { customerScript } from './rt-perl.ts'

// Private records are planted in a real source. After the migration, people of every role open every page that they can
// reach in the destination, and must not see those records.

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const { wordpress, ghost, rt, redmine } = readPlaces()
const cleanups: Cleanups = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})
const newRun = () => randomBytes(4).toString('hex')

/** The secrets in these pages. The pages must contain the public record; otherwise the search itself is broken. */
async function findSecrets(
  who: string,
  { secrets, open }: Planted,
  urls: readonly string[],
  headers: Record<string, string> = {},
): Promise<string[]> {
  const found: string[] = []
  let isOpenSeen = false
  for (const url of urls) {
    const answer = await fetch(url, { headers })
    const text = await answer.text()
    if (!answer.ok) continue
    isOpenSeen ||= text.includes(open)
    for (const secret of secrets) if (text.includes(secret)) found.push(`${who} sees ${secret} at ${url}`)
  }
  if (!isOpenSeen) found.push(`${who} does not see what everyone may see`)
  return found
}

const addressesOf = async ({ portal }: Moved): Promise<string[]> => {
  const records = (await portal.records()) as { destination_url?: string | null }[]
  return [...new Set(records.flatMap(({ destination_url: url }) => url ?? []))]
}

describe.skipIf(!redmine)('into Redmine (npm run live -- redmine)', () => {
  if (!redmine) return test.skip('not started: redmine', () => {})

  test('nobody in any role sees more of a Redmine than before', async () => {
    const { source, destination } = redmine
    const planted = await plantInRedmine(source, newRun())
    cleanups.push(planted.remove)
    const walk = { from: 'redmine', to: 'redmine', family: 'project' as const }
    const moved = await move(walk, source, await openRedmine(destination), cleanups)
    const told = await moved.portal.status()
    const codes = (told.warnings ?? []).map(({ code }: { code: string }) => code)
    expect(codes.filter((code: string) => code.startsWith('custom_field_not_protected:'))).toHaveLength(1)
    expect(codes.join()).not.toContain('custom_field_not_taken:custom_field_not_protected')
    const { origin, pathname } = new URL(moved.urlOf('issues', planted.issue))
    const project = await projectOf(destination, pathname)
    const ids = await inDatabase(destination, (ask) => ask<{ id: number }>('select id from issues order by id'))
    const urls = [
      `${origin}/issues.json?project_id=${project}&status_id=*&limit=100&sort=id:desc`,
      `${origin}/projects/${project}/issues.csv?utf8=1&c[]=all_inline&status_id=*`,
      `${origin}/projects/${project}/activity.atom`,
      `${origin}/search.json?q=secret&all_words=1`,
      `${origin}${pathname}`,
      ...ids.map(({ id }) => `${origin}/issues/${id}.json?include=journals,attachments`),
    ]
    const member = await addMember(destination, project, 'Reporter')
    const stranger = await addMember(destination, null, null)
    const as = (login: string) => ({
      'x-redmine-api-key': String(destination.access.token),
      'x-redmine-switch-user': login,
    })
    expect([
      ...(await findSecrets('a reporter', planted, urls, as(member))),
      ...(await findSecrets('a stranger with an account', planted, urls, as(stranger))),
      ...(await findSecrets('everyone', planted, urls)),
    ]).toEqual([])
    // The private records exist, except for the field.
    const key = { 'x-redmine-api-key': String(destination.access.token) }
    const seen = await findSecrets('an administrator', planted, urls, key)
    for (const what of ['note', 'issue']) expect(seen.join()).toContain(`${what} at`)
    expect(seen.join()).not.toContain('field at')
  })
})

describe.skipIf(!redmine || !rt)('into Request Tracker (npm run live -- redmine rt)', () => {
  if (!redmine || !rt) return test.skip('not started: redmine, rt', () => {})

  test('the requester sees no private note, and nobody sees a private issue', async () => {
    const { destination } = rt
    const planted = await plantInRedmine(redmine.source, newRun())
    cleanups.push(planted.remove)
    const walk = { from: 'redmine', to: 'rt', family: 'helpdesk' as const }
    const moved = await move(walk, redmine.source, await openRt(destination), cleanups)
    const ticket = new URL(moved.urlOf('tickets', planted.issue)).searchParams.get('id')
    const token = await runPerl(destination, customerScript, planted.mail)
    const parts = await inDatabase(destination, (ask) =>
      ask<{ id: number; transaction: number }>(
        `select a.id, a.transactionid as transaction from attachments a join transactions x on x.id = a.transactionid where x.objecttype = 'RT::Ticket' and x.objectid = $1`,
        [ticket],
      ),
    )
    const { url } = destination
    const urls = [
      `${url}/SelfService/Display.html?id=${ticket}`,
      `${url}/Ticket/Display.html?id=${ticket}`,
      `${url}/REST/2.0/ticket/${ticket}`,
      `${url}/REST/2.0/ticket/${ticket}/history?fields=Type,Content,Data,CustomFields&per_page=100`,
      `${url}/REST/2.0/tickets?query=id>0&fields=Subject&per_page=100`,
      ...parts.flatMap(({ id, transaction }) => [
        `${url}/SelfService/Attachment/${transaction}/${id}`,
        `${url}/Ticket/Attachment/${transaction}/${id}`,
        `${url}/REST/2.0/attachment/${id}`,
        `${url}/REST/2.0/transaction/${transaction}`,
      ]),
    ]
    const of = (name: string) => ({ authorization: `token ${name}` })
    expect(await findSecrets('the customer', planted, urls, of(token))).toEqual([])
    // An agent sees the note; the private issue was not sent, and the field is reported.
    const seen = (await findSecrets('an agent', planted, urls, of(String(destination.access.token)))).join()
    expect(seen).toContain('note at')
    expect(seen).not.toContain('issue at')
    expect(await warningsOf(moved, 'tickets', planted.issue)).not.toContain('shown_to_more')
  })
})

describe.skipIf(!wordpress || !ghost)('between WordPress and Ghost (npm run live -- wordpress ghost)', () => {
  if (!wordpress || !ghost) return test.skip('not started: wordpress, ghost', () => {})

  test('in Ghost nobody sees content that was hidden in WordPress', async () => {
    const planted = await plantInWordpress(wordpress.source, newRun())
    cleanups.push(planted.remove)
    const { destination } = ghost
    const walk = { from: 'wordpress', to: 'ghost', family: 'blog' as const }
    const moved = await move(walk, wordpress.source, await openGhost(destination), cleanups)
    const pages = await addressesOf(moved)
    const records = (await moved.portal.records()).filter(({ entity }) => entity === 'posts')
    const comments = records.map(({ destination_id: id }) => `${destination.url}/members/api/comments/post/${id}/`)
    const lists = ['/', '/page/2/', '/rss/', '/sitemap-posts.xml', '/sitemap-pages.xml', '/author/ghost/rss/']
    const urls = [...pages, ...comments, ...lists.map((path) => `${destination.url}${path}`)]
    expect(await findSecrets('everyone', planted, urls)).toEqual([])
  })

  test('in WordPress nobody sees content that was hidden in Ghost', async () => {
    const planted = await plantInGhost(ghost.source, newRun())
    cleanups.push(planted.remove)
    const { destination } = wordpress
    const walk = { from: 'ghost', to: 'wordpress', family: 'blog' as const }
    const moved = await move(walk, ghost.source, await openWordpress(destination), cleanups)
    const ids = (await moved.portal.records())
      .filter(({ entity }) => entity === 'posts' || entity === 'pages')
      .flatMap(({ entity, destination_id: id }) => (id ? [{ entity, id }] : []))
    const api = `${destination.url}/?rest_route=/wp/v2`
    const urls = [
      ...(await addressesOf(moved)),
      ...['posts', 'pages', 'comments', 'media'].map((list) => `${api}/${list}&per_page=100`),
      ...ids.flatMap(({ entity, id }) => [`${api}/${entity}/${id}`, `${destination.url}/?p=${id}`]),
      ...['/?feed=rss2', '/?feed=comments-rss2', '/wp-sitemap-posts-post-1.xml', '/?s=secret'].map(
        (path) => `${destination.url}${path}`,
      ),
      `${api}/search&search=secret&per_page=100`,
    ]
    expect(await findSecrets('everyone', planted, urls)).toEqual([])
  })
})

async function projectOf(place: Place, path: string): Promise<number> {
  return (await callRedmine(place, 'GET', `${path}.json`)).json.issue.project.id
}

/** Adds a person with an account, with a role in a project or without one. */
async function addMember(place: Place, project: number | null, role: string | null): Promise<string> {
  const login = `looker-${newRun()}`
  const name = { login, firstname: 'Looks', lastname: 'Around', mail: `${login}@people.example` }
  const user = { ...name, mail_notification: 'none', generate_password: true }
  const { json } = await callRedmine(place, 'POST', '/users.json', { user })
  cleanups.push(() => callRedmine(place, 'DELETE', `/users/${json.user.id}.json`))
  if (project === null) return login
  const { json: known } = await callRedmine(place, 'GET', '/roles.json')
  const found = known.roles.find(({ name: of }: { name: string }) => of === role)
  const membership = { user_id: json.user.id, role_ids: [found.id] }
  await callRedmine(place, 'POST', `/projects/${project}/memberships.json`, { membership })
  return login
}
