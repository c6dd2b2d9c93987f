import type { PartResult, WriteResult } from '../connectors/open/schema.ts'
import type { Bench, Check } from './check.ts'
import { expectFields, expectSame, expectThat, SkippedError } from './expectations.ts'
import { type Offer, requiredText } from './offers.ts'
import type { SentRecord } from './protocol-client.ts'
import { findOne } from './writing-checks.ts'

/** An entity whose records can carry records of another entity. */
interface Carrying {
  carrier: Offer
  part: Offer
  /** The relation of a part to the record that carries it. */
  parent: string
  most: number
}

const mostWritten = 200

/**
 * If a destination declares that records can carry parts, it must accept such parts. Without that declaration nothing
 * is checked.
 */
export function carryChecks({ description, specimens }: Bench): Check[] {
  const offers = specimens.recordOffers
  const carrying = offers.flatMap((carrier) =>
    Object.entries(description.entities[carrier.entity]?.carries ?? {}).flatMap(([entity, most]): Carrying[] => {
      const part = offers.find((offer) => offer.entity === entity && offer.family === carrier.family)
      const parent = part?.definition.parent
      const belongs = parent !== undefined && part?.definition.fields[parent]?.to?.includes(carrier.entity)
      return part && parent !== undefined && belongs ? [{ carrier, part, parent, most }] : []
    }),
  )
  return carrying.flatMap((one) => checksOf(one).map(({ name, run }) => ({ name: `${name} (${nameOf(one)})`, run })))
}

const nameOf = ({ carrier, part }: Carrying) => `${part.entity} inside ${carrier.entity}, ${carrier.family}`

const checksOf = (carrying: Carrying): Check[] => [
  {
    name: 'a new record is created with what is inside it, and all of it is found',
    async run(bench) {
      const { carrier, part, parent } = carrying
      // `isFull` gives every part different values, so that mixed-up parts are noticed.
      const record = await wholeOf(bench, carrying, 3, { isFull: true })
      const [result] = await bench.client.write(carrier.entity, [record])
      expectSame(
        'results inside',
        (record.parts ?? []).map(() => 'created'),
        partsOf(record, result).map(({ result: one }) => one),
      )
      for (const { entity: _, ...sent } of record.parts ?? []) {
        const found = await findOne(bench, part, sent.external_id)
        expectFields(sent.fields, found.fields)
        if (sent.created_at !== undefined)
          expectFields({ created_at: sent.created_at }, { created_at: found.created_at })
        expectSame(`the ${parent} of what is inside`, record.external_id, found.fields[parent])
      }
    },
  },
  {
    name: 'a record that comes again with what is inside it doubles nothing',
    async run(bench) {
      const { carrier, part } = carrying
      const record = await wholeOf(bench, carrying, 2)
      const [first] = await bench.client.write(carrier.entity, [record])
      const [second] = await bench.client.write(carrier.entity, [record])
      expectSame('ids inside', partsOf(record, first).map(idOf), partsOf(record, second).map(idOf))
      expectSame(
        'results inside',
        (record.parts ?? []).map(() => 'updated'),
        partsOf(record, second).map(({ result }) => result),
      )
      for (const { external_id } of record.parts ?? []) await findOne(bench, part, external_id)
    },
  },
  {
    name: 'what is refused inside a record changes nothing, and the record and the others are written',
    async run(bench) {
      const { client, specimens } = bench
      const { carrier, part, parent } = carrying
      const record = await wholeOf(bench, carrying, 3)
      const bad = record.parts?.[1]
      if (!bad) return
      bad.fields = { ...bad.fields, [parent]: `${specimens.prefix}/nothing` }
      const [result] = await client.write(carrier.entity, [record])
      const results = partsOf(record, result).map(({ result: one }) => one)
      const expected = (record.parts ?? []).map((one) => (one === bad ? 'refused' : 'created'))
      expectSame('results inside', expected, results)
      const keys = (record.parts ?? []).map(({ external_id }) => external_id)
      expectSame('records found inside', keys.length - 1, (await client.find(part.entity, keys)).length)
    },
  },
  {
    name: 'of a refused record nothing inside is written',
    async run(bench) {
      const { carrier, part } = carrying
      const name = requiredText(carrier)
      if (name === undefined) throw new SkippedError(`no required text of ${carrier.entity}`)
      const record = await wholeOf(bench, carrying, 2)
      const { [name]: _left, ...fields } = record.fields
      const [result] = await bench.client.write(carrier.entity, [{ ...record, fields }])
      expectThat(result?.result === 'refused', `${carrier.entity} without ${name} to be refused`, result)
      const keys = (record.parts ?? []).map(({ external_id }) => external_id)
      expectSame('records found inside', [], await bench.client.find(part.entity, keys))
    },
  },
  {
    name: 'as many as the account says come inside one record',
    async run(bench) {
      const { carrier, most } = carrying
      const size = Math.min(most, mostWritten)
      const record = await wholeOf(bench, carrying, size)
      const [result] = await bench.client.write(carrier.entity, [record])
      const created = partsOf(record, result).filter(({ result: one }) => one === 'created')
      expectSame('records created inside', size, created.length)
    },
  },
]

async function wholeOf(
  { specimens, description }: Bench,
  carrying: Carrying,
  size: number,
  { isFull = false } = {},
): Promise<SentRecord> {
  const { carrier, part, parent, most } = carrying
  const record = await specimens.small(carrier)
  const isDated = isFull && description.capabilities.backdate
  const parts: NonNullable<SentRecord['parts']> = []
  while (parts.length < Math.min(size, most)) {
    const { fields, ...rest } = await (isFull ? specimens.full(part) : specimens.small(part))
    const times = isDated ? { created_at: `2001-02-0${parts.length + 1}T04:05:06.000Z` } : {}
    parts.push({ ...rest, ...times, entity: part.entity, fields: { ...fields, [parent]: record.external_id } })
  }
  return { ...record, parts }
}

/** The results of a record's parts: one for each, in order. */
function partsOf({ parts = [] }: SentRecord, result: WriteResult | undefined): PartResult[] {
  expectThat(result?.result === 'created' || result?.result === 'updated', 'a record to be written', result)
  expectThat(result.parts !== undefined, 'results for what is inside a record', result)
  const [sent, told] = [parts, result.parts].map((list) => list.map(({ external_id }) => external_id))
  expectSame('records inside, in the order of the results', sent, told)
  return result.parts
}

const idOf = (result: PartResult) => ('id' in result ? result.id : null)
