import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock } from '../clock.ts'
import { callAs } from './call.ts'
import { type FreshdeskTwin, startFreshdeskTwin } from './twin.ts'

// Statements of https://developers.freshdesk.com/api/ about solutions, checked against the twin.

let twin: FreshdeskTwin
let call: ReturnType<typeof callAs>
beforeEach(async () => {
  twin = await startFreshdeskTwin({}, createClock({ startsAt: '2026-03-01T12:00:00Z', isRunning: false }))
  call = callAs(twin.access)
})
afterEach(() => twin.close())

describe('solutions', () => {
  test('are categories, nested folders, and articles whose tags and files are shown one by one', async () => {
    const category = (await call('POST', 'solutions/categories', { name: 'Manuals' })).json
    expect((await call('POST', 'solutions/categories', { name: 'manuals' })).status).toBe(409)
    const into = `solutions/categories/${category.id}/folders`
    const folder = (await call('POST', into, { name: 'Printers', visibility: 1 })).json
    const inner = (await call('POST', into, { name: 'Laser', parent_folder_id: folder.id })).json
    expect(inner.hierarchy.map((one: { data: { name: string } }) => one.data.name)).toEqual([
      'Manuals',
      'Printers',
      'Laser',
    ])
    expect((await call('GET', into)).json).toMatchObject([{ id: folder.id, sub_folders_count: 1 }])
    expect((await call('GET', `solutions/folders/${folder.id}/subfolders`)).json).toMatchObject([{ id: inner.id }])
    twin.account.listsSubfolders = true
    expect((await call('GET', into)).json).toHaveLength(2)
    const written = new FormData()
    for (const [name, value] of Object.entries({ title: 'How', description: '<p>So</p>', status: '1', 'tags[]': 'a' }))
      written.append(name, value)
    written.append('attachments[]', new File(['x'], 'x.txt'))
    const article = (await call('POST', `solutions/folders/${inner.id}/articles`, written)).json
    expect(article).toMatchObject({
      status: 1,
      tags: ['a'],
      attachments: [{ name: 'x.txt' }],
      category_id: category.id,
    })
    const [listed] = (await call('GET', `solutions/folders/${inner.id}/articles`)).json
    expect(listed).toMatchObject({ id: article.id, description: '<p>So</p>' })
    expect(listed).not.toHaveProperty('attachments')
    const agent_id = Number(twin.staff.anna.id)
    const changed = await call('PUT', `solutions/articles/${article.id}`, { agent_id, status: 2 })
    expect(changed.json).toMatchObject({ agent_id, status: 2, title: 'How' })
    const german = { title: 'Wie', description: '<p>So</p>', status: 2 }
    expect((await call('POST', `solutions/articles/${article.id}/de`, german)).status).toBe(201)
    expect((await call('GET', `solutions/articles/${article.id}/de`)).json.title).toBe('Wie')
    expect((await call('GET', `solutions/articles/${article.id}/es`)).status).toBe(404)
    await call('DELETE', `solutions/categories/${category.id}`)
    expect((await call('GET', `solutions/articles/${article.id}`)).status).toBe(404)
  })
  test('are unpublished by the status alone; any other field saves a draft over the published article', async () => {
    const category = (await call('POST', 'solutions/categories', { name: 'Manuals' })).json
    const folder = (await call('POST', `solutions/categories/${category.id}/folders`, { name: 'Printers' })).json
    const into = `solutions/folders/${folder.id}/articles`
    const article = (await call('POST', into, { title: 'How', description: 'So', status: 2 })).json
    const at = `solutions/articles/${article.id}`
    await call('PUT', at, { status: 1, title: 'Later' })
    expect((await call('GET', at)).json).toMatchObject({ status: 2, title: 'How' })
    await call('PUT', at, { status: 1 })
    expect((await call('GET', at)).json).toMatchObject({ status: 1, title: 'How' })
    expect((await call('POST', into, { title: 'Empty', description: ' ', status: 1 })).status).toBe(400)
  })

  test('are refused if the plan has none', async () => {
    twin.account.hasSolutions = false
    const { status, json } = await call('GET', 'solutions/categories')
    expect([status, json.code]).toEqual([403, 'require_feature'])
  })
})
