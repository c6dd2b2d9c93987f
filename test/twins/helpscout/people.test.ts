import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock, minuteMs } from '../clock.ts'
import { callAs } from './call.ts'
import { dot, seedDesk, seedDocs } from './seed.ts'
import { type HelpScoutTwin, startHelpScoutTwin, startTwin } from './twin.ts'

// Statements of https://developer.helpscout.com/mailbox-api/ about people, and of /docs-api/ about articles.

let twin: HelpScoutTwin
let call: ReturnType<typeof callAs>['call']
let docs: ReturnType<typeof callAs>['docs']
beforeEach(async () => {
  twin = await startHelpScoutTwin({}, createClock({ startsAt: '2026-03-01T12:00:00Z', isRunning: false }))
  const speakers = callAs(twin)
  call = speakers.call
  docs = speakers.docs
})
afterEach(() => twin.close())

describe('a customer', () => {
  const vera = {
    firstName: 'Vera',
    emails: [
      { type: 'work', value: 'vera@acme.example' },
      { type: 'home', value: 'vera@example.org' },
    ],
    phones: [{ type: 'mobile', value: '1' }],
    chats: [{ type: 'skype', value: 'vera.b' }],
    socialProfiles: [{ type: 'twitter', value: '@vera' }],
    websites: [{ value: 'https://vera.example' }],
    address: { city: 'Berlin', country: 'DE', lines: ['Am Weg 1'] },
  }

  test('is read back with all their addresses and numbers', async () => {
    const organization = (await call('POST', '/organizations', { name: 'Acme', domains: ['acme.example'] })).id
    const { status, id, json } = await call('POST', '/customers', { ...vera, organizationId: organization })
    expect([status, json]).toEqual([201, undefined])
    const read = (await call('GET', `/customers/${id}`)).json
    expect(read).toMatchObject({ firstName: 'Vera', lastName: '', organizationId: organization, organization: 'Acme' })
    const { emails, phones, chats, social_profiles, websites, address } = read._embedded
    expect(emails.map(({ value }: { value: string }) => value)).toEqual(vera.emails.map(({ value }) => value))
    expect([phones, chats, social_profiles, websites].map(({ length }) => length)).toEqual([1, 1, 1, 1])
    expect(address).toMatchObject(vera.address)
  })

  test('has a unique e-mail address, and a name of at most 40 characters', async () => {
    await call('POST', '/customers', vera)
    const again = { emails: [{ type: 'other', value: 'VERA@acme.example' }] }
    expect((await call('POST', '/customers', again)).status).toBe(409)
    for (const wrong of [
      { firstName: 'x'.repeat(41) },
      { firstName: '' },
      { firstName: 'A', background: 'x'.repeat(201) },
      { firstName: 'A', emails: [{ type: 'work', value: 'nobody' }] },
      { firstName: 'A', phones: [{ type: 'satellite', value: '1' }] },
      { firstName: 'A', address: { city: 'Berlin', country: 'Germany' } },
      {},
    ])
      expect((await call('POST', '/customers', wrong)).status, JSON.stringify(wrong)).toBe(400)
  })

  test('is overwritten as a whole, or changed in one field', async () => {
    const { id } = await call('POST', '/customers', { ...vera, jobTitle: 'CEO' })
    const patch = [{ op: 'replace', path: '/background', value: 'Likes tea' }]
    expect((await call('PATCH', `/customers/${id}`, patch)).status).toBe(204)
    expect((await call('GET', `/customers/${id}`)).json).toMatchObject({ jobTitle: 'CEO', background: 'Likes tea' })
    await call('PUT', `/customers/${id}`, { firstName: 'Vera' })
    expect((await call('GET', `/customers/${id}`)).json).toMatchObject({ jobTitle: '', background: '' })
    const added = await call('POST', `/customers/${id}/phones`, { type: 'home', value: '2' })
    await call('DELETE', `/customers/${id}/phones/${added.id}`)
    expect((await call('GET', `/customers/${id}`)).json._embedded.phones).toHaveLength(1)
  })

  test('has properties of every type, once they are defined', async () => {
    const { id } = await call('POST', '/customers', vera)
    const options = [{ label: 'Standard' }, { label: 'Plus' }]
    await call('POST', '/customer-properties', { type: 'dropdown', slug: 'plan', name: 'Plan', options })
    const set = (path: string, value: unknown) =>
      call('PATCH', `/customers/${id}/properties`, [{ op: 'replace', path, value }])
    expect((await set('/plan', 'Plus')).status).toBe(204)
    expect((await set('/plan', 'Gold')).status).toBe(400)
    expect((await set('/car', 'Tesla')).status).toBe(400)
    expect((await call('GET', `/customers/${id}`)).json._embedded.properties).toMatchObject([
      { slug: 'plan', text: 'Plus' },
    ])
  })

  test('is deleted with all their conversations, unless there are more than 100', async () => {
    const { id } = await call('POST', '/customers', vera)
    const talk = () =>
      call('POST', '/conversations', {
        subject: 'x',
        type: 'email',
        status: 'active',
        mailboxId: Number(twin.staff.support.id),
        customer: { id },
        threads: [{ type: 'note', text: 'x', imported: true }],
        imported: true,
      })
    for (let count = 0; count < 101; count += 1) await talk()
    expect((await call('DELETE', `/customers/${id}`)).status).toBe(403)
    expect((await call('DELETE', `/customers/${id}?async=true`)).status).toBe(202)
    expect((await call('GET', `/customers/${id}`)).status).toBe(200)
    twin.clock.advance(minuteMs)
    expect((await call('GET', `/customers/${id}`)).status).toBe(404)
    expect(twin.account.conversations.size()).toBe(0)
  })

  test('is listed by cursor in the third version', async () => {
    seedDesk(twin.account, twin.staff, twin.files)
    twin.clock.advance(minuteMs)
    const authorization = `Bearer ${twin.bearerAccess.token}`
    const ids: number[] = []
    for (let next: string | undefined = `${twin.url}/v3/customers`; next; ) {
      const response = await fetch(next, { headers: { authorization } })
      const { _embedded, _links } = (await response.json()) as {
        _embedded: { customers: { id: number }[] }
        _links: { next?: { href: string } }
      }
      ids.push(..._embedded.customers.map(({ id }) => id))
      next = _links.next?.href
    }
    expect(ids).toHaveLength(twin.account.customers.size())
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  })
})

