import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { type MailService, openMailService } from '../mail/mail-service.ts'
import { run } from '../support/program.ts'
import { testKeys } from '../support/service.ts'

let service: MailService
beforeAll(async () => {
  service = await openMailService()
})
afterAll(() => service.close())

const wherry = (...args: string[]) =>
  run(process.execPath, [join(checkoutDir, 'service/bin/wherry.mjs'), ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: service.databaseUrl, WHERRY_KEYS: testKeys },
  })

test('the outbox is listed and shown, without the link that opens the import', async () => {
  const imp = await service.createImport()
  const id = await service.queue(imp.id, 'completed', { records: 7 })
  const listed = await wherry('mail', 'list', '--import', imp.id, '--json')
  expect([listed.code, listed.stderr]).toEqual([0, ''])
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { id, to: 'kim@example.com', subject: 'Your data has arrived in Harbour', state: 'waiting', attempts: 0 },
  ])
  const shown = await wherry('mail', 'show', id)
  expect(shown.stdout).toContain('7 records are there now.')
  expect(shown.stdout).not.toContain(imp.link.split('/').at(-1))
  expect((await wherry('mail', 'list', '--state', 'sent')).stdout.trim()).toBe('None.')
})

test('a mail that does not exist is an error', async () => {
  expect(await wherry('mail', 'show', 'mail_none')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no mail mail_none'),
  })
  expect(await wherry('mail', 'list', '--state', 'lost')).toMatchObject({ code: 1 })
})
