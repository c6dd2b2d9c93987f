import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import { recordKey } from '../../service/src/engine/record-key.ts'
import { type Family, families } from '../../service/src/families/index.ts'
import { zipOf } from '../connectors/csv-upload.ts'
import { workbookOf } from '../connectors/workbook-of.ts'
import { type CsvExport, usualTimes } from './csv-export.ts'
import { exports } from './csv-exports.ts'
import { type CsvPortal, type CsvService, startCsvService } from './csv-service.ts'
import { findInHarbour } from './find-in-harbour.ts'

const token = 'harbour-token'

let service: CsvService
beforeAll(async () => {
  service = await startCsvService()
})
afterAll(() => service.close())

async function walk(family: Family, act: (portal: CsvPortal, harbourUrl: string) => Promise<void>): Promise<void> {
  const harbour = await startHarbour({ port: 0, dataFile: ':memory:', token, families: [family] })
  try {
    const portal = await service.openPortal({ family })
    await portal.act('PUT', '/accounts/destination', { instance_url: harbour.baseUrl, token })
    await act(portal, harbour.baseUrl)
  } finally {
    await harbour.close()
  }
}

/** Replaces `@tickets/1` by our key of that ticket. */
function withKeys<T>(importId: string, value: T): T {
  const json = JSON.stringify(value, (_key, one: unknown) => {
    const [, entity = '', id = ''] = (typeof one === 'string' && /^@([a-z_]+)\/(.+)$/.exec(one)) || []
    return entity === '' ? one : recordKey(importId, entity, id)
  })
  return JSON.parse(json)
}

async function compareAll(expected: CsvExport['expected'], importId: string, url: string): Promise<void> {
  for (const [entity, records] of Object.entries(expected)) {
    const found = await findInHarbour({ url, token }, importId, entity, Object.keys(records))
    for (const [id, record] of Object.entries(records)) {
      const stored = found.get(recordKey(importId, entity, id))
      const { fields, custom_fields = {}, created_at, updated_at } = withKeys(importId, { ...usualTimes, ...record })
      expect(
        {
          fields: stored?.fields,
          custom_fields: stored?.custom_fields,
          created_at: stored?.created_at,
          updated_at: stored?.updated_at,
        },
        `${entity} ${id}`,
      ).toEqual({ fields, custom_fields, created_at, updated_at })
    }
  }
}

/** Changes the mapping of imported rows, which must not change their keys. */
async function changeAfterSample(portal: CsvPortal, upload: string, items: Record<string, number>): Promise<void> {
  expect(items.tickets).toBeLessThan(42)
  const choose = (column: object) => portal.chooseTables(upload, { file: 'export/contacts.csv', columns: [column] })
  expect(await choose({ column: 0, as: 'custom' })).toEqual({
    status: 422,
    json: { tables: [expect.stringMatching(/^would give the records other ids.*Undo the migration first$/)] },
  })
  const ignored = await choose({ column: 7, as: 'ignored' })
  expect([ignored.status, ignored.json.state]).toEqual([200, 'ready'])
  expect((await choose({ column: 7, as: 'field', field: 'notes' })).status).toBe(200)
}

describe.each([...families])('%s', (family) => {
  const { files, counts, expected } = exports[family]

  test('a zip goes from sample to full migration to undo, and every field arrives', { timeout: 900_000 }, () =>
    walk(family, async (portal, url) => {
      const { id, status, json } = await portal.upload('export.zip', zipOf(files))
      expect([status, json.problems]).toEqual([200, []])
      expect((await portal.connectSource(id)).json).toEqual({ account: { name: 'export.zip' } })
      await portal.until('waiting_to_start_sample_migration')
      expect((await portal.act('POST', '/runs', { kind: 'sample' })).status).toBe(201)
      const sampled = await portal.until('sample_migration_completed')
      if (family === 'helpdesk') await changeAfterSample(portal, id, sampled.items)
      await service.asPartner('POST', `/imports/${portal.id}/payment/accept`)
      expect((await portal.act('POST', '/runs', { kind: 'full' })).status).toBe(201)
      const full = await portal.until('migration_completed')
      expect(full.items).toEqual(counts)
      expect((full.warnings ?? []).filter(({ code }: { code: string }) => code !== 'user_not_matched')).toEqual([])
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
      expect(full.progress).toEqual({ done: total, total })
      await compareAll(expected, portal.id, url)
      expect((await portal.act('POST', '/runs', { kind: 'undo' })).status).toBe(201)
      expect((await portal.until('migration_cleaned')).items).toEqual({})
      for (const [entity, records] of Object.entries(expected)) {
        expect((await findInHarbour({ url, token }, portal.id, entity, Object.keys(records))).size, entity).toBe(0)
      }
    }),
  )
})

test('a single CSV file is migrated too, started by the partner alone', { timeout: 900_000 }, async () => {
  const harbour = await startHarbour({ port: 0, dataFile: ':memory:', token, families: ['helpdesk'] })
  try {
    const portal = await service.openPortal({ start_full: true })
    await portal.act('PUT', '/accounts/destination', { instance_url: harbour.baseUrl, token })
    const lines = Array.from({ length: 1_200 }, (_, n) => `${n};Kunde ${n};k${n}@post.example`)
    const { id } = await portal.upload('Kunden.csv', `Nr;Name;E-Mail\n${lines.join('\r\n')}`)
    await portal.connectSource(id)
    const done = await portal.until('migration_completed')
    expect(done.items).toEqual({ contacts: 1_200 })
    const found = await findInHarbour({ url: harbour.baseUrl, token }, portal.id, 'contacts', ['k777@post.example'])
    expect([...found.values()].map(({ fields }) => fields)).toEqual([
      { name: 'Kunde 777', emails: ['k777@post.example'] },
    ])
  } finally {
    await harbour.close()
  }
})

test('the sheets of a workbook are migrated like files with their names', { timeout: 900_000 }, async () => {
  const harbour = await startHarbour({ port: 0, dataFile: ':memory:', token, families: ['helpdesk'] })
  try {
    const portal = await service.openPortal({ start_full: true })
    await portal.act('PUT', '/accounts/destination', { instance_url: harbour.baseUrl, token })
    const workbook = workbookOf({
      Contacts: [
        ['id', 'name', 'email'],
        [1, 'Ada Byron', 'ada@post.example'],
      ],
      Tickets: [
        ['id', 'subject', 'description', 'status', 'requester_id', 'created_at'],
        [100, 'Rake, bent', 'It came so.\nSee photo.', 'open', 1, new Date('2024-05-01T09:30:00Z')],
      ],
      Notes: [],
    })
    const { id } = await portal.upload('export.xlsx', workbook)
    await portal.connectSource(id)
    expect((await portal.until('migration_completed')).items).toEqual({ contacts: 1, tickets: 1 })
    const found = await findInHarbour({ url: harbour.baseUrl, token }, portal.id, 'tickets', ['100'])
    expect([...found.values()]).toMatchObject([
      {
        fields: { subject: 'Rake, bent', requester: recordKey(portal.id, 'contacts', '1') },
        created_at: '2024-05-01T09:30:00.000Z',
      },
    ])
  } finally {
    await harbour.close()
  }
})
