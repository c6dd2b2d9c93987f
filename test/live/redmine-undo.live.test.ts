import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Facts, listChanges } from './facts.ts'
import { readRedmineRows } from './facts-redmine.ts'
import { inDatabase, type Place } from './place.ts'
import { prepareRedmine } from './prepare-redmine.ts'
import { outbound, readLiveRedmine } from './redmine-live.ts'
import { openWriting, type Written } from './redmine-writing.ts'

// Real tools are slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 })

const live = readLiveRedmine()

afterAll(() => outbound.close())

describe.skipIf(live === null)('what an undo leaves in a real Redmine (set WHERRY_LIVE_REDMINE)', () => {
  if (!live) {
    test.skip('WHERRY_LIVE_REDMINE must hold the output of node test/live/start-redmine.ts', () => {})
    return
  }
  const place = live.destination as Place
  const writing = openWriting(live.destination)
  const { call, writer, sides, outgoing, write, refer, remove, makeIssue } = writing
  const desk = openWriting(live.destination, 'helpdesk')
  const people: Record<string, number> = {}
  let before: Facts
  let project: Written
  const put = (path: string, body: object) => call('PUT', `${path}.json`, body)
  const ofIssue = (issue: object) => (id: string) => put(`/issues/${id}`, { issue })
  beforeAll(async () => {
    await prepareRedmine(place)
    const { json } = await call('GET', '/users.json?limit=100')
    for (const user of json.users) people[user.login] = user.id
    // Everyone who has signed in once has these rows.
    before = await readRedmineRows(place)
    await desk.writer.describe()
    project = await writing.begin()
  })

  const personOf = (login: string) => String(people[login])

  test('any change that people can make to an issue keeps it', async () => {
    const other = await write('issues', makeIssue())
    const theirs = await call('POST', '/issues.json', {
      issue: { project_id: project.destinationId, subject: 'theirs' },
    })
    const relate = (from: string, to: string) =>
      call('POST', `/issues/${from}/relations.json`, { relation: { issue_to_id: to, relation_type: 'blocks' } })
    const theirId = String(theirs.json.issue.id)
    const changes: Record<string, (id: string) => Promise<unknown>> = {
      subject: ofIssue({ subject: 'better' }),
      description: ofIssue({ description: 'other words' }),
      privacy: ofIssue({ is_private: true }),
      dates: ofIssue({ due_date: '2031-01-01' }),
      note: ofIssue({ notes: 'from me' }),
      parent: ofIssue({ parent_issue_id: other.destinationId }),
      watcher: (id) => call('POST', `/issues/${id}/watchers.json`, { user_id: people['ann.stone'] }),
      relation: (id) => relate(id, other.destinationId),
      'relation of another': (id) => relate(theirId, id),
      time: (id) => call('POST', '/time_entries.json', { time_entry: { issue_id: id, hours: 1, activity_id: 8 } }),
    }
    for (const [name, change] of Object.entries(changes)) {
      const issue = await write('issues', makeIssue({ body: 'words' }))
      await change(issue.destinationId)
      expect([name, (await remove('issues', issue))?.result]).toEqual([name, 'kept'])
      await call('DELETE', `/issues/${issue.destinationId}.json`)
    }
    const watched = await write(
      'issues',
      makeIssue({ watchers: [personOf('ann.stone')], blocks: [refer('issues', other)] }),
    )
    const below = await write('issues', makeIssue({ parent_issue: refer('issues', other) }))
    const { json } = await call('GET', `/issues/${watched.destinationId}.json?include=relations`)
    await call('DELETE', `/relations/${json.issue.relations[0].id}.json`)
    expect((await remove('issues', watched))?.result).toBe('kept')
    await ofIssue({ parent_issue_id: '' })(below.destinationId)
    expect((await remove('issues', below))?.result).toBe('kept')
    for (const { destinationId } of [watched, below, other]) await call('DELETE', `/issues/${destinationId}.json`)
    await call('DELETE', `/issues/${theirId}.json`)
  })

  test('an issue whose parent and relations an undo has removed is removed, too', async () => {
    const parent = await write('issues', makeIssue())
    const other = await write('issues', makeIssue())
    const links = { parent_issue: refer('issues', parent), blocks: [refer('issues', other)] }
    const issue = await write('issues', makeIssue({ ...links, watchers: [personOf('ann.stone')] }))
    expect((await remove('issues', parent))?.result).toBe('removed')
    expect((await remove('issues', other))?.result).toBe('removed')
    expect((await remove('issues', issue))?.result).toBe('removed')
  })

  test('people’s members, modules and categories keep a project, and people’s references keep its records', async () => {
    const made = await write('projects', outgoing('projects/kept', { key: 'kept', name: 'Kept' }))
    const id = made.destinationId
    const at = refer('projects', made)
    const kept = async () => (await remove('projects', made))?.result
    const membership = { user_id: people['ann.stone'], role_ids: [3] }
    const member = await call('POST', `/projects/${id}/memberships.json`, { membership })
    expect(await kept()).toBe('kept')
    await call('DELETE', `/memberships/${member.json.membership.id}.json`)
    const modules = ['issue_tracking', 'time_tracking', 'wiki', 'files', 'calendar', 'gantt']
    await put(`/projects/${id}`, { project: { enabled_module_names: [...modules, 'boards'] } })
    expect(await kept()).toBe('kept')
    await put(`/projects/${id}`, { project: { enabled_module_names: modules } })
    const category = await call('POST', `/projects/${id}/issue_categories.json`, { issue_category: { name: 'theirs' } })
    expect(await kept()).toBe('kept')
    await call('DELETE', `/issue_categories/${category.json.issue_category.id}.json`)
    const component = await write('components', outgoing('components/kept', { project: at, name: 'ours' }))
    const [, category_id] = component.destinationId.split('/')
    const { json } = await call('POST', '/issues.json', { issue: { project_id: id, subject: 'theirs', category_id } })
    expect((await remove('components', component))?.result).toBe('kept')
    await call('DELETE', `/issues/${json.issue.id}.json`)
    expect((await remove('components', component))?.result).toBe('removed')
    const milestone = await write('milestones', outgoing('milestones/kept', { project: at, name: '1.0' }))
    const page = await write('wiki_pages', outgoing('wiki_pages/kept', { project: at, title: 'Kept', body: 'x' }))
    await put(`/versions/${milestone.destinationId}`, { version: { wiki_page_title: 'Kept' } })
    expect((await remove('milestones', milestone))?.result).toBe('kept')
    await put(`/versions/${milestone.destinationId}`, { version: { wiki_page_title: '' } })
    expect((await remove('milestones', milestone))?.result).toBe('removed')
    await call('PUT', `/projects/${id}/wiki/Above.json`, { wiki_page: { text: 'theirs' } })
    await call('PUT', `/projects/${id}/wiki/Kept.json`, {
      wiki_page: { text: await textOf(id), parent_title: 'Above' },
    })
    expect((await remove('wiki_pages', page))?.result).toBe('kept')
    for (const title of ['Kept', 'Above']) await call('DELETE', `/projects/${id}/wiki/${title}.json`)
    expect(await kept()).toBe('removed')
  })
  const textOf = async (id: string) => (await call('GET', `/projects/${id}/wiki/Kept.json`)).json.wiki_page.text

  test('a contact whom people use, or gave more rights, stays', async () => {
    const contact = async (name: string) =>
      desk.write(
        'contacts',
        desk.outgoing(`contacts/${name}`, { name: `Kim ${name}`, emails: [`${name}@kim.example`] }),
      )
    const changes: Record<string, (id: string) => Promise<unknown>> = {
      member: (id) =>
        call('POST', `/projects/${project.destinationId}/memberships.json`, {
          membership: { user_id: id, role_ids: [3] },
        }),
      login: (id) => put(`/users/${id}`, { user: { login: `kim-${id}` } }),
      watcher: async (id) => {
        const issue = await call('POST', '/issues.json', {
          issue: { project_id: project.destinationId, subject: 'theirs', watcher_user_ids: [id] },
        })
        return () => call('DELETE', `/issues/${issue.json.issue.id}.json`)
      },
    }
    for (const [name, change] of Object.entries(changes)) {
      const made = await contact(name)
      const end = await change(made.destinationId)
      expect([name, (await desk.remove('contacts', made))?.result]).toEqual([name, 'kept'])
      if (typeof end === 'function') await end()
      await call('DELETE', `/users/${made.destinationId}.json`)
    }
    expect((await desk.remove('contacts', await contact('plain')))?.result).toBe('removed')
  })

  test('an issue keeps its author, if that person may create issues there', async () => {
    const reporter = 5
    const membership = { user_id: people['bob.hadad'], role_ids: [reporter] }
    await call('POST', `/projects/${project.destinationId}/memberships.json`, { membership })
    const authorOf = ({ destinationId }: Written) =>
      inDatabase(place, (ask) =>
        ask<{ login: string }>('select u.login from issues i join users u on u.id = i.author_id where i.id = $1', [
          destinationId,
        ]),
      ).then(([row]) => row?.login)
    await desk.writer.describe()
    const at = { entity: 'groups', key: project.key, destinationId: project.destinationId }
    const contactOf = async (name: string, email: string) => {
      const [outcome] = await desk.writer.write('contacts', [
        desk.outgoing(`contacts/${name}`, { name, emails: [email] }),
      ])
      if (outcome?.result !== 'written' && outcome?.result !== 'matched') throw new Error(JSON.stringify(outcome))
      return { ...refer('contacts', outcome), result: outcome.result }
    }
    const bob = await contactOf('Bob Hadad', 'bob.hadad@customer.example')
    expect(bob.result).toBe('matched')
    const stranger = await contactOf('Stranger', 'stranger@customer.example')
    const ticket = (name: string, fields: object, rest: object = { createdBy: null }) =>
      desk.write('tickets', desk.outgoing(`tickets/${name}`, { subject: name, group: at, ...fields }, rest))
    const made = {
      asked: await ticket('asked', { requester: bob }),
      opened: await ticket(
        'opened',
        { requester: stranger },
        { createdBy: { name: 'Bob', email: null, userId: personOf('bob.hadad') } },
      ),
      refused: await ticket('refused', { requester: stranger }),
    }
    expect(await authorOf(made.asked)).toBe('bob.hadad')
    expect(made.asked.losses).toBeUndefined()
    expect(await authorOf(made.opened)).toBe('bob.hadad')
    expect(await authorOf(made.refused)).toBe('admin')
    expect(made.refused.losses).toEqual(['author_not_kept'])
    // An issue that is sent again keeps its author, and equals the sent record.
    const again = desk.outgoing(
      'tickets/asked',
      { subject: 'asked', group: at, requester: bob },
      { createdBy: null, destinationId: made.asked.destinationId },
    )
    expect((await desk.write('tickets', again)).losses).toBeUndefined()
    const [found] = await desk.find('tickets', again)
    expect(found?.fields.author).toBeUndefined()
    for (const one of Object.values(made)) {
      const [outcome] = await desk.writer.remove('tickets', [{ ...one, version: null, parent: null }])
      expect(outcome?.result).toBe('removed')
    }
    await desk.writer.remove('contacts', [{ ...stranger, version: null, parent: null }])
    const { json } = await call('GET', `/projects/${project.destinationId}/memberships.json`)
    await call('DELETE', `/memberships/${json.memberships[0].id}.json`)
  })

  test('an address with a non-ASCII host arrives in ASCII; an invalid address is written after the name and reported', async () => {
    const contact = (name: string, email: string) =>
      desk.write('contacts', desk.outgoing(`contacts/${name}`, { name, emails: [email] }))
    const mailOf = (made: Written) =>
      inDatabase(place, (ask) =>
        ask<{ mail: string; name: string }>(
          `select e.address as mail, u.firstname || ' ' || u.lastname as name
           from users u join email_addresses e on e.user_id = u.id where u.id = $1`,
          [made.destinationId],
        ),
      ).then(([row]) => row)
    const buch = await contact('Ida Buch', 'ida@bücher.example')
    expect(await mailOf(buch)).toEqual({ mail: 'ida@xn--bcher-kva.example', name: 'Ida Buch' })
    expect(buch.losses).toBeUndefined()
    const odd = await contact('Odd One', 'call me: 123')
    expect(await mailOf(odd)).toMatchObject({ name: 'Odd One (call me: 123)' })
    expect(odd.losses).toEqual(['address_refused'])
    for (const made of [buch, odd]) {
      const [found] = await desk.find('contacts', desk.outgoing(made.key.split('/').slice(1).join('/'), {}))
      expect(found?.destinationId).toBe(made.destinationId)
      expect((await desk.remove('contacts', made))?.result).toBe('removed')
    }
  })

  test('members that an import added stay while people need them, and are removed otherwise', async () => {
    const made = await write(
      'projects',
      outgoing('projects/members', {
        key: 'members',
        name: 'Members',
        members: [personOf('ann.stone'), personOf('bob.hadad')],
      }),
    )
    const { json } = await call('POST', '/issues.json', {
      issue: { project_id: made.destinationId, subject: 'theirs', assigned_to_id: people['ann.stone'] },
    })
    expect((await remove('projects', made))?.result).toBe('kept')
    expect((await sides.removeAll(writer)).map(({ mark, result }) => [mark, result]).sort()).toEqual(
      [
        [`${made.destinationId}/${people['ann.stone']}`, 'kept'],
        [`${made.destinationId}/${people['bob.hadad']}`, 'removed'],
      ].sort(),
    )
    await call('DELETE', `/issues/${json.issue.id}.json`)
    expect((await remove('projects', made))?.result).toBe('removed')
    expect((await sides.removeAll(writer)).map(({ result }) => result)).toEqual(['removed'])
  })

  test('after an undo the database is as it was before', async () => {
    const author = personOf('amelia')
    await call('POST', `/projects/${project.destinationId}/memberships.json`, {
      membership: { user_id: author, role_ids: [3] },
    })
    const issue = await write(
      'issues',
      makeIssue({ reporter: author, assignee: personOf('ann.stone'), watchers: [personOf('bob.hadad')] }),
    )
    const note = outgoing('comments/undo', { issue: refer('issues', issue), author, body: 'by amelia' })
    await write('comments', note)
    expect((await remove('issues', issue))?.result).toBe('removed')
    const { json } = await call('GET', `/projects/${project.destinationId}/memberships.json`)
    const own = json.memberships.find(({ user }: { user: { id: number } }) => String(user.id) === author)
    await call('DELETE', `/memberships/${own.id}.json`)
    expect(await remove('projects', { ...project })).toMatchObject({ result: 'removed' })
    await sides.removeAll(writer)
    expect(listChanges(before, await readRedmineRows(place))).toEqual([])
  })
})
