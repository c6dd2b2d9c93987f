import { afterEach, expect, test } from 'vitest'
import { startJourney } from '../../engine/journey.ts'
import { createClock, minuteMs } from '../../twins/clock.ts'
import { idOf } from '../../twins/zendesk/account.ts'
import { commentsOf } from '../../twins/zendesk/comments.ts'
import { importTicket } from '../../twins/zendesk/import-ticket.ts'
import { saveUser } from '../../twins/zendesk/users.ts'
import { startTwin, workThrough } from './to-zendesk.ts'

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

test('messages of people who left name them in a line, and are never by the requester', {
  timeout: 900_000,
}, async () => {
  const clock = createClock()
  const twin = await startTwin(cleanup, clock)
  const { account, staff } = twin
  const rita = saveUser(account, { name: 'Rita', email: 'rita@example.test' })
  const left = saveUser(account, { name: 'Lea Left', email: 'lea@example.test' })
  const said = (html_body: string, author: typeof rita) => ({ html_body, author_id: idOf(author), public: false })
  const comments = [said('<p>First</p>', left), said('<p>Second</p>', left), said('<p>Third</p>', rita)]
  importTicket(account, { subject: 'One', requester_id: idOf(rita), comments }, staff.admin)
  account.users.remove(left.id, { isKept: true })
  clock.advance(10 * minuteMs)
  const destination = await startTwin(cleanup)
  const { url, access } = destination
  const journey = await startJourney({
    source: { tool: 'zendesk', url: twin.url, username: twin.access.username },
    destination: { tool: 'zendesk', url, username: access.username, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(twin.access.token)
  await journey.connectDestination(access.token)
  await workThrough(journey, await journey.start('full'))
  const [ticket] = destination.account.tickets.list()
  const [copy] = destination.account.users.list(({ name }) => name === 'Rita')
  expect(ticket?.requester_id).toBe(Number(copy?.id))
  const me = idOf(destination.staff.admin)
  const copies = commentsOf(destination.account, Number(ticket?.id)).map(({ author_id, html }) => [author_id, html])
  expect(copies).toEqual([
    [me, expect.stringMatching(/dir="auto"><p dir="auto">— Lea Left, [-0-9]{10} —<\/p><p dir="auto">First/)],
    [me, expect.stringMatching(/dir="auto"><p dir="auto">— Lea Left, [-0-9]{10} —<\/p><p dir="auto">Second/)],
    [Number(copy?.id), expect.stringMatching(/dir="auto"><p dir="auto">Third/)],
  ])
  const { warnings } = await journey.status()
  expect(JSON.stringify(warnings)).toContain('author_missing')
  expect(JSON.stringify(warnings)).not.toContain('differs')
})
