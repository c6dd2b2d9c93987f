import { startGhost } from '../../test/live/ghost.ts'
import { callGhost } from '../../test/live/ghost-seed.ts'
import { inDatabase } from '../../test/live/place.ts'
import { prepareRedmine } from '../../test/live/prepare-redmine.ts'
import { startRedmine } from '../../test/live/redmine.ts'
import { callRedmine } from '../../test/live/redmine-live.ts'
import { startRt } from '../../test/live/rt.ts'
import { startTryton } from '../../test/live/tryton.ts'
import { prepareTryton } from '../../test/live/tryton-seed.ts'
import { startWordpress } from '../../test/live/wordpress.ts'
import { callAs } from '../../test/live/wordpress-seed.ts'
import type { AccountAccess } from '../src/connectors/contract/contract.ts'

// Starts real tools, empty or with simple records.

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Starts Redmine with issues, each with two notes. */
export async function startFilledRedmine(name: string, issues: number) {
  const tool = await startRedmine(name)
  await prepareRedmine(tool)
  if (issues === 0) return tool
  const project = { name: 'Bench', identifier: 'bench', enabled_module_names: ['issue_tracking'] }
  const { json } = await callRedmine(tool, 'POST', '/projects.json', { project })
  for (const index of upTo(issues)) {
    const issue = {
      project_id: json.project.id,
      subject: `Issue ${index}`,
      description: `Text of ${index}. `.repeat(20),
    }
    await callRedmine(tool, 'POST', '/issues.json', { issue })
  }
  await inDatabase(tool, (ask) =>
    ask(
      `insert into journals (journalized_id, journalized_type, user_id, notes, created_on, private_notes)
       select i.id, 'Issue', i.author_id, 'Note ' || n || repeat(' and more', 20), now(), false
       from issues i cross join generate_series(1, 2) n where i.project_id = $1 order by i.id, n`,
      [json.project.id],
    ),
  )
  return tool
}

/** Starts Request Tracker with tickets, each with two messages. */
export async function startFilledRt(name: string, tickets: number) {
  const tool = await startRt(name)
  const call = async (path: string, body: object): Promise<{ id: number }> => {
    const answer = await fetch(`${tool.url}/REST/2.0${path}`, {
      method: 'POST',
      headers: { authorization: `token ${tool.access.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return JSON.parse((await answer.text()) || '{}')
  }
  for (const index of upTo(tickets)) {
    const text = { Content: `Text of ${index}. `.repeat(20), ContentType: 'text/plain' }
    const { id } = await call('/ticket', {
      Queue: 'General',
      Subject: `Ticket ${index}`,
      Requestor: ['a@b.example'],
      ...text,
    })
    for (const kind of ['comment', 'correspond']) await call(`/ticket/${id}/${kind}`, text)
  }
  return tool
}

/** Starts Tryton with parties, each with an address, a contact method and a note. */
export function startFilledTryton(name: string, parties: number) {
  return startTryton(name, parties === 0 ? prepareTryton : (access) => addParties(access, parties))
}

async function addParties(access: AccountAccess, parties: number): Promise<void> {
  const { tryton } = await prepareTryton(access)
  for (let start = 0; start < parties; start += 200) {
    const many = upTo(Math.min(200, parties - start)).map((index) => ({
      name: `Party ${start + index}`,
      contact_mechanisms: [['create', [{ type: 'email', value: `p${start + index}@customer.example` }]]],
      addresses: [['create', [{ street: `Street ${index}`, city: 'Köln' }]]],
    }))
    const ids = await tryton.create('party.party', ...many)
    await tryton.create('ir.note', ...ids.map((id) => ({ resource: `party.party,${id}`, message: `Note on ${id}` })))
  }
}

/** Starts WordPress with posts. Every fourth post has a comment. */
export async function startFilledWordpress(name: string, posts: number) {
  const tool = await startWordpress(name)
  const call = callAs(tool.access)
  for (const index of upTo(posts)) {
    const content = `<p>${`Text of ${index}. `.repeat(50)}</p>`
    const { id } = await call('POST', '/posts', { title: `Post ${index}`, content, status: 'publish' })
    const guest = { author_name: 'Guest', author_email: `g${index}@guest.example` }
    if (index % 4 === 0)
      await call('POST', '/comments', { post: id, content: `Comment ${index}`, status: 'approved', ...guest })
  }
  return tool
}

/** Starts Ghost with posts. Every fourth post has a comment. */
export async function startFilledGhost(name: string, posts: number) {
  const tool = await startGhost(name)
  const call = callGhost(tool.access)
  if (posts === 0) return tool
  const made = await call('POST', '/members/', { members: [{ email: 'm@mail.example', name: 'Member' }] })
  const member_id = made.members[0].id
  for (const index of upTo(posts)) {
    const html = `<p>${`Text of ${index}. `.repeat(50)}</p>`
    const post = { title: `Post ${index}`, html, status: 'published' }
    const { id } = (await call('POST', '/posts/?source=html', { posts: [post] })).posts[0]
    if (index % 4 !== 0) continue
    await call('POST', '/comments/', { comments: [{ post_id: id, member_id, html: `<p>Comment ${index}</p>` }] })
  }
  return tool
}
