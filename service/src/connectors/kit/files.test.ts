import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { RetryableError } from '../../errors.ts'
import { nameWithExtension, sendForm, toFile } from './files.ts'
import type { Sending, Sent } from './http.ts'

const rules = { field: 'file', fileName: 'a.txt', words: { title: 'A' } }
const fileOf = (body: Readable) => ({ body, size: 5, contentType: 'text/plain' })
const done = (json: unknown): Sent => ({ result: 'done', status: 201, headers: {}, json })
const readAll = async ({ body }: Sending) => {
  const parts: Buffer[] = []
  for await (const part of body as Readable) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

test('a file is sent as a form with its fields, and its length is declared', async () => {
  let form = ''
  const answer = await sendForm('Acme', fileOf(Readable.from([Buffer.from('words')])), rules, async (sending) => {
    form = await readAll(sending)
    expect(sending.headers?.['content-length']).toBe(String(form.length))
    return done({ size: 5 })
  })
  expect(answer.result).toBe('done')
  expect(form).toContain('name="title"\r\n\r\nA')
  expect(form).toContain('filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nwords\r\n')
})

test('a success counts only for all bytes', async () => {
  const send = (storedSize: () => number | null, read: (sending: Sending) => Promise<unknown>) =>
    sendForm('Acme', fileOf(Readable.from([Buffer.from('words')])), { ...rules, storedSize }, async (sending) => {
      await read(sending)
      return done({})
    })
  await expect(send(() => 4, readAll)).rejects.toThrow(RetryableError)
  await expect(
    send(
      () => null,
      async () => {},
    ),
  ).rejects.toThrow('stored a part of a file')
  expect((await send(() => 5, readAll)).result).toBe('done')
})

test('a source that breaks off is the reported failure, and a refusal is returned', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('wo')
      throw new RetryableError('the source broke off')
    })(),
  )
  await expect(
    sendForm('Acme', fileOf(broken), rules, async (sending) => done(await readAll(sending))),
  ).rejects.toThrow('the source broke off')
  const refusal: Sent = { result: 'refused', status: 413, code: 'too_large', message: 'No', json: null }
  expect(await sendForm('Acme', fileOf(Readable.from(['words'])), rules, async () => refusal)).toBe(refusal)
})

test('a compressed download has no known size', () => {
  const headers = { 'content-length': '5', 'content-type': 'text/plain' }
  const open = (more: Record<string, string>) =>
    toFile({ status: 200, statusText: '', headers: { ...headers, ...more }, body: Readable.from(['words']) } as never)
  expect(open({})).toMatchObject({ size: 5, contentType: 'text/plain' })
  expect(open({ 'content-encoding': 'gzip' }).size).toBeNull()
  expect(open({ 'content-length': 'many' }).size).toBeNull()
})

test('a name without an extension gets the extension of its type', () => {
  expect(nameWithExtension('view', 'image/png; q=1')).toBe('view.png')
  expect(nameWithExtension('view.jpeg', 'image/png')).toBe('view.jpeg')
  expect(nameWithExtension('', null)).toBe('file')
  expect(nameWithExtension('notes', 'text/plain', ['image/png'])).toBe('notes')
  expect(nameWithExtension('x'.repeat(500), 'image/png')).toHaveLength(154)
})
