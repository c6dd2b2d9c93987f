import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { OutgoingContent, OutgoingFile, OutgoingRecord, SoughtRecord } from '../contract/contract.ts'
import { defineEntity } from './entity.ts'
import type { Sent } from './http.ts'
import { externalIdKey } from './keys.ts'
import type { RawRecord } from './lens.ts'
import * as is from './lenses.ts'
import { openWriter, type WrittenEntity } from './open-writer.ts'
import { refusalsOf, written } from './outcomes.ts'
import { versionOf } from './version.ts'
import { writeEach } from './write-each.ts'
import { toStored, writeRecord } from './write-record.ts'

const { accepted } = refusalsOf('Acme')
const contacts = defineEntity('helpdesk', 'contacts', {
  fields: { name: is.text('full_name'), language: is.text('language') },
})
const attachments = defineEntity('helpdesk', 'attachments', { fields: { file_name: is.text('name') } })
const nothing: OutgoingContent = { fields: {}, customFields: {}, createdAt: null, updatedAt: null }
const outgoing = (key: string, fields: Record<string, unknown>): OutgoingRecord => ({
  ...nothing,
  ...{ key, fields, revision: 1, destinationId: null, createdBy: null },
})
const sought = (key: string, destinationId: string | null): SoughtRecord => ({ key, destinationId, parent: null })
const fileOf = (key: string): OutgoingFile => ({
  ...outgoing(key, { file_name: 'a.txt' }),
  ...{ size: 1, contentType: null, body: Readable.from('x') },
})
const done: Sent = { result: 'done', status: 200, headers: {}, json: null }
const gone: Sent = { result: 'refused', status: 404, code: 'x', message: 'No', json: null }

/** A tool that keeps contacts in memory and takes no files. `asked` counts how often its account was read. */
function openTool(more: Partial<WrittenEntity> = {}) {
  const kept: RawRecord[] = []
  const asked = { entities: 0 }
  const toFound = (raw: RawRecord) => {
    const content = toStored('Acme', contacts, raw)
    return { ...content, version: versionOf(content.fields), url: null }
  }
  const writer = openWriter('Acme', {
    describe: async () => ({
      account: { name: 'Acme' },
      textFormat: 'html',
      maxFileBytes: null,
      capabilities: {
        ...{ deliveryClass: 'C', delete: true, silentCreate: true, backdate: false, createField: false },
        ...{ batchSize: 10, concurrency: 1, settleMs: 0 },
      },
    }),
    async entities() {
      asked.entities += 1
      return {
        contacts: {
          declared: contacts,
          offer: { required: ['name'], fields: { language: { type: 'option', options: ['en'] } } },
          write: (records) =>
            writeEach(records, async (record) => {
              if (record.fields.name === 'nobody') accepted(gone)
              const raw = {
                id: kept.length + 1,
                external: record.key,
                ...writeRecord(contacts, record, { isWhole: true }),
              }
              kept.push(raw)
              return written(record.key, raw.id, toFound(raw))
            }),
          look: () => ({
            byIds: async (ids) => kept.filter(({ id }) => ids.includes(String(id))),
            key: externalIdKey('external', async () => kept),
            toFound,
            async remove(id) {
              kept.splice(
                kept.findIndex((raw) => String(raw.id) === id),
                1,
              )
              return done
            },
          }),
          ...more,
        },
        attachments: { declared: attachments, writeFile: async () => accepted(gone) as never },
      }
    },
    users: async () => ({ items: [], next: null }),
  })
  return { kept, asked, writer }
}

test('an entity of class A needs a key of class A', async () => {
  const { writer } = openTool({ offer: { capabilities: { deliveryClass: 'A' } } })
  await expect(writer.describe()).rejects.toThrow('contacts.capabilities.deliveryClass: its key is one of class C')
})

