import { isDeepStrictEqual } from 'node:util'
import type { FoundResult, KeptResult, WriteResult } from '../connectors/open/schema.ts'
import type { Bench, Check } from './check.ts'
import { expectFields, expectSame, expectThat, isEmpty, SkippedError } from './expectations.ts'
import { fieldOfType, type Offer, optionalField, requiredOf, requiredText } from './offers.ts'
import type { SentRecord } from './protocol-client.ts'

export const textTypes = ['text', 'long_text', 'rich_text']
const parallel = 20
const largestBatch = 200

export const writingChecks: Check[] = [
  {
    name: 'a new record is created, and found as it was sent',
    async run(bench) {
      const { offer, record } = await simple(bench)
      const result = await writeOne(bench, offer, record, 'created')
      const found = await findOne(bench, offer, record.external_id)
      expectFields(record.fields, found.fields)
      expectSame('find to tell the same id', result.id, found.id)
    },
  },
  {
    name: 'the same record again is an update, not a second record',
    async run(bench) {
      const { offer, record } = await simple(bench)
      const first = await writeOne(bench, offer, record, 'created')
      const second = await writeOne(bench, offer, record, 'updated')
      expectSame('the same id', first.id, second.id)
      const twice = await bench.client.write(offer.entity, [record, record])
      expectSame('the same id twice in one batch', [first.id, first.id], twice.map(idOf))
      await findOne(bench, offer, record.external_id)
    },
  },
  {
    name: `${parallel} identical requests at once make one record`,
    async run(bench) {
      const { offer, record } = await simple(bench)
      const attempts = Array.from({ length: parallel }, () => bench.client.write(offer.entity, [record]))
      const results = (await Promise.all(attempts)).flat()
      const created = results.filter(({ result }) => result === 'created').length
      expectSame('one id for all', 1, new Set(results.map(idOf)).size)
      expectSame('results "created" to be', 1, created)
      await findOne(bench, offer, record.external_id)
    },
  },
  {
    name: 'an update changes fields, and empties those that are missing or null',
    async run(bench) {
      const { specimens } = bench
      const offer = specimens.choose('an optional text', (one) => optionalField(one, textTypes) !== undefined)
      const name = optionalField(offer, textTypes) ?? ''
      const bare = await specimens.small(offer)
      const filled = { ...bare, fields: { ...bare.fields, [name]: await specimens.sampleOf(offer, name) } }
      await writeOne(bench, offer, filled, 'created')
      await writeOne(bench, offer, bare, 'updated')
      expectFields(bare.fields, (await findOne(bench, offer, bare.external_id)).fields, [name])
      await writeOne(bench, offer, filled, 'updated')
      expectFields(filled.fields, (await findOne(bench, offer, bare.external_id)).fields)
      await writeOne(bench, offer, { ...bare, fields: { ...bare.fields, [name]: null } }, 'updated')
      expectFields(bare.fields, (await findOne(bench, offer, bare.external_id)).fields, [name])
    },
  },
  {
    name: 'a refused record changes nothing, and the others of its batch are written',
    async run(bench) {
      const { client, specimens } = bench
      const offer = specimens.choose('a required text', (one) => requiredText(one) !== undefined)
      const name = requiredText(offer) ?? ''
      const records = await Promise.all([1, 2, 3].map(() => specimens.small(offer)))
      const bad = records[1]
      if (!bad) return
      const kept = await writeOne(bench, offer, bad, 'created')
      const { [name]: _left, ...rest } = bad.fields
      const batch = records.map((record) => (record === bad ? { ...bad, fields: rest } : record))
      const results = await client.write(offer.entity, batch)
      expectSame(
        'results',
        ['created', 'refused', 'created'],
        results.map(({ result }) => result),
      )
      const found = await client.find(
        offer.entity,
        records.map(({ external_id }) => external_id),
      )
      expectSame('number of records found', 3, found.length)
      const unchanged = await findOne(bench, offer, bad.external_id)
      expectFields(bad.fields, unchanged.fields)
      expectSame('the version of the refused record to stay', kept.version, unchanged.version)
    },
  },
  {
    name: 'a relation to an external id that is not known is refused as unknown_relation',
    async run(bench) {
      const { client, specimens } = bench
      const offer = specimens.choose('a relation', (one) => fieldOfType(one, 'relation') !== undefined)
      const name = fieldOfType(offer, 'relation') ?? ''
      const unknown = `${specimens.prefix}/nothing`
      const value = offer.fields[name]?.offered.many ? [unknown] : unknown
      const record = await specimens.small(offer)
      const [result] = await client.write(offer.entity, [{ ...record, fields: { ...record.fields, [name]: value } }])
      expectThat(result?.result === 'refused', `${offer.entity} with an unknown ${name} to be refused`, result)
      expectSame('the code', 'unknown_relation', result.code)
      expectSame('records found', [], await client.find(offer.entity, [record.external_id]))
    },
  },
  {
    name: 'a full batch is written, found and deleted',
    async run(bench) {
      const { client, description, specimens } = bench
      const offer = specimens.choose('no required relation', isIndependent)
      const size = Math.min(description.limits.batch, largestBatch)
      const records: SentRecord[] = []
      while (records.length < size) records.push(await specimens.small(offer))
      const results = await client.write(offer.entity, records)
      expectSame('records created', size, results.filter(({ result }) => result === 'created').length)
      const keys = records.map(({ external_id }) => external_id)
      expectSame('records found', size, (await client.find(offer.entity, keys)).length)
      const removed = await client.remove(
        offer.entity,
        keys.map((external_id) => ({ external_id })),
      )
      expectSame('records deleted', size, removed.filter((result) => result === 'deleted').length)
    },
  },
  {
    name: 'an external id may have 255 characters and all signs that are allowed',
    async run(bench) {
      const { offer, record } = await simple(bench)
      const external_id = `${bench.specimens.prefix}/AZaz09_-.:~/`.padEnd(255, 'x')
      await writeOne(bench, offer, { ...record, external_id }, 'created')
      await findOne(bench, offer, external_id)
    },
  },
  {
    name: 'find answers those that exist in the entity, and no others',
    async run(bench) {
      const { client, specimens } = bench
      const { offer, record } = await simple(bench)
      await writeOne(bench, offer, record, 'created')
      const found = await client.find(offer.entity, [
        `${record.external_id}x`,
        record.external_id,
        `${record.external_id}/y`,
      ])
      expectSame(
        'the one that exists',
        [record.external_id],
        found.map(({ external_id }) => external_id),
      )
      const twice = await client.find(offer.entity, [record.external_id, record.external_id])
      expectSame('records found when it is asked for twice', 1, twice.length)
      const other = specimens.offers.find(({ entity }) => entity !== offer.entity)
      if (other) expectSame(`records among ${other.entity}`, [], await client.find(other.entity, [record.external_id]))
    },
  },
  {
    name: 'custom fields come back as they were sent, and are emptied when they are missing',
    async run(bench) {
      const { description, specimens } = bench
      const keyOf = ({ entity }: Offer) => {
        const taken = description.entities[entity]?.custom_fields ?? []
        if (taken === 'any') return 'conformance number'
        return taken.find(({ type, many }) => type === 'text' && !many)?.key
      }
      const offer = specimens.choose('custom fields for a text', (one) => keyOf(one) !== undefined)
      const key = keyOf(offer) ?? ''
      const custom = { [key]: { label: 'Conformance number', type: 'text', value: 'A-1007' } }
      const record = await specimens.small(offer)
      await writeOne(bench, offer, { ...record, custom_fields: custom }, 'created')
      const found = await findOne(bench, offer, record.external_id)
      expectSame('the value of the custom field to be', 'A-1007', found.custom_fields?.[key]?.value)
      await writeOne(bench, offer, record, 'updated')
      const emptied = await findOne(bench, offer, record.external_id)
      expectThat(isEmpty(emptied.custom_fields?.[key]?.value), 'a custom field that is missing to be empty', emptied)
    },
  },
  {
    name: 'times of creation and change are kept',
    async run(bench) {
      if (!bench.description.capabilities.backdate) throw new SkippedError('capabilities.backdate is false')
      const { offer, record } = await simple(bench)
      const times = { created_at: '1999-12-31T23:59:59.000Z', updated_at: '2004-02-29T12:00:00.000Z' }
      await writeOne(bench, offer, { ...record, ...times }, 'created')
      const { created_at, updated_at } = await findOne(bench, offer, record.external_id)
      expectFields(times, { created_at, updated_at })
    },
  },
]

