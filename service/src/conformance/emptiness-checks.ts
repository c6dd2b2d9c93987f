import type { Check } from './check.ts'
import { expectFields, expectSame, expectThat, isEmpty } from './expectations.ts'
import { fieldOfType } from './offers.ts'
import type { SentRecord } from './protocol-client.ts'
import { findOne, simple, writeOne } from './writing-checks.ts'

/** Checks of empty cases: no records, empty fields, unknown fields and unknown people. */
export const emptinessChecks: Check[] = [
  {
    name: 'a request with no records is answered with none',
    async run({ client, specimens }) {
      const { entity } = specimens.choose('any field', () => true)
      expectSame('results of an empty PUT', [], await client.write(entity, []))
      expectSame('records of an empty find', [], await client.find(entity, []))
      expectSame('results of an empty delete', [], await client.remove(entity, []))
    },
  },
  {
    name: 'properties and fields that are not known are ignored',
    async run(bench) {
      const { offer, record } = await simple(bench)
      const sent = { ...record, tomorrow: { is: 'another day' }, fields: { ...record.fields, no_such_field: 'x' } }
      await writeOne(bench, offer, sent as SentRecord, 'created')
      expectFields(record.fields, (await findOne(bench, offer, record.external_id)).fields)
    },
  },
  {
    name: 'find answers the fields of describe, and those that were not sent are empty',
    async run(bench) {
      for (const offer of bench.specimens.recordOffers) {
        const record = await bench.specimens.small(offer)
        await writeOne(bench, offer, record, 'created')
        const { fields } = await findOne(bench, offer, record.external_id)
        const listed = Object.keys(bench.description.entities[offer.entity]?.fields ?? {})
        for (const [name, value] of Object.entries(fields)) {
          expectThat(listed.includes(name), `only fields of ${offer.entity} that describe lists`, name)
          expectThat(name in record.fields || isEmpty(value), `${offer.entity}.${name} to be empty`, value)
        }
      }
    },
  },
  {
    name: 'a user who is not known is refused as unknown_user',
    async run(bench) {
      const { client, specimens } = bench
      const offer = specimens.choose('a user', (one) => fieldOfType(one, 'user') !== undefined)
      const name = fieldOfType(offer, 'user') ?? ''
      const nobody = `${specimens.prefix}-nobody`
      const record = await specimens.small(offer)
      const fields = { ...record.fields, [name]: offer.fields[name]?.offered.many ? [nobody] : nobody }
      const [result] = await client.write(offer.entity, [{ ...record, fields }])
      expectThat(result?.result === 'refused', `${offer.entity} with an unknown ${name} to be refused`, result)
      expectSame('the code', 'unknown_user', result.code)
      expectSame('records found', [], await client.find(offer.entity, [record.external_id]))
    },
  },
]