test('an organization has unique domains, and its people stay when it is deleted', async () => {
  const { id } = await call('POST', '/organizations', { name: 'Acme', domain: 'acme.example', phones: ['1'] })
  expect((await call('POST', '/organizations', { name: 'Other', domains: ['acme.example'] })).status).toBe(409)
  const person = await call('POST', '/customers', { firstName: 'A', organizationId: id })
  const counted = (await call('GET', `/organizations/${id}?includeCounts=true`)).json
  expect(counted).toMatchObject({ name: 'Acme', domains: ['acme.example'], customerCount: 1 })
  // A change empties what it does not name.
  await call('PUT', `/organizations/${id}`, { name: 'Acme', note: 'Late' })
  expect((await call('GET', '/organizations')).json._embedded.organizations).toMatchObject([
    { name: 'Acme', note: 'Late', domains: [], phones: [] },
  ])
  expect((await call('DELETE', `/organizations/${id}`)).status).toBe(204)
  expect((await call('GET', `/customers/${person.id}`)).json.organizationId).toBeUndefined()
})

test('staff who left are in no list, and inboxes list their fields with options', async () => {
  const names = (await call('GET', '/users')).json._embedded.users.map(
    ({ firstName }: { firstName: string }) => firstName,
  )
  expect(names).toEqual(['Olivia', 'Anna', 'Ben'])
  expect((await call('GET', `/users/${twin.staff.greta.id}`)).status).toBe(404)
  const { fields } = (await call('GET', `/mailboxes/${twin.staff.support.id}/fields`)).json._embedded
  expect(fields.map(({ type, options }: { type: string; options?: unknown[] }) => [type, options?.length])).toEqual([
    ['singleline', undefined],
    ['multiline', undefined],
    ['number', undefined],
    ['date', undefined],
    ['dropdown', 3],
  ])
  const folders = (await call('GET', `/mailboxes/${twin.staff.support.id}/folders`)).json._embedded.folders
  expect(folders).toHaveLength(6)
  const members = (await call('GET', `/teams/${twin.staff.team.id}/members`)).json._embedded.users
  expect(members.map(({ firstName }: { firstName: string }) => firstName)).toEqual(['Anna'])
})

