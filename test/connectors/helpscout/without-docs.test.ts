import { afterEach, beforeEach, expect, test } from 'vitest'
import { helpscout } from '../../../service/src/connectors/helpdesk/helpscout/index.ts'
import { checkDestination } from '../../../service/src/imports/check-destination.ts'
import { minuteMs } from '../../twins/clock.ts'
import { seedDesk, seedDocs } from '../../twins/helpscout/seed.ts'
import { readAll } from '../reader-contract.ts'
import { openTwin } from './open-helpscout.ts'

// The Docs key is optional: an account without it has its inboxes, and no knowledge base.

type Opened = Awaited<ReturnType<typeof openTwin>>
let open: Opened
beforeEach(async () => {
  open = await openTwin({ searchLagMs: 0 })
  seedDesk(open.twin.account, open.twin.staff, open.twin.files)
  open.twin.clock.advance(minuteMs)
})
afterEach(() => open.close())

const noKey = { more: {} }

test('without a Docs API key everything except the knowledge base is read, and Docs gets no request', async () => {
  seedDocs(open.twin.docs)
  const reader = open.reader(noKey)
  const read = (entity: string) => readAll((cursor) => reader.read(entity, cursor, {}))
  for (const entity of ['contacts', 'tickets', 'comments', 'attachments']) {
    expect((await read(entity)).length, entity).toBeGreaterThan(0)
  }
  for (const entity of ['categories', 'articles']) expect(await read(entity), entity).toEqual([])
  expect(await reader.findGone?.('articles', ['5f1a2b3c4d5e6f7a8b9c0d1e'])).toEqual([])
  expect(open.twin.docsTwin.seen).toEqual([])
})

test('without a Docs API key a destination offers no articles, and says before the run what to do', async () => {
  const writer = open.writer(noKey)
  const { entities } = await writer.describe()
  expect(Object.keys(entities)).toEqual(expect.arrayContaining(['contacts', 'tickets', 'comments']))
  expect(Object.keys(entities).filter((name) => name === 'categories' || name === 'articles')).toEqual([])
  expect(await writer.preflight?.()).toContainEqual(
    expect.objectContaining({ code: 'docs_key', isFine: false, isBlocking: false }),
  )
  expect(open.twin.docsTwin.seen).toEqual([])
})

test('an account is checked without the optional key, and not without a required one', async () => {
  const { outbound, access } = open.account()
  const checked = await checkDestination(helpscout, { ...access, more: {} }, outbound)
  expect(checked?.info.name).toContain('Help Scout')
  expect(await checkDestination(helpscout, { ...access, token: null }, outbound)).toBeNull()
})
