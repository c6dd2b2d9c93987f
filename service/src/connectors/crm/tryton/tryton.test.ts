import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLoopbackOutbound } from '../../../../../test/connectors/desk-account.ts'
import { type FakeTryton, readRecordings, startFakeTryton } from '../../../../../test/connectors/tryton/fake.ts'
import { AccountRefusedError, ObstacleError, RetryableError } from '../../../errors.ts'
import type { Account, OutgoingRecord } from '../../contract/contract.ts'
import { tryton } from './index.ts'
import { openTryton } from './reader.ts'
import { openTrytonWriter } from './writer.ts'

const outbound = createLoopbackOutbound()
let fake: FakeTryton

beforeEach(async () => {
  fake = await startFakeTryton()
})
afterEach(async () => {
  await fake[Symbol.asyncDispose]()
})
afterAll(() => outbound.close())

const account = (token = fake.password): Account => ({
  access: { instanceUrl: fake.url, username: 'admin', token },
  outbound,
  signal: AbortSignal.timeout(3_600_000),
})
const reader = () => openTryton(account(), 8)
const logins = () => fake.calls.filter((method) => method === 'common.db.login').length

describe('recorded answers', () => {
  test('each recording names the tool and the day', () => {
    for (const { tool, recordedOn, requests } of readRecordings()) {
      expect(tool).toMatch(/trytond 6\.0/)
      expect(recordedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
      expect(requests.length).toBeGreaterThan(0)
    }
  })

  test('checking an account returns its name', async () => {
    expect(await tryton.source?.checkAccount(account())).toEqual({
      name: 'Werft',
      id: expect.stringMatching(/^[^/]+\/\d*$/),
    })
    expect(fake.unexpected).toEqual([])
  })

  test('employees and users are listed, including those who left', async () => {
    const { items, next } = await reader().users(null)
    expect(items).toEqual([
      { id: 'employee-1', name: 'Ada Lind', email: 'ada@werft.example', isActive: true },
      { id: 'employee-2', name: 'Ben Ode', email: 'ben@werft.example', isActive: false },
      { id: 'user-0', name: 'Root', email: null, isActive: false },
      { id: 'user-1', name: 'Administrator', email: 'admin@example.test', isActive: true },
      { id: 'user-2', name: 'Gone Gwen', email: 'gwen@werft.example', isActive: false },
    ])
    expect([next, fake.unexpected]).toEqual([null, []])
  })

  test('pages of every entity are read with the recorded requests only', async () => {
    const open = reader()
    const counts: Record<string, number> = {}
    for (const entity of ['tags', 'accounts', 'contacts', 'relationships', 'deals', 'notes', 'attachments']) {
      const page = await open.read(entity, null, {})
      counts[entity] = page.items.length
      expect(page.warnings).toEqual([])
    }
    expect(counts).toEqual({ tags: 3, accounts: 3, contacts: 5, relationships: 4, deals: 6, notes: 8, attachments: 4 })
    expect(fake.unexpected).toEqual([])
    // All reads share one sign-in.
    expect(logins()).toBe(1)
  })

  test('an organisation is read with all its fields', async () => {
    const { items } = await reader().read('accounts', null, {})
    const party = items.find(({ fields }) => fields.name === 'Brücke & Söhne')
    expect(party).toMatchObject({
      entity: 'accounts',
      sourceUrl: `${fake.url.replace('/crm', '')}/#crm/model/party.party/${party?.sourceId}`,
      createdBy: { userId: 'user-1' },
      childCounts: { notes: 1, attachments: 2 },
      fields: {
        emails: [
          { address: 'info@bruecke.example', type: 'Büro', isPrimary: true },
          { address: 'zweite@bruecke.example', isPrimary: false },
        ],
        phones: [
          { number: '+49 221 1002003', type: 'phone' },
          { number: '+49 221 1002004', type: 'fax' },
        ],
        websites: ['https://bruecke.example/ü'],
        is_archived: false,
        language: 'de',
        vat_number: 'BE0897290877',
        parent_account: null,
      },
      customFields: {
        code: { label: 'Party code', type: 'text', value: 'S-01' },
        identifiers: { label: 'Identifiers', type: 'text', many: true, value: ['BE0897290877 | eu_vat', 'KD-1'] },
        address_parts: { value: ['2 | Söhne | Haus B', '3 |  |  | inactive'] },
      },
    })
    expect(party?.createdAt).toMatch(/^2026-11-15T\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('a small file and a link are opened', async () => {
    const open = reader()
    await open.read('attachments', null, {})
    const { items } = await open.read('attachments', null, {})
    const texts: string[] = []
    for (const file of items.filter(({ fields }) => Number(fields.size) < 100)) {
      const { size, body } = await open.openFile(file)
      const bytes = await buffer(body)
      expect(bytes.length).toBe(size)
      texts.push(bytes.toString())
    }
    expect(texts).toEqual(['', 'h', '[InternetShortcut]\r\nURL=https://x.example/?a=1&b=2\r\n'])
    expect(fake.unexpected).toEqual([])
  })
})

describe('signing in', () => {
  test('a wrong password is refused with a message and never tried twice', async () => {
    await expect(tryton.destination?.checkAccount(account('wrong'))).rejects.toThrow(AccountRefusedError)
    expect(logins()).toBe(1)
    const open = openTryton(account('wrong'))
    await expect(open.read('tags', null, {})).rejects.toThrow(/user name and password/)
    await expect(open.users(null)).rejects.toThrow(ObstacleError)
    expect(logins()).toBe(2)
  })

  test('an expired session leads to one new sign-in, even if several requests notice it', async () => {
    const open = reader()
    await open.read('tags', null, {})
    fake.endSessions()
    await Promise.all([open.read('tags', null, {}), open.read('tags', null, {}), open.read('tags', null, {})])
    expect(logins()).toBe(2)
  })

  test('a session that ends at once is an obstacle and not an endless loop', async () => {
    fake.on('model.res.user.get_preferences', (_params, response) => response.writeHead(401).end())
    await expect(reader().read('tags', null, {})).rejects.toThrow(/connect the account again/)
    expect(logins()).toBe(2)
  })

  test('a user who needs more than a password gets a message that says so', async () => {
    fake.on('common.db.login', () => ({ id: 0, error: ['LoginException', ['sms_code', 'Code', 'char']] }))
    await expect(tryton.source?.checkAccount(account())).rejects.toThrow(/more than a password/)
  })

  test('a missing database gives another message than a wrong password', async () => {
    fake.on('common.db.login', (_params, response) => response.writeHead(404).end('<html>'))
    await expect(tryton.source?.checkAccount(account())).rejects.toThrow(/no Tryton with a database "crm"/)
  })

  test('a lock after too many wrong passwords is waited for', async () => {
    fake.on('common.db.login', (_params, response) => response.writeHead(429, { 'retry-after': '7' }).end())
    await expect(reader().read('tags', null, {})).rejects.toMatchObject({ name: 'RetryableError', retryAfterMs: 7_000 })
  })
})

describe('invalid answers', () => {
  const search = 'model.party.category.search_read'
  const read = () => reader().read('tags', null, {})

  test.each<[string, Parameters<FakeTryton['on']>[1]]>([
    ['500', (_params, response) => response.writeHead(500).end('<html>')],
    [
      'a cut body',
      (_params, response) => {
        response.writeHead(200, { 'content-length': 100 })
        response.write('{"id":0,', () => response.destroy())
      },
    ],
    ['no JSON', (_params, response) => response.writeHead(200).end('<html>')],
    ['no result', () => ({ id: 0 })],
    ['no list', () => ({ id: 0, result: { id: 1 } })],
    ['rows without id', () => ({ id: 0, result: [{ name: 'x' }] })],
    ['a fault of its program', () => ({ id: 0, error: ["'nofield'", 'Traceback …'] })],
  ])('%s is retried', async (_name, answer) => {
    fake.on(search, answer)
    await expect(read()).rejects.toThrow(RetryableError)
  })

  test('a missing right and a closed method are obstacles for the customer', async () => {
    fake.on(search, () => ({ id: 0, error: ['UserError', ['You are not allowed to access "Category".', '', null]] }))
    await expect(read()).rejects.toMatchObject({ code: 'not_permitted', mustAct: 'customer' })
    fake.on(search, (_params, response) => response.writeHead(403).end('<html>'))
    await expect(read()).rejects.toMatchObject({ code: 'not_permitted', mustAct: 'customer' })
  })

  test('a field of the wrong type is left out alone', async () => {
    fake.on(search, () => ({
      id: 0,
      result: [{ id: 4, name: 'x', rec_name: 'x', create_date: 'yesterday', create_uid: 1 }],
    }))
    const { items, warnings } = await read()
    expect(items).toEqual([{ entity: 'tags', sourceId: '4', createdBy: { userId: 'user-1' }, fields: { name: 'x' } }])
    expect(warnings).toMatchObject([{ code: 'field_unreadable', sourceId: '4' }])
  })
})

describe('writing', () => {
  const record = (name: string): OutgoingRecord => ({
    key: `imp_1/contacts/${name}`,
    revision: 1,
    destinationId: null,
    fields: { name },
    customFields: {},
    createdAt: null,
    updatedAt: null,
    createdBy: null,
  })
  /** A fake Tryton that stores parties and refuses those whose name says so. */
  const storeParties = () => {
    const stored: Record<string, unknown>[] = []
    const batches: number[] = []
    for (const model of ['party.identifier', 'party.address', 'party.contact_mechanism', 'ir.note', 'ir.lang']) {
      fake.on(`model.${model}.search_read`, () => ({ id: 0, result: [] }))
    }
    fake.on('model.ir.model.search_read', () => ({ id: 0, result: [{ id: 1, model: 'party.party' }] }))
    fake.on('model.party.address.fields_get', () => ({ id: 0, result: { city: {}, party: {} } }))
    fake.on('model.party.party.search_count', () => ({ id: 0, result: 0 }))
    fake.on('model.party.party.search_read', () => ({ id: 0, result: stored }))
    fake.on('model.party.party.create', ([values]) => {
      const list = values as { name: string }[]
      batches.push(list.length)
      if (list.some(({ name }) => name === 'refused')) {
        return { id: 0, error: ['UserError', ['A value is required for field "X".', 'Fill it in.', null]] }
      }
      if (list.some(({ name }) => name === 'fault')) return { id: 0, error: ['integer out of range', ''] }
      const first = stored.length + 1
      for (const [index, { name }] of list.entries())
        stored.push({ id: first + index, name, active: true, categories: [] })
      return { id: 0, result: list.map((_, index) => first + index) }
    })
    return { stored, batches }
  }

  test('a refused record is isolated, and the others are written', async () => {
    const { stored, batches } = storeParties()
    const names = ['a', 'b', 'refused', 'c', 'd', 'fault', 'e', 'f']
    const outcomes = await openTrytonWriter(account()).write('contacts', names.map(record))
    expect(outcomes.map(({ key, result }) => [key.split('/')[2], result])).toEqual(
      names.map((name) => [name, name === 'refused' || name === 'fault' ? 'refused' : 'written']),
    )
    expect(outcomes[2]).toMatchObject({ code: 'refused', message: 'A value is required for field "X". Fill it in.' })
    // An error of Tryton's program may quote any data, so it must not appear here.
    expect(JSON.stringify(outcomes[5])).not.toContain('integer')
    expect(stored.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(batches[0]).toBe(8)
  })

  test('if Tryton fails on every record, none is refused and the batch is retried', async () => {
    storeParties()
    fake.on('model.party.party.create', () => ({ id: 0, error: ['connection to the database lost', ''] }))
    fake.on('model.party.party.search_count', () => ({ id: 0, error: ['connection to the database lost', ''] }))
    await expect(openTrytonWriter(account()).write('contacts', [record('a')])).rejects.toThrow(RetryableError)
  })

  test.each([[[1]], [['1', '2']], [null]])('%j instead of two ids never counts as written', async (result) => {
    storeParties()
    fake.on('model.party.party.create', () => ({ id: 0, result }))
    const sent = openTrytonWriter(account()).write('contacts', [record('a'), record('b')])
    await expect(sent).rejects.toThrow(RetryableError)
  })

  test('a written record that cannot be read back never counts as written', async () => {
    storeParties()
    fake.on('model.party.party.search_read', () => ({ id: 0, result: [] }))
    await expect(openTrytonWriter(account()).write('contacts', [record('a')])).rejects.toThrow(/read back/)
  })

  test('an address keeps a country that was added after the countries were read', async () => {
    storeParties().stored.push({ id: 1, name: 'a', active: true, categories: [] })
    const countries = [{ id: 1, code: 'DE' }]
    const address = { id: 5, party: 1, city: 'Lund', country: 1 }
    fake.on('model.party.address.fields_get', () => ({ id: 0, result: { city: {}, party: {}, country: {} } }))
    fake.on('model.party.address.search_read', () => ({ id: 0, result: [address] }))
    fake.on('model.country.country.search_read', () => ({ id: 0, result: countries }))
    const open = openTrytonWriter(account())
    const sought = [{ key: 'imp_1/contacts/a', destinationId: '1', parent: null }]
    expect(await open.find('contacts', sought)).toMatchObject([{ fields: { addresses: ['de lund'] } }])
    countries.push({ id: 2, code: 'SE' })
    address.country = 2
    expect(await open.find('contacts', sought)).toMatchObject([{ fields: { addresses: ['lund se'] } }])
  })

  describe('a relation between two parties', () => {
    const works = { id: 7, name: 'works for', reverse: 8 }
    const employs = { id: 8, name: 'employs', reverse: 7 }
    const person = { entity: 'contacts', key: 'p', destinationId: '41' }
    const company = { entity: 'accounts', key: 'c', destinationId: '42' }
    const relation = (from: object, to: object, type: string): OutgoingRecord => ({
      ...record('r'),
      fields: { from, to, type },
    })
    /** Tryton lists the relation with id 5 as row 10 and, from the other side, as row 11. */
    const seen = [
      { id: 10, from_: 41, to: 42, type: 7 },
      { id: 11, from_: 42, to: 41, type: 8 },
    ]
    const store = (there: typeof seen) => {
      const created: unknown[] = []
      const models = ['party.party', 'party.relation.all', 'party.relation.type']
      const result = models.map((model, index) => ({ id: index + 1, model }))
      fake.on('model.ir.model.search_read', () => ({ id: 0, result }))
      fake.on('model.party.relation.type.search_read', () => ({ id: 0, result: [works, employs] }))
      fake.on('model.party.relation.all.search_read', () => ({ id: 0, result: there }))
      fake.on('model.party.relation.all.create', ([values]) => {
        created.push(...(values as unknown[]))
        return { id: 0, result: [10] }
      })
      return created
    }

    test.each([
      ['as it is stored', relation(person, company, 'works for')],
      ['from its other side', relation(company, person, 'employs')],
    ])('an existing relation is used when it is sent %s', async (_name, sent) => {
      const created = store(seen)
      const outcomes = await openTrytonWriter(account()).write('relationships', [sent])
      expect(outcomes).toEqual([{ key: sent.key, result: 'matched', destinationId: '5', url: null }])
      expect(created).toEqual([])
    })

    test('in the opposite direction is another relation', async () => {
      const created = store([])
      const sent = relation(company, person, 'works for')
      fake.on('model.party.relation.all.search_read', () => ({
        id: 0,
        result: created.length === 0 ? [] : [{ id: 10, from_: 42, to: 41, type: 7 }],
      }))
      const outcomes = await openTrytonWriter(account()).write('relationships', [sent])
      expect(outcomes).toMatchObject([{ result: 'written', destinationId: '5' }])
      expect(created).toEqual([{ from_: 42, to: 41, type: 7 }])
    })
  })

  test('a failed search does not mean "not found"', async () => {
    storeParties()
    fake.on('model.party.identifier.search_read', (_params, response) => response.writeHead(502).end())
    const sought = [{ key: 'imp_1/contacts/a', destinationId: null, parent: null }]
    await expect(openTrytonWriter(account()).find('contacts', sought)).rejects.toThrow(RetryableError)
    await expect(openTrytonWriter(account()).write('contacts', [record('a')])).rejects.toThrow(RetryableError)
  })

  describe('files', () => {
    const send = (size: number, body: Readable) => {
      fake.on('model.ir.attachment.search_read', () => ({ id: 0, result: [] }))
      const fields = { parent: { entity: 'contacts', key: 'k', destinationId: '5' }, file_name: 'x' }
      return openTrytonWriter(account()).writeFile('attachments', {
        ...record('x'),
        fields,
        size,
        contentType: null,
        body,
      })
    }

    test('a proxy before Tryton can refuse a file as too large', async () => {
      fake.on('model.ir.attachment.create', (_params, response) => response.writeHead(413).end('<html>'))
      expect(await send(3, Readable.from([Buffer.from('abc')]))).toMatchObject({ result: 'refused', code: 'too_large' })
    })

    test('if the source breaks off a file, the source’s own error is thrown', async () => {
      const broken = Readable.from(
        (async function* () {
          yield Buffer.from('ab')
          throw new RetryableError('the source broke off')
        })(),
      )
      await expect(send(9, broken)).rejects.toThrow('the source broke off')
    })

    test('a file of unknown length is sent whole, however large it is', async () => {
      const [size, stored] = [65 * 1024 * 1024, [] as object[]]
      fake.on('model.ir.attachment.search_read', () => ({ id: 0, result: stored }))
      fake.on('model.ir.attachment.create', ([values]) => {
        const [{ data, ...row }] = values as [{ data: { base64: string } }]
        stored.push({ id: 7, ...row, data_size: Buffer.from(data.base64, 'base64').length })
        return { id: 0, result: [7] }
      })
      const chunk = Buffer.alloc(1024 * 1024, 7)
      const file = { ...record('x'), size: null, contentType: null, body: Readable.from(Array(65).fill(chunk)) }
      const fields = { parent: { entity: 'contacts', key: 'k', destinationId: '5' }, file_name: 'x' }
      const outcome = await openTrytonWriter(account()).writeFile('attachments', { ...file, fields })
      expect(outcome).toMatchObject({ result: 'written', destinationId: '7' })
      expect(stored).toMatchObject([{ data_size: size }])
    })

    test('a file counts as not written if Tryton stored another number of bytes', async () => {
      fake.on('model.ir.attachment.create', () => ({ id: 0, result: [7] }))
      const sent = send(3, Readable.from([Buffer.from('abc')]))
      await expect(sent).rejects.toThrow('another number of bytes')
    })
  })
})
