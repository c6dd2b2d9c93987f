import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Cleanups, move } from './follow-links.ts'
import { openRedmine } from './open-destination.ts'
import { patienceMs } from './pair-service.ts'
import { inDatabase, readPlaces } from './place.ts'
import { callRedmine } from './redmine-live.ts'
import { charsets, namedFiles } from './rt-mails.ts'

// Mails in old encodings, as people read them in the destination.

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const { rt, redmine } = readPlaces()
const cleanups: Cleanups = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

const wordsOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .trim()

describe.skipIf(!rt || !redmine)('mails of a Request Tracker (npm run live -- rt redmine)', () => {
  if (!rt || !redmine) return test.skip('not started: rt, redmine', () => {})

  test('keep their words and the names and bytes of their files in Redmine, in any encoding', async () => {
    const { destination } = redmine
    const walk = { from: 'rt', to: 'redmine', family: 'helpdesk' as const }
    const moved = await move(walk, rt.source, await openRedmine(destination), cleanups)
    const sources = await inDatabase(rt.source, (ask) =>
      ask<{ id: number; subject: string }>(`select id, subject from tickets where status <> 'deleted'`),
    )
    const issueOf = async (subject: string) => {
      const source = sources.find((ticket) => ticket.subject === subject)
      const path = moved.urlOf('tickets', String(source?.id)).slice(destination.url.length)
      return (await callRedmine(destination, 'GET', `${path}.json?include=attachments`)).json.issue
    }
    for (const { charset, read } of charsets) {
      const issue = await issueOf(read.subject)
      expect([charset, issue.subject]).toEqual([charset, read.subject])
      expect(issue.description, charset).toContain(wordsOf(read.body))
    }
    const { description, attachments } = await issueOf('names of files')
    expect(description).toMatch(/Siehe \*Anhang\*: 5 €/)
    const files: { filename: string; content_url: string }[] = attachments
    expect(files.map(({ filename }) => filename).sort()).toEqual(namedFiles.map(({ read }) => read).sort())
    for (const { filename, content_url } of files) {
      const answer = await fetch(content_url, { headers: { 'x-redmine-api-key': String(destination.access.token) } })
      const sent = namedFiles.find(({ read }) => read === filename)
      expect(Buffer.from(await answer.arrayBuffer()), filename).toEqual(sent?.bytes)
    }
  })
})
