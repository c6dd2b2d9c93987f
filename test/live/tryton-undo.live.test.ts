import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OutgoingRecord, Writer } from '../../service/src/connectors/contract/contract.ts'
import { openTrytonWriter } from '../../service/src/connectors/crm/tryton/writer.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { listChanges } from './facts.ts'
import { readTrytonRows } from './facts-tryton.ts'
import { readPlaces } from './place.ts'
import { rememberSides } from './remember-sides.ts'
import { signIn, type TrytonClient } from './tryton-seed.ts'

const place = readPlaces().tryton?.destination

describe.skipIf(!place)('what an undo leaves in a real Tryton (npm run live -- tryton)', () => {
  if (!place) return test.skip('Tryton was not started', () => {})
  const outbound = createLoopbackOutbound()
  const run = randomBytes(4).toString('hex')
  const sides = rememberSides()
  let writer: Writer
  let people: TrytonClient
  beforeAll(async () => {
    writer = openTrytonWriter({ access: place.access, outbound, signal: AbortSignal.timeout(600_000), sides })
    people = await signIn(place.access)
    await writer.describe()
  })
  afterAll(() => outbound.close())

  const outgoing = (key: string, fields: Record<string, unknown>): OutgoingRecord => ({
    ...{ key: `${run}/${key}`, revision: 1, destinationId: null, fields, customFields: {} },
    ...{ createdAt: null, updatedAt: null, createdBy: null },
  })
  const write = async (entity: string, record: OutgoingRecord) => {
    const [outcome] = await writer.write(entity, [record])
    if (outcome?.result !== 'written') throw new Error(`${entity}: ${JSON.stringify(outcome)}`)
    return { ...outcome, entity, parent: null }
  }
  const remove = async (...records: Awaited<ReturnType<typeof write>>[]) => {
    for (const record of records) {
      expect(await writer.remove(record.entity, [record])).toEqual([{ key: record.key, result: 'removed' }])
    }
  }
  const told = async () =>
    (await sides.removeAll(writer)).map((one) => `${one.kind}: ${one.result === 'kept' ? one.message : one.result}`)

  test('no helper record of our records stays, and the database is as it was before', async () => {
    const before = await readTrytonRows(place)
    const tag = await write('tags', outgoing('tags/1', { name: `${run} Top / Middle / Tag` }))
    const addresses = [{ line1: 'x', city: 'y', country: 'BV' }]
    const one = await write('contacts', outgoing('contacts/1', { name: `${run} One`, addresses }))
    const two = await write('contacts', outgoing('contacts/2', { name: `${run} Two` }))
    const refer = ({ key, destinationId }: typeof one) => ({ entity: 'contacts', key, destinationId })
    const related = { from: refer(one), to: refer(two), type: `${run} knows`, reverse_type: `${run} known by` }
    const relation = await write('relationships', outgoing('relationships/1', related))
    expect(sides.all().map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['party_categories', 'party_categories', 'relation_types', 'relation_types']),
    )
    // Helper records stay while other records use them.
    expect(await told()).toEqual(
      expect.arrayContaining([
        'relation_types: Parties are related in this way.',
        'party_categories: There are other categories below this one.',
      ]),
    )
    await remove(relation, one, two, tag)
    expect(new Set((await told()).map((one) => one.split(': ')[1]))).toEqual(new Set(['removed']))
    expect(listChanges(before, await readTrytonRows(place))).toEqual([])
  }, 120_000)

  test('a category above a tag that people renamed or use stays', async () => {
    const tag = await write('tags', outgoing('tags/2', { name: `${run} Above / Tag` }))
    const [side] = sides.all()
    const id = Number(side?.destinationId)
    await people.call('party.category', 'write', [id], { name: `${run} Renamed` })
    // The tag's path has changed.
    expect((await writer.remove('tags', [tag]))[0]).toMatchObject({ result: 'kept' })
    await people.call('party.category', 'delete', [Number(tag.destinationId)])
    expect(await told()).toEqual(['party_categories: People have renamed it since.'])
    await people.call('party.category', 'delete', [id])
    expect(await told()).toEqual(['party_categories: removed'])
  }, 120_000)

  test('any change that people can make to a party keeps it', async () => {
    const fields = {
      name: `${run} Person`,
      title: 'Gardener',
      emails: [{ address: `${run}@people.example` }],
      addresses: [{ line1: 'Street 1', city: 'Town' }],
    }
    const childOf = async (model: string, field: string, party: number): Promise<number> => {
      const [child] = await people.read<{ id: number }>(model, [[field, '=', party]], ['id'])
      if (!child) throw new Error(`the party has no ${model}`)
      return child.id
    }
    const [category = 0] = await people.create('party.category', { name: `${run} Theirs` })
    const [language] = await people.read<{ id: number }>('ir.lang', [['code', '=', 'de']], ['id'])
    const edit = (model: string, id: number, values: object) => people.call(model, 'write', [id], values)
    const changes: Record<string, (party: number) => Promise<unknown>> = {
      name: (party) => edit('party.party', party, { name: `${run} Other` }),
      language: (party) => edit('party.party', party, { lang: language?.id }),
      archived: (party) => edit('party.party', party, { active: false }),
      category: (party) => edit('party.party', party, { categories: [['add', [category]]] }),
      address: async (party) =>
        edit('party.address', await childOf('party.address', 'party', party), { street: 'Street 2' }),
      mail: async (party) =>
        edit('party.contact_mechanism', await childOf('party.contact_mechanism', 'party', party), {
          value: `other-${run}@people.example`,
        }),
      phone: (party) => people.create('party.contact_mechanism', { party, type: 'phone', value: '+49 30 901820' }),
      note: async (party) => {
        const domain = [['resource', '=', `party.party,${party}`]]
        const [note] = await people.read<{ id: number; message: string }>('ir.note', domain, ['message'])
        await edit('ir.note', note?.id ?? 0, { message: String(note?.message).replace('Gardener', 'Baker') })
      },
    }
    for (const [name, change] of Object.entries(changes)) {
      const person = await write('contacts', outgoing(`contacts/${name}`, fields))
      await change(Number(person.destinationId))
      expect([name, (await writer.remove('contacts', [person]))[0]?.result]).toEqual([name, 'kept'])
      const [found] = await writer.find('contacts', [person])
      expect([name, found?.version === person.version]).toEqual([name, false])
      await remove({ ...person, version: found?.version ?? null })
    }
    await people.call('party.category', 'delete', [category])
  }, 300_000)
})
