import { afterEach, expect, test } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { startJourney } from '../../engine/journey.ts'
import { idOf } from '../../twins/freshdesk/account.ts'
import { saveContact } from '../../twins/freshdesk/contacts.ts'
import { addConversation } from '../../twins/freshdesk/conversations.ts'
import { filesOf, keepFiles } from '../../twins/freshdesk/files.ts'
import { makeTicket } from '../../twins/freshdesk/save-ticket.ts'
import { type FreshdeskTwin, startFreshdeskTwin } from '../../twins/freshdesk/twin.ts'
import { rowsOf, workThrough } from '../zendesk/to-zendesk.ts'

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const partsOf = (...names: string[]) =>
  names.map((fileName, at) => ({
    ...{ name: 'attachments[]', fileName, contentType: 'text/plain', bytes: Buffer.from(`${fileName} ${at}`) },
  }))

/** Two tickets with files of equal names, each with a note for everyone and a note for agents. */
function seedFiles({ account, staff }: FreshdeskTwin): void {
  const contact = saveContact(account, { name: 'Cara', email: 'cara@mail.example.com' })
  for (const subject of ['One', 'Two']) {
    const body = { subject, description: `<p>${subject}</p>`, requester_id: idOf(contact) }
    const ticket = makeTicket(account, body, partsOf('same.txt', 'same.txt', `${subject}.txt`))
    for (const isPrivate of [false, true]) {
      const attachments = keepFiles(account, partsOf('same.txt', 'same.txt', 'other.txt'))
      const said = {
        user_id: idOf(staff.anna),
        body: `<p>${isPrivate}</p>`,
        private: isPrivate,
        cc_emails: ['c@x.test'],
      }
      addConversation(account, ticket, { ...said, attachments })
    }
  }
}

/** Each ticket and note, with the bytes of its files. */
const shownIn = ({ account }: FreshdeskTwin) => {
  const wordsOf = (attachments: string[]) => filesOf(account, attachments).map(({ bytes }) => String(bytes))
  return [
    ...account.tickets.list().map((ticket) => [ticket.subject, ...wordsOf(ticket.attachments)]),
    ...account.conversations.list().map((note) => [note.private, ...wordsOf(note.attachments)]),
  ]
    .map(String)
    .sort()
}

test('files arrive in their tickets and notes once, wherever a worker is killed or an answer lost', async () => {
  const [source, destination] = [await startFreshdeskTwin(), await startFreshdeskTwin({ hasNotifications: false })]
  cleanup.defer(() => source.close())
  cleanup.defer(() => destination.close())
  seedFiles(source)
  const journey = await startJourney({
    source: { tool: 'freshdesk', url: source.url },
    destination: { tool: 'freshdesk', url: destination.url, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(source.access.token)
  await journey.connectDestination(destination.access.token)
  const runId = await journey.start('full')
  await journey.work(runId)
  await journey.resume()
  let sent = 0
  destination.faults.when(({ method, url }) => {
    const isChange = method === 'PUT' && /\/(tickets|conversations)\/\d+$/.test(url.pathname)
    return isChange && ++sent % 4 === 1 ? { kind: 'lost' } : null
  })
  for (const nth of [1, 2, 3]) await crashAt(journey, runId, 'all batches sent', nth)
  for (const point of ['intents committed', 'first batch sent', 'outcomes committed', 'stage done'] as const) {
    await crashAt(journey, runId, point)
  }
  await workThrough(journey, runId)
  const { status_code, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
  expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs|edited|refused)"/)
  // Freshdesk has no place for recipients of notes.
  expect(warnings).toContainEqual(
    expect.objectContaining({ code: 'custom_field_not_taken:cc_emails', entity: 'comments', count: 4 }),
  )
  expect(shownIn(destination)).toEqual(shownIn(source))
  const files = await rowsOf(journey, 'attachments')
  expect(files.filter(({ state }) => state === 'written')).toHaveLength(18)
  expect(new Set(files.map(({ destination_id }) => destination_id)).size).toBe(18)
  expect(destination.account.mails).toEqual([])
  destination.expectNoViolations()
  await workThrough(journey, await journey.start('undo'))
  expect(destination.account.tickets.list(({ deletedAt }) => deletedAt === null)).toEqual([])
}, 600_000)
