import type { Check } from './check.ts'
import { expectSame, expectThat } from './expectations.ts'
import { optionalField } from './offers.ts'
import { findOne, simple, textTypes, writeOne } from './writing-checks.ts'

/** Checks of versions, and of deletion by version. */
export const changeChecks: Check[] = [
  {
    name: 'the version stays while nothing changes, and changes with the record',
    async run(bench) {
      const { specimens } = bench
      const offer = specimens.choose('an optional text', (one) => optionalField(one, textTypes) !== undefined)
      const name = optionalField(offer, textTypes) ?? ''
      const record = await specimens.small(offer)
      const first = await writeOne(bench, offer, record, 'created')
      for (let looks = 0; looks < 2; looks += 1) {
        expectSame('version', first.version, (await findOne(bench, offer, record.external_id)).version)
      }
      const changed = { ...record, fields: { ...record.fields, [name]: await specimens.sampleOf(offer, name) } }
      const second = await writeOne(bench, offer, changed, 'updated')
      expectThat(second.version !== first.version, 'another version after a change', second.version)
      expectSame('version', second.version, (await findOne(bench, offer, record.external_id)).version)
      const third = await writeOne(bench, offer, record, 'updated')
      expectThat(third.version !== second.version, 'another version after a field was emptied', third.version)
    },
  },
  {
    name: 'delete with another version answers changed, and the record stays',
    async run(bench) {
      const { offer, record } = await simple(bench)
      const { version } = await writeOne(bench, offer, record, 'created')
      const result = await bench.client.remove(offer.entity, [{ ...idOf(record), version: `${version}x` }])
      expectSame('results', ['changed'], result)
      expectSame('version', version, (await findOne(bench, offer, record.external_id)).version)
    },
  },
  {
    name: 'delete with the right version deletes',
    async run(bench) {
      const { offer, record } = await simple(bench)
      const { version } = await writeOne(bench, offer, record, 'created')
      expectSame('results', ['deleted'], await bench.client.remove(offer.entity, [{ ...idOf(record), version }]))
      expectSame('records found', [], await bench.client.find(offer.entity, [record.external_id]))
    },
  },
  {
    name: 'delete without a version deletes in any case',
    async run(bench) {
      const { offer, record } = await simple(bench)
      await writeOne(bench, offer, record, 'created')
      expectSame('results', ['deleted'], await bench.client.remove(offer.entity, [idOf(record)]))
      expectSame('records found', [], await bench.client.find(offer.entity, [record.external_id]))
    },
  },
  {
    name: 'delete of what is not there answers missing, with and without a version',
    async run(bench) {
      const { offer, record } = await simple(bench)
      const batch = [idOf(record), { ...idOf(record), version: '1' }]
      expectSame('results', ['missing', 'missing'], await bench.client.remove(offer.entity, batch))
    },
  },
  {
    name: 'what was deleted can be created again',
    async run(bench) {
      const { offer, record } = await simple(bench)
      await writeOne(bench, offer, record, 'created')
      await bench.client.remove(offer.entity, [idOf(record)])
      await writeOne(bench, offer, record, 'created')
      await findOne(bench, offer, record.external_id)
    },
  },
]

function idOf({ external_id }: { external_id: string }): { external_id: string } {
  return { external_id }
}