/** A record of an entity that requires no relation to another record. */
export async function simple({ specimens }: Bench): Promise<{ offer: Offer; record: SentRecord }> {
  const hasText = (offer: Offer) => isIndependent(offer) && optionalField(offer, textTypes) !== undefined
  const offer = specimens.recordOffers.some(hasText)
    ? specimens.choose('text', hasText)
    : specimens.choose('any field', () => true)
  return { offer, record: await specimens.small(offer) }
}

export async function writeOne(
  { client }: Bench,
  { entity }: Offer,
  record: SentRecord,
  expected: 'created' | 'updated',
): Promise<KeptResult> {
  const [result] = await client.write(entity, [record])
  expectThat(result?.result === expected, expected, result)
  return result as KeptResult
}

/** Finds a record, and checks that exactly one was found. */
export async function findOne({ client }: Bench, { entity }: Offer, key: string): Promise<FoundResult> {
  const found = await client.find(entity, [key])
  const [one] = found
  expectThat(one !== undefined && found.length === 1 && isDeepStrictEqual(one.external_id, key), 'one record', found)
  return one
}

function idOf(result: WriteResult): string {
  return 'id' in result ? result.id : result.result
}

function isIndependent(offer: Offer): boolean {
  return requiredOf(offer).every((name) => offer.fields[name]?.offered.type !== 'relation')
}