describe('the Docs API', () => {
  test('has its own key, and does not accept the inbox token', async () => {
    expect((await docs('GET', '/sites')).status).toBe(200)
    expect((await docs('GET', '/sites', undefined, `Bearer ${twin.bearerAccess.token}`)).status).toBe(401)
  })

  test('lists articles without their text, in pages of 50', async () => {
    const { guide, first } = seedDocs(twin.docs)
    const { articles } = (await docs('GET', `/collections/${guide.id}/articles`)).json
    expect(articles).toMatchObject({ page: 1, pages: 2, count: 62 })
    expect(articles.items).toHaveLength(50)
    expect(articles.items[0].text).toBeUndefined()
    const { article } = (await docs('GET', `/articles/${first.id}`)).json
    expect(article).toMatchObject({ status: 'published', hasDraft: true, keywords: ['begin', 'start'] })
    expect((await docs('GET', `/articles/${first.number}?draft=true`)).json.article.text).toContain('Not shown yet')
    const { categories } = (await docs('GET', `/collections/${guide.id}/categories`)).json
    expect(categories.items.map(({ name }: { name: string }) => name)).toContain('Uncategorized')
  })

  test('creates articles under a name that is new in the collection', async () => {
    const { guide, start } = seedDocs(twin.docs)
    const article = { collectionId: guide.id, name: 'New', text: '<p>New</p>', categories: [start.id] }
    const made = await docs('POST', '/articles', article)
    expect([made.status, made.json]).toEqual([201, undefined])
    const path = String(made.headers.get('location')).replace(/^.*\/v1/, '')
    expect((await docs('GET', path)).json.article).toMatchObject({ name: 'New', status: 'notpublished' })
    expect((await docs('POST', '/articles', article)).status).toBe(409)
    expect((await docs('DELETE', path)).status).toBe(200)
    expect((await docs('GET', path)).status).toBe(404)
    const again = await docs('POST', '/articles?reload=true', { ...article, status: 'published', categories: [] })
    expect(again.json.article).toMatchObject({ status: 'published', categories: [expect.any(String)] })
  })

  test('names are unique within their collection, changing a published article deletes its draft, and deleting a category keeps its articles', async () => {
    const { guide, start, first } = seedDocs(twin.docs)
    expect((await docs('PUT', `/categories/${start.id}`, { name: 'Uncategorized' })).status).toBe(409)
    expect((await docs('PUT', `/categories/${start.id}`, { name: 'Start' })).status).toBe(200)
    expect((await docs('PUT', `/collections/${guide.id}`, { name: 'Staff only' })).status).toBe(409)
    expect((await docs('PUT', `/articles/${first.id}`, { name: 'Article 1' })).status).toBe(409)
    expect((await docs('PUT', `/articles/${first.id}`, { text: '' })).status).toBe(400)
    expect((await docs('GET', `/articles/${first.id}`)).json.article.hasDraft).toBe(true)
    await docs('PUT', `/articles/${first.id}`, { text: 'Other' })
    expect((await docs('GET', `/articles/${first.id}`)).json.article).toMatchObject({ hasDraft: false, text: 'Other' })
    await docs('DELETE', `/categories/${start.id}`)
    expect((await docs('GET', `/articles/${first.id}`)).status).toBe(200)
  })
})

test('a picture in a text is on another host, behind a redirect, for requests without credentials', async () => {
  const { rich } = seedDesk(twin.account, twin.staff, twin.files)
  const [, address = ''] = /<img src="([^"]+)"/.exec(rich.threads[0]?.body ?? '') ?? []
  expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(dot)
  const told = await fetch(address, { headers: { authorization: `Bearer ${twin.bearerAccess.token}` } })
  expect(told.status).toBe(400)
  expect(twin.violations.splice(0)).toHaveLength(1)
})

test('the twin of the contract suite has everything that it declares', async () => {
  const { source, destination, close } = await startTwin()
  expect(source?.entities).toContain('articles')
  expect(await destination?.countAll()).toBeGreaterThan(200)
  await close()
})
