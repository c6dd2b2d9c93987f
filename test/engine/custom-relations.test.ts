import { afterEach, expect, test } from 'vitest'
import type { Connector, RecordPage } from '../../service/src/connectors/contract/contract.ts'
import { type Journey, startJourney } from './journey.ts'

let journey: Journey
afterEach(() => journey.close())

/** The first contact and the first organization name records that are read later. */
const named = (page: RecordPage): RecordPage => ({
  ...page,
  items: page.items.map((record) =>
    record.sourceId === '1' && ['contacts', 'organizations'].includes(record.entity)
      ? {
          ...record,
          customFields: {
            ...record.customFields,
            friend: { label: 'Friend', type: 'relation', value: { entity: 'contacts', sourceId: '2' } },
            gone: { label: 'Gone', type: 'relation', value: { entity: 'contacts', sourceId: '999999' } },
          },
        }
      : record,
  ),
})

function nameLater(fernhill: Connector): Connector {
  const { source } = fernhill
  if (!source) throw new Error('Fernhill Desk is a source')
  return {
    ...fernhill,
    source: {
      ...source,
      open: async (account, family) => {
        const reader = await source.open(account, family)
        const { readSome } = reader
        return {
          ...reader,
          read: async (...args) => named(await reader.read(...args)),
          ...(readSome && { readSome: async (...args) => named(await readSome(...args)) }),
        }
      },
    },
  }
}

async function customFieldsOf(entity: string): Promise<unknown> {
  const answer = await fetch(`${journey.harbour.baseUrl}/records/${entity}/find`, {
    method: 'POST',
    headers: { authorization: 'Bearer harbour-token', 'content-type': 'application/json' },
    body: JSON.stringify({ external_ids: [`${journey.importId}/${entity}/1`] }),
  })
  const { records } = (await answer.json()) as { records: { custom_fields: Record<string, unknown> }[] }
  return records[0]?.custom_fields
}

test('a custom field may name a record that is written later', { timeout: 900_000 }, async () => {
  journey = await startJourney({ readAs: nameLater })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  expect(journey.errors).toEqual([])
  const friend = `${journey.importId}/contacts/2`
  for (const entity of ['contacts', 'organizations']) {
    expect(await customFieldsOf(entity)).toMatchObject({ friend: { value: friend } })
    expect(await customFieldsOf(entity)).not.toHaveProperty('gone')
    const row = await journey.db
      .selectFrom('id_map')
      .select(['warned', 'is_incomplete'])
      .where('import_id', '=', journey.importId)
      .where('entity', '=', entity)
      .where('source_id', '=', '1')
      .executeTakeFirstOrThrow()
    // Of the record that the source does not have.
    expect(row).toEqual({ warned: ['relation_lost'], is_incomplete: false })
  }
})
