import { callGhost } from './ghost-seed.ts'
import { inDatabase, type Place } from './place.ts'
import { callRedmine } from './redmine-live.ts'
import { callAs } from './wordpress-seed.ts'

/** Restricted records of a source, each with a unique word, and one public record. */
export interface Planted {
  /** Words that each occur in one restricted record only. */
  secrets: string[]
  open: string
  remove(): Promise<unknown>
}

export async function plantInRedmine(place: Place, run: string): Promise<Planted & { issue: string; mail: string }> {
  const open = `open${run}`
  const secret = (what: string) => `secret${run}${what}`
  const { json } = await callRedmine(place, 'GET', '/projects/alpha.json')
  const project_id = json.project.id
  const mail = `asker-${run}@people.example`
  const asker = { login: `asker-${run}`, firstname: 'Asks', lastname: 'Once', mail, generate_password: true }
  const { json: made } = await callRedmine(place, 'POST', '/users.json', { user: asker })
  const fields = await inDatabase(place, (ask) =>
    ask<{ id: number; visible: boolean }>(
      `select id, visible from custom_fields where type = 'IssueCustomField' and field_format = 'string' and is_for_all and name <> 'Wherry key' order by id limit 1`,
    ),
  )
  const field = fields[0]
  if (!field) throw new Error('there is no custom field to restrict')
  const role = (roles: { id: number }[]) => roles[0]?.id
  await inDatabase(place, async (ask) => {
    await ask('update custom_fields set visible = false where id = $1', [field.id])
    const manager = role(await ask(`select id from roles where name = 'Manager'`))
    await ask('insert into custom_fields_roles (custom_field_id, role_id) values ($1, $2)', [field.id, manager])
    await ask(
      'insert into custom_fields_trackers (custom_field_id, tracker_id) select $1, id from trackers t where not exists (select from custom_fields_trackers x where x.custom_field_id = $1 and x.tracker_id = t.id)',
      [field.id],
    )
  })
  const create = async (subject: string, more: object = {}): Promise<number> => {
    const issue = { project_id, subject, description: subject, ...more }
    const answer = await callRedmine(place, 'POST', '/issues.json', { issue })
    if (answer.status !== 201) throw new Error(`an issue was refused: ${JSON.stringify(answer.json)}`)
    return answer.json.issue.id
  }
  const custom_fields = [{ id: field.id, value: secret('field') }]
  const seen = await create(open, { custom_fields })
  await inDatabase(place, (ask) => ask('update issues set author_id = $1 where id = $2', [made.user.id, seen]))
  await callRedmine(place, 'PUT', `/issues/${seen}.json`, { issue: { notes: secret('note'), private_notes: true } })
  await callRedmine(place, 'PUT', `/issues/${seen}.json`, { issue: { notes: `${open} note` } })
  const hidden = await create(secret('issue'), { is_private: true })
  return {
    open,
    secrets: ['field', 'note', 'issue'].map(secret),
    issue: String(seen),
    mail,
    async remove() {
      for (const id of [seen, hidden]) await callRedmine(place, 'DELETE', `/issues/${id}.json`)
      await callRedmine(place, 'DELETE', `/users/${made.user.id}.json`)
      await inDatabase(place, async (ask) => {
        await ask('update custom_fields set visible = $2 where id = $1', [field.id, field.visible])
        await ask('delete from custom_fields_roles where custom_field_id = $1', [field.id])
      })
    },
  }
}

export async function plantInWordpress({ access }: Place, run: string): Promise<Planted> {
  const call = callAs(access)
  const open = `open${run}`
  const secret = (what: string) => `secret${run}${what}`
  const made: string[] = []
  const make = async (list: string, words: string, more: object) => {
    const content = `<p>${words} text</p>`
    const { id } = await call('POST', `/${list}`, { title: words, content, ...more })
    made.unshift(`/${list}/${id}?force=true`)
    return id
  }
  const kinds: Record<string, object> = {
    draft: { status: 'draft' },
    pending: { status: 'pending' },
    private: { status: 'private' },
    future: { status: 'future', date_gmt: '2036-02-02T00:00:00Z' },
  }
  for (const [kind, more] of Object.entries(kinds)) await make('posts', secret(kind), more)
  await make('pages', secret('page'), { status: 'private' })
  // Everyone sees the title of a protected post, so the secret is in its content.
  const content = `<p>${secret('password')}</p>`
  const { id: locked } = await call('POST', '/posts', { title: 'Locked', status: 'publish', password: 'p', content })
  made.unshift(`/posts/${locked}?force=true`)
  const post = await make('posts', open, { status: 'publish' })
  const guest = { author_name: 'Guest', author_email: `guest-${run}@guest.example` }
  const waiting = await call('POST', '/comments', { post, content: secret('comment'), status: 'hold', ...guest })
  made.unshift(`/comments/${waiting.id}?force=true`)
  return {
    open,
    secrets: [...Object.keys(kinds), 'page', 'password', 'comment', 'mail'].map(secret).concat(`guest-${run}@`),
    async remove() {
      for (const route of made) await call('DELETE', route)
    },
  }
}

export async function plantInGhost({ access }: Place, run: string): Promise<Planted> {
  const call = callGhost(access)
  const open = `open${run}`
  const secret = (what: string) => `secret${run}${what}`
  const made: string[] = []
  const make = async (list: 'posts' | 'pages', title: string, words: string, more: object) => {
    const body = { [list]: [{ title, html: `<p>${words} text</p>`, ...more }] }
    made.unshift(`/${list}/${(await call('POST', `/${list}/?source=html`, body))[list][0].id}/`)
  }
  await make('posts', secret('draft'), secret('draft'), { status: 'draft' })
  const later = { status: 'scheduled', published_at: '2036-01-01T00:00:00.000Z' }
  await make('posts', secret('scheduled'), secret('scheduled'), later)
  await make('pages', secret('page'), secret('page'), { status: 'draft' })
  // Everyone sees the titles of these posts.
  await make('posts', 'For members', secret('members'), { status: 'published', visibility: 'members' })
  await make('posts', 'For those who pay', secret('paid'), { status: 'published', visibility: 'paid' })
  await make('posts', open, open, { status: 'published' })
  return {
    open,
    secrets: ['draft', 'scheduled', 'page', 'members', 'paid'].map(secret),
    async remove() {
      for (const route of made) await call('DELETE', route)
    },
  }
}
