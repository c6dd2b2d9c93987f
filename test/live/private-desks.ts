import { randomBytes } from 'node:crypto'
import type { Ticket } from './compare-desks.ts'
import { type Facts, ofTable, sha256 } from './facts.ts'
import type { LedgerRecord } from './pair-service.ts'
import { inDatabase, type Place } from './place.ts'
import { callRedmine } from './redmine-live.ts'

/** Files of comments among agents, as the ledger lists them when they are not sent. */
export const listPrivateFiles = (source: Place): Promise<string[]> =>
  inDatabase(source, async (ask) => {
    const files = await ask<{ id: string }>(
      `select a.transactionid || '-' || a.id as id from attachments a join transactions x on x.id = a.transactionid where x.objecttype = 'RT::Ticket' and x.type = 'Comment'`,
    )
    return files.map(({ id }) => `attachments ${id} refused not_protected`)
  })

/** Private issues, which are not sent unless the customer allows it, with their children. */
export const listPrivateIssues = (source: Place): Promise<string[]> =>
  inDatabase(source, async (ask) => {
    const issues = await ask<{ id: number }>('select id from issues where is_private')
    const files = await ask<{ id: number }>(
      `select a.id from attachments a join issues i on a.container_type = 'Issue' and i.id = a.container_id where i.is_private`,
    )
    return [
      ...issues.flatMap(({ id }) => [`tickets ${id} refused not_protected`, `comments ${id}-`]),
      ...files.map(({ id }) => `attachments ${id} held`),
    ]
  })

/**
 * Reads as a member who may not see private notes, with Redmine's own role for reporters. Returns the content that was
 * private in the source.
 */
export async function lookAsReporter(place: Place, records: readonly LedgerRecord[], source: Facts): Promise<string[]> {
  const tickets = ofTable(source, 'tickets') as [string, Ticket][]
  const privateShas = new Set(
    tickets.flatMap(([, { privateFiles = [] }]) => privateFiles.map((one) => JSON.parse(one).sha)),
  )
  const privateTexts = tickets.flatMap(([, { thread }]) => thread.filter(({ isPublic }) => !isPublic))
  if (privateShas.size === 0 || privateTexts.length === 0) throw new Error('the source has nothing private')
  const ids = (entity: string) =>
    records.filter((one) => one.entity === entity).flatMap((one) => one.destination_id ?? [])
  const login = `reporter-${randomBytes(4).toString('hex')}`
  const user = {
    login,
    firstname: 'Only',
    lastname: 'Reports',
    mail: `${login}@agents.example`,
    mail_notification: 'none',
  }
  const { json: made } = await callRedmine(place, 'POST', '/users.json', { user: { ...user, generate_password: true } })
  const { json: known } = await callRedmine(place, 'GET', '/roles.json')
  const role = known.roles.find(({ name }: { name: string }) => name === 'Reporter')
  const { json: rights } = await callRedmine(place, 'GET', `/roles/${role.id}.json`)
  if (rights.role.permissions.includes('view_private_notes')) throw new Error('this role may see private notes')
  try {
    for (const project of new Set(ids('groups'))) {
      const membership = { user_id: made.user.id, role_ids: [role.id] }
      await callRedmine(place, 'POST', `/projects/${project}/memberships.json`, { membership })
    }
    const get = (path: string) =>
      fetch(`${place.url}${path}`, {
        headers: { 'x-redmine-api-key': String(place.access.token), 'x-redmine-switch-user': login },
      })
    const seen: string[] = []
    let issues = 0
    for (const id of ids('tickets')) {
      const answer = await get(`/issues/${id}.json?include=journals,attachments`)
      if (!answer.ok) continue
      issues += 1
      const { issue } = (await answer.json()) as { issue: { journals: { id: number; private_notes: boolean }[] } }
      for (const note of issue.journals) if (note.private_notes) seen.push(`note ${note.id} of issue ${id}`)
    }
    if (issues === 0) throw new Error('the reporter sees no issue at all')
    const files = await inDatabase(place, (ask) =>
      ask<{ id: number }>(`select id from attachments where container_type in ('Issue', 'Journal') order by id`),
    )
    for (const { id } of files) {
      const answer = await get(`/attachments/download/${id}`)
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (answer.ok && privateShas.has(sha256(bytes))) seen.push(`file ${id}`)
    }
    return seen
  } finally {
    await callRedmine(place, 'DELETE', `/users/${made.user.id}.json`)
  }
}
