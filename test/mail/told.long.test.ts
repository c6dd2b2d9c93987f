import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Fault } from '../../demo/harbour/faults.ts'
import { findPort } from '../../service/src/demo/find-port.ts'
import { harbourToken, startWholeService, type WholeService } from '../engine/whole-service.ts'
import { type MailServer, startMailServer } from './mail-server.ts'

let service: WholeService
let server: MailServer
let isLocked = false
beforeAll(async () => {
  server = await startMailServer()
  const port = await findPort(10_000 + Math.floor(Math.random() * 20_000), [0])
  service = await startWholeService({
    workers: 2,
    onRequest: async (): Promise<Fault> => (isLocked ? { status: 401 } : 'ok'),
    environment: {
      SMTP_URL: server.url,
      MAIL_FROM: 'Wherry <import@wherry.example>',
      PORT: String(port),
      WHERRY_ORIGIN: `http://127.0.0.1:${port}`,
    },
  })
})
afterAll(async () => {
  await service?.close()
  await server?.close()
})

const subjects = () => server.received.map(({ source }) => /^subject: (.*)$/im.exec(source)?.[1])
const patient = { timeout: 300_000, interval: 100 }

test('the customer gets one mail each about the end, an obstacle and an undo', { timeout: 900_000 }, async () => {
  const portal = await service.openPortal({ destination_username: 'kim@example.com' })
  await portal.connect()
  await portal.look('/plan')
  await portal.run('sample', 'sample_migration_completed')
  await portal.sponsor()
  expect((await portal.act('GET', '/contact')).json).toEqual({
    address: null,
    suggested: 'kim@example.com',
    is_sent: true,
  })
  expect(await portal.act('PUT', '/contact', { address: 'kim@example.com', language: 'en' })).toMatchObject({
    status: 204,
  })
  isLocked = true
  expect(await portal.act('POST', '/runs', { kind: 'full' })).toMatchObject({ status: 201 })
  await vi.waitFor(() => expect(subjects()).toEqual(['Your migration to Acme is waiting for you']), patient)
  expect(server.received[0]?.readable).toContain('Acme no longer lets us in')
  isLocked = false
  await portal.act('PUT', '/accounts/destination', { instance_url: service.harbour.baseUrl, token: harbourToken })
  await portal.until('migration_completed')
  await vi.waitFor(() => expect(subjects()).toHaveLength(2), patient)
  await portal.act('PUT', '/contact', { address: 'lee@example.com', language: 'de' })
  await portal.run('undo', 'migration_cleaned')
  await vi.waitFor(() => expect(server.received.map(({ to }) => to[0])).toHaveLength(3), patient)
  expect(subjects()[1]).toBe('Your data has arrived in Acme')
  expect(server.received[2]?.to).toEqual(['lee@example.com'])
  expect(server.received[2]?.readable).toContain(`${service.origin}/imports/${portal.id}/`)
  await vi.waitFor(async () => {
    const { messages } = (await portal.act('GET', '/messages')).json
    expect(messages.map(({ state }: { state: string }) => state)).toEqual(['sent', 'sent', 'sent'])
    // The link that opens the import is only in mails.
    expect(JSON.stringify(messages)).not.toContain(portal.token)
  }, patient)
  expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(3)

  await portal.act('PUT', '/contact', { address: null })
  expect((await portal.act('GET', '/contact')).json.address).toBeNull()
  const acts = (await portal.act('GET', '/activity')).json.activity.map(({ act }: { act: string }) => act)
  expect(acts.filter((act: string) => act.startsWith('contact'))).toEqual([
    'contact removed',
    'contact set',
    'contact set',
  ])
})

test.each([
  [{ address: 'kim@example.com\nBcc: other@example.com' }, 'address'],
  [{ address: 'kim@example.com,other@example.com' }, 'address'],
  [{ address: 'nobody' }, 'address'],
  [{ address: 7 }, 'address'],
  [{ address: 'kim@example.com', language: 'it' }, 'language'],
])('%j is refused', async (body, field) => {
  const portal = await service.openPortal()
  const { status, json } = await portal.act('PUT', '/contact', body)
  expect([status, Object.keys(json)]).toEqual([422, [field]])
  expect((await portal.act('GET', '/contact')).json.address).toBeNull()
})

test('reading the address and the messages requires the import’s cookie', async () => {
  const [one, two] = [await service.openPortal(), await service.openPortal()]
  await one.act('PUT', '/contact', { address: 'kim@example.com' })
  for (const path of ['/contact', '/messages']) {
    const answer = await fetch(`${service.origin}/portal/imports/${one.id}${path}`, { headers: { cookie: two.cookie } })
    expect(answer.status).toBe(401)
  }
})
