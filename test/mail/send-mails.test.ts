import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { connectors } from '../../service/src/connectors/registry.ts'
import { findPort } from '../../service/src/demo/find-port.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { forgetOldMails } from '../../service/src/mail/forget-mails.ts'
import { showMail } from '../../service/src/mail/list-mails.ts'
import { sendMail } from '../../service/src/mail/send-mails.ts'
import { startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { type MailService, openMailService } from './mail-service.ts'

let service: MailService
let server: MailServer
beforeAll(async () => {
  service = await openMailService()
})
afterAll(() => service.close())
beforeEach(async () => {
  await service.db.deleteFrom('mails').execute()
  server = await startMailServer()
})
afterEach(() => server.close())

test('a mail goes out once, with the customer’s link, in plain text and HTML', async () => {
  const imp = await service.createImport()
  const id = await service.queue(imp.id, 'completed', { records: 1204 })
  const parts = service.sender(server.url)
  await Promise.all([service.sendDue(parts), service.sendDue(parts), sendMail(parts, id)])
  await service.sendDue(parts)
  expect(server.received).toHaveLength(1)
  const [mail] = server.received
  expect(mail).toMatchObject({
    from: 'import@wherry.example',
    to: ['kim@example.com'],
    messageId: `<${id}@wherry.example>`,
  })
  const source = mail?.readable
  expect(source).toContain('Subject: Your data has arrived in Harbour')
  expect(source).toContain('From: Wherry <import@wherry.example>')
  expect(source).toContain('Auto-Submitted: auto-generated')
  expect(source).toContain('from Fernhill Desk to Harbour is complete: 1,204 records are there now.')
  expect(source).toContain(`See the report: ${imp.link}`)
  expect(source).toContain(`<a href="${imp.link}">See the report</a>`)
  expect(await service.mail(id)).toMatchObject({ state: 'sent', attempts: 1, trouble: null })
})

test('a German mail keeps its umlauts', async () => {
  const { id } = await service.createImport('Müller & Söhne')
  await service.queue(id, 'paused', { code: 'authorization_lost', role: 'source' }, { language: 'de' })
  await service.sendDue(service.sender(server.url))
  const source = server.received[0]?.readable
  expect(source).toContain('Fernhill Desk lässt uns nicht mehr hinein')
  expect(source).toContain('Müller &amp; Söhne')
})

test.each([
  ['es', 'Su migración a Señales le está esperando', 'Fernhill Desk ya no nos deja entrar'],
  ['fr', 'Votre migration vers Señales vous attend', 'Fernhill Desk ne nous laisse plus entrer'],
] as const)('a mail in %s keeps its accents', async (language, subject, because) => {
  const { id } = await service.createImport('Señales')
  const mail = await service.queue(id, 'paused', { code: 'authorization_lost', role: 'source' }, { language })
  await service.sendDue(service.sender(server.url))
  expect(server.received[0]?.readable).toContain(because)
  expect(server.received[0]?.readable).toContain(`<html lang="${language}">`)
  expect(await showMail(service.db, connectors, mail)).toMatchObject({ state: 'sent', subject })
})

test('a name with line breaks adds no header, and markup stays text', async () => {
  const { id } = await service.createImport('Plain')
  const partner = await service.db
    .selectFrom('imports')
    .select('partner_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await service.db
    .updateTable('partners')
    .set({ name: 'Evil\r\nBcc: everyone@example.com\r\n\r\n<script>alert(1)</script>' })
    .where('id', '=', partner.partner_id)
    .execute()
  await service.queue(id, 'undone', { kept: 2 })
  await service.sendDue(service.sender(server.url))
  const { source = '', readable = '', to } = server.received[0] ?? {}
  expect(to).toEqual(['kim@example.com'])
  const [head = ''] = source.split('\r\n\r\n')
  expect(head).not.toMatch(/^bcc:/im)
  expect(readable.split('text/html')[1]).not.toContain('<script>')
  expect(readable).toContain('2 records were kept')
})

test.each([
  'kim@example.com, other@example.com',
  'kim@example.com\r\nBcc: other@example.com',
  'Kim <kim@example.com>',
  'kim@example',
  '"kim smith"@example.com',
  `${'k'.repeat(65)}@example.com`,
  'kim@@example.com',
])('%j is not a valid address', async (to) => {
  const { id } = await service.createImport()
  await expect(service.queue(id, 'undone', { kept: 0 }, { to })).rejects.toThrow('no address')
})

test('while the server is down a mail waits, longer each time, and arrives later', async () => {
  const { id: importId } = await service.createImport()
  const id = await service.queue(importId, 'undone', { kept: 0 })
  await server.close()
  // Outside the range from which the system gives free ports to other servers.
  const port = await findPort(10_000 + Math.floor(Math.random() * 20_000), [0])
  const parts = { ...service.sender(`smtp://127.0.0.1:${port}`), random: () => 0.5 }
  const waits: number[] = []
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await service.makeDue(id)
    const before = Date.now()
    await sendMail(parts, id)
    const mail = await service.mail(id)
    expect(mail).toMatchObject({
      state: 'waiting',
      attempts: attempt,
      trouble: expect.stringContaining('ECONNREFUSED'),
    })
    waits.push(mail.due_at.getTime() - before)
  }
  expect(waits).toEqual([...waits].sort((a, b) => a - b))
  server = await startMailServer(port)
  // The mail is not due yet.
  await sendMail(parts, id)
  expect(server.received).toHaveLength(0)
  await service.makeDue(id)
  await sendMail(parts, id)
  expect(server.received).toHaveLength(1)
  expect(await service.mail(id)).toMatchObject({ state: 'sent', attempts: 4, trouble: null })
})

test('a refused address is given up at once; a busy server is retried', async () => {
  const { id: importId } = await service.createImport()
  const gone = await service.queue(importId, 'undone', { kept: 0 }, { to: 'gone@example.com' })
  const full = await service.queue(importId, 'undone', { kept: 0 }, { to: 'full@example.com' })
  server.behaviour.refuse = (address) =>
    address.startsWith('gone') ? { code: 550, message: 'no such user here' } : { code: 452, message: 'mailbox full' }
  await service.sendDue(service.sender(server.url))
  expect(await service.mail(gone)).toMatchObject({ state: 'given_up', attempts: 1, trouble: '550 no such user here' })
  expect(await service.mail(full)).toMatchObject({ state: 'waiting', attempts: 1, trouble: '452 mailbox full' })
})

test('a mail is given up after ten attempts, with the reason', async () => {
  const { id: importId } = await service.createImport()
  const id = await service.queue(importId, 'undone', { kept: 0 })
  server.behaviour.refuse = () => ({ code: 451, message: 'later' })
  const parts = service.sender(server.url)
  for (let attempt = 1; attempt <= 11; attempt += 1) {
    await service.makeDue(id)
    await sendMail(parts, id)
  }
  expect(await service.mail(id)).toMatchObject({ state: 'given_up', attempts: 10, trouble: '451 later' })
})

test('a mail that waited for a mail server for days is not sent', async () => {
  const { id: importId } = await service.createImport()
  const id = await service.queue(importId, 'completed', { records: 1 })
  await service.db
    .updateTable('mails')
    .set({ created_at: new Date(Date.now() - 4 * 86_400_000) })
    .where('id', '=', id)
    .execute()
  await service.sendDue(service.sender(server.url))
  expect(server.received).toHaveLength(0)
  expect(await service.mail(id)).toMatchObject({ state: 'given_up' })
})

test('a mail whose worker was killed before recording it is sent again under the same Message-ID', async () => {
  const { id: importId } = await service.createImport()
  const id = await service.queue(importId, 'completed', { records: 3 })
  const program = join(import.meta.dirname, 'crash-sender.ts')
  let release = () => {}
  server.behaviour.onMessage = () =>
    new Promise<void>((resolve) => {
      release = resolve
    })
  const worker = startProgram(process.execPath, [program, service.databaseUrl, testKeys, server.url, id], {
    env: { PATH: process.env.PATH },
  })
  try {
    await vi.waitFor(() => expect(server.received).toHaveLength(1), { timeout: 300_000 })
  } finally {
    worker.child.kill('SIGKILL')
  }
  await worker.finished
  release()
  delete server.behaviour.onMessage
  const parts = service.sender(server.url)
  // No worker takes the mail until the claim has run out.
  await service.sendDue(parts)
  expect(server.received).toHaveLength(1)
  expect(await service.mail(id)).toMatchObject({ state: 'waiting', attempts: 1 })
  await service.makeDue(id)
  await service.sendDue(parts)
  expect(server.received.map(({ messageId }) => messageId)).toEqual([
    `<${id}@wherry.example>`,
    `<${id}@wherry.example>`,
  ])
  expect(await service.mail(id)).toMatchObject({ state: 'sent', attempts: 2 })
})

test('a transaction that fails sends nothing', async () => {
  const { id: importId } = await service.createImport()
  const { queueMail } = await import('../../service/src/mail/queue-mail.ts')
  const act = service.db.transaction().execute(async (tx) => {
    await queueMail(tx, { importId, to: 'kim@example.com', template: 'undone', values: { kept: 0 } })
    throw new Error('it did not come true')
  })
  await expect(act).rejects.toThrow('did not come true')
  expect(await service.sendDue(service.sender(server.url))).toBe(0)
})

test('the end of an import deletes its sent mails, and waiting mails still arrive', async () => {
  const { id: importId } = await service.createImport()
  const sent = await service.queue(importId, 'completed', { records: 1 })
  await service.sendDue(service.sender(server.url))
  const waiting = await service.queue(importId, 'undone', { kept: 0 })
  await endImport(service.db, importId, 'archived')
  const left = () => service.db.selectFrom('mails').select('id').where('import_id', '=', importId).execute()
  expect(await left()).toEqual([{ id: waiting }])
  expect(sent).not.toBe(waiting)
  await service.sendDue(service.sender(server.url))
  expect(server.received).toHaveLength(2)
  await forgetOldMails(service.db)
  expect(await left()).toEqual([])
})