test('a record is written, found by key and by id, compared and removed with the rules of the table', async () => {
  const { kept, writer } = openTool()
  const record = outgoing('k1', { name: 'Ada', language: 'en' })
  const [outcome] = await writer.write('contacts', [record])
  expect(outcome).toMatchObject({ key: 'k1', result: 'written', destinationId: '1', url: null })
  const stored = await writer.asStored('contacts', record)
  for (const id of [null, '1']) {
    expect(await writer.find('contacts', [sought('k1', id)])).toMatchObject([
      { ...stored, key: 'k1', destinationId: '1' },
    ])
  }
  const version = outcome?.result === 'written' ? outcome.version : null
  const removable = { ...sought('k1', '1'), destinationId: '1' }
  expect(await writer.remove('contacts', [{ ...removable, version: 'another' }])).toMatchObject([{ result: 'kept' }])
  expect(await writer.remove('contacts', [{ ...removable, version }])).toEqual([{ key: 'k1', result: 'removed' }])
  expect(kept).toEqual([])
})

test("the description has the fields of each declaration and the account's facts about single fields", async () => {
  const { asked, writer } = openTool()
  const { account, entities } = await writer.describe()
  await writer.describe()
  expect(account).toEqual({ name: 'Acme' })
  expect(entities.contacts?.fields).toMatchObject({
    name: { type: 'text', required: true, options: [] },
    language: { type: 'option', required: false, options: ['en'] },
  })
  expect(Object.keys(entities)).toEqual(['contacts', 'attachments'])
  expect(asked.entities).toBe(1)
})

test('a RefusedError refuses only its own record, and the others continue', async () => {
  const { writer } = openTool()
  const records = [outgoing('k1', { name: 'nobody' }), outgoing('k2', { name: 'Ada' })]
  const refusal = { result: 'refused', code: 'gone', message: 'The record that it belongs to is no longer in Acme.' }
  expect(await writer.write('contacts', records)).toMatchObject([
    { key: 'k1', ...refusal },
    { key: 'k2', result: 'written' },
  ])
  const file = fileOf('f1')
  expect(await writer.writeFile('attachments', file)).toEqual({ key: 'f1', ...refusal })
  expect(file.body.destroyed).toBe(true)
})

test('an entity or an operation that the table lacks is an error of the caller', async () => {
  const { writer } = openTool()
  await expect(writer.write('tickets', [])).rejects.toThrow('Acme takes no tickets')
  await expect(writer.asStored('tickets', nothing)).rejects.toThrow('Acme takes no tickets')
  await expect(writer.write('attachments', [])).rejects.toThrow('with their bytes')
  await expect(writer.writeFile('contacts', fileOf('f1'))).rejects.toThrow('no files that are contacts')
  await expect(writer.find('attachments', [sought('f1', null)])).rejects.toThrow('does not look up attachments')
})

test('a record that the tool deletes only with its parent is kept, so that a run with a double goes on', async () => {
  const { writer } = openTool()
  const double = { ...sought('f1', '7'), destinationId: '7', version: null }
  expect(await writer.remove('attachments', [double])).toEqual([
    { key: 'f1', result: 'kept', message: 'The tool deletes it only together with the record that it belongs to.' },
  ])
})

test("an entity's own find and remove replace those of the kit", async () => {
  const found = { ...nothing, key: 'k1', destinationId: '7', url: null, version: null }
  const { writer } = openTool({
    find: async () => [found],
    remove: async ([one]) => [{ key: String(one?.key), result: 'missing' }],
    asStored: (content) => ({ ...nothing, fields: { name: content.fields.name }, customFields: {} }),
  })
  expect(await writer.find('contacts', [sought('k1', null)])).toEqual([found])
  const removable = { ...sought('k1', '7'), destinationId: '7', version: null }
  expect(await writer.remove('contacts', [removable])).toEqual([{ key: 'k1', result: 'missing' }])
  const stored = await writer.asStored('contacts', outgoing('k1', { name: 'Ada', language: 'en' }))
  expect(stored.fields).toEqual({ name: 'Ada' })
})
