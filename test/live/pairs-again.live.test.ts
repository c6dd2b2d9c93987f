import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OutgoingRecord, Writer } from '../../service/src/connectors/contract/contract.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { isFileEntity, outgoingRecords } from '../connectors/outgoing-records.ts'
import { readAll } from '../connectors/reader-contract.ts'
import { patienceMs } from './pair-service.ts'
import { type Place, readPlaces } from './place.ts'
import { prepareRedmine } from './prepare-redmine.ts'
import { prepareRt } from './prepare-rt.ts'

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

// Every writer uses the known id: a record that is sent again stays one record.

const places = readPlaces()
const prepare: Record<string, (place: Place) => Promise<unknown>> = { redmine: prepareRedmine, rt: prepareRt }
const cases = connectors.flatMap(({ tool, families, destination }) =>
  destination && tool !== 'open' ? families.map((family) => ({ tool, family, destination })) : [],
)

describe.each(cases)('$tool, as a destination of the family $family', ({ tool, family, destination }) => {
  const place = places[tool]?.destination
  if (!place) return test.skip(`not started: ${tool}`, () => {})
  const outbound = createLoopbackOutbound()
  let writer: Writer
  let users: string[]
  beforeAll(async () => {
    await prepare[tool]?.(place)
    writer = await destination.open({ access: place.access, outbound, signal: AbortSignal.timeout(patienceMs) }, family)
    users = (await readAll((cursor) => writer.users(cursor))).filter(({ isActive }) => isActive).map(({ id }) => id)
  })
  afterAll(() => outbound.close())

  test('a record sent again with its destination id stays one record', async () => {
    const description = await writer.describe()
    const records = outgoingRecords({ writer, family, users } as never, description)
    let written = 0
    for (const definition of records.definitions) {
      const { name } = definition
      const taken = description.entities[name]?.fields ?? {}
      const send = async (record: OutgoingRecord) => {
        if (!isFileEntity(name)) return (await records.write(name, [record]))[0]
        const body = Readable.from([Buffer.from('again')], { objectMode: false })
        return writer.writeFile(name, { ...record, size: 5, contentType: 'text/plain', body })
      }
      const record = await records.record(definition, { isSmall: true })
      if (isFileEntity(name)) record.fields.file_name = 'again.txt'
      const first = await send(record)
      // A generated record that the tool refuses, such as a comment without an author, is not sent again.
      if (first?.result === 'matched' || first?.result === 'refused') continue
      if (first?.result !== 'written') throw new Error(`${name}: ${JSON.stringify(first)}`)
      written++
      const author = Object.keys(taken).find((field) => taken[field]?.type === 'user' && !taken[field]?.many)
      for (const user of [users[0], users.at(-1), undefined]) {
        const fields = { ...record.fields, ...(author && user && !taken[author]?.required ? { [author]: user } : {}) }
        const again = await send({ ...record, fields, destinationId: first.destinationId })
        expect(again, `${name} by ${user}`).toMatchObject({ result: 'written', destinationId: first.destinationId })
      }
      const sought = records.sought(definition, record, null)
      const found = await writer.find(name, [sought])
      expect(found.length, name).toBeLessThan(2)
    }
    expect(written).toBeGreaterThan(1)
  })
})
