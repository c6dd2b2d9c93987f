import { afterEach, expect, test } from 'vitest'
import { startJourney } from '../../engine/journey.ts'
import { minuteMs } from '../../twins/clock.ts'
import { saveConversation } from '../../twins/helpscout/save-conversation.ts'
import { saveCustomer } from '../../twins/helpscout/save-customer.ts'
import { dot } from '../../twins/helpscout/seed.ts'
import { startHelpScoutTwin } from '../../twins/helpscout/twin.ts'
import { letTimePass, workThrough } from './work-through.ts'

// Texts of one Help Scout in another: their pictures, files and links lead to the copies.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function startTwin() {
  const twin = await startHelpScoutTwin({ searchLagMs: 0 })
  cleanup.defer(() => twin.close())
  const { docs } = twin
  const site = docs.sites.put({ id: docs.nextId(), title: 'Help', subDomain: 'help' })
  return { ...twin, site }
}

test('texts show the copies of their pictures and link to copies, also after a change of a link alone', async () => {
  const [from, into] = [await startTwin(), await startTwin()]
  const { docs, account, staff } = from
  const put = (fileName: string) => {
    const { id } = docs.assets.put({ id: docs.nextId(), articleId: '', fileName, bytes: dot })
    return `${from.docsTwin.url}/assets/${id}/${fileName}`
  }
  const guide = docs.addCollection(from.site.id, 'Guide')
  const [shown, linked] = [put('picture.png'), put('manual.pdf')]
  // A picture that is missing does not keep the others from their copies.
  const missing = `${from.docsTwin.url}/assets/none/gone.png`
  const words = `<p>Look <img src="${missing}"> <img src="${shown}"> <a href="${linked}">Manual</a> `
  const one = docs.addArticle(guide.id, 'One', `${words}</p>`, { status: 'published' })
  const customer = { id: Number(saveCustomer(account, { firstName: 'Nora', emails: [{ value: 'n@example.org' }] }).id) }
  const inbox = { type: 'email', status: 'active', mailboxId: Number(staff.support.id), imported: true, customer }
  const talk = (subject: string, ...texts: string[]) => {
    const threads = texts.map((text) => ({ type: 'customer', customer, text, imported: true }))
    return saveConversation(account, { ...inbox, subject, threads })
  }
  const first = talk('First', 'later', 'later')
  const last = talk('Last', 'I am the last one')
  const link = `<p>See <a href="https://secure.helpscout.net/conversation/${last.id}/${last.number}">it</a></p>`
  account.conversations.change(first.id, { threads: first.threads.map((thread) => ({ ...thread, body: link })) })
  from.clock.advance(10 * minuteMs)

  const { username, token, more } = into.access
  const journey = await startJourney({
    source: { tool: 'helpscout', url: from.url, username: from.access.username, more: from.access.more },
    destination: { tool: 'helpscout', url: into.url, username, more, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(from.access.token)
  await journey.connectDestination(token)
  await workThrough(journey, into, await journey.start('full'))
  const { status_code, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')

  const textOf = (name: string) => into.docs.articles.list((article) => article.name === name)[0]?.text ?? ''
  const copies = into.docs.assets.list().map(({ id, fileName }) => `${into.docsTwin.url}/assets/${id}/${fileName}`)
  expect(copies).toHaveLength(2)
  for (const copy of copies) expect(textOf('One')).toContain(copy)
  expect(textOf('One').split(from.docsTwin.url)).toHaveLength(2)
  const copied = (subject: string) => into.account.conversations.list((one) => one.subject === subject)[0]
  const texts = copied('First')?.threads.flatMap(({ body, type }) => (type === 'customer' ? [body] : []))
  expect(texts).toEqual([0, 1].map(() => expect.stringContaining(`/conversation/${copied('Last')?.id}/`)))

  from.clock.advance(10 * minuteMs)
  docs.changeArticle(one, { text: `${words}<a href="https://else.example"></a></p>` })
  await letTimePass(journey, into)
  await workThrough(journey, into, await journey.start('delta'))
  expect(textOf('One')).toContain('https://else.example')
  expect([...from.mails, ...into.mails]).toEqual([])
})
