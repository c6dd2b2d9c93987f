import { expect } from 'vitest'
import { namesAddress, readTimes } from '../../service/src/warnings/codes.ts'
import { presentIn } from './check-harbour.ts'
import type { Journey } from './journey.ts'

interface HarbourRecord {
  external_id: string
  version: string
  fields: Record<string, unknown>
}

/** Another client of Harbour's API, which changes and deletes records as people in the destination do. */
export function openHarbour({ harbour, importId }: Pick<Journey, 'harbour' | 'importId'>) {
  const call = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const answer = await fetch(`${harbour.baseUrl}${path}`, {
      method,
      headers: { authorization: 'Bearer harbour-token', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { records: HarbourRecord[]; results: { result: string }[] }
  }
  const keyOf = (entity: string, id: string) => `${importId}/${entity}/${id}`
  const find = async (entity: string, id: string) =>
    (await call('POST', `/records/${entity}/find`, { external_ids: [keyOf(entity, id)] })).records[0]
  return {
    fieldsOf: async (entity: string, id: string) => (await find(entity, id))?.fields,
    async change(entity: string, id: string, fields: object): Promise<void> {
      const { version: _, ...record } = (await find(entity, id)) ?? { version: '', fields: {} }
      const changed = { ...record, fields: { ...record.fields, ...fields } }
      const { results } = await call('PUT', `/records/${entity}`, { records: [changed] })
      expect(results).toMatchObject([{ result: 'updated' }])
    },
    async remove(entity: string, id: string): Promise<void> {
      const { results } = await call('POST', `/records/${entity}/delete`, {
        records: [{ external_id: keyOf(entity, id) }],
      })
      expect(results).toMatchObject([{ result: 'deleted' }])
    },
  }
}

/** Compares the warnings that the customer sees with those of the records. `others` belong to no single record. */
export async function expectTrueWarnings(
  journey: Pick<Journey, 'db' | 'status'>,
  others: string[] = [],
): Promise<Record<string, number>> {
  const warnings: { code: string; entity: string; count: number }[] = (await journey.status()).warnings ?? []
  const told = Object.fromEntries(
    warnings
      .filter(({ code }) => !others.includes(code))
      .map(({ code, entity, count }) => [`${entity} ${code}`, count]),
  )
  const rows = await journey.db
    .selectFrom('id_map')
    .select(['entity', 'warned'])
    .where('warned', 'is not', null)
    .execute()
  const counted: Record<string, number> = {}
  for (const { entity, warned } of rows) {
    // The addresses of links are listed beside the counted code.
    for (const [code, times] of (warned ?? []).filter((one) => !namesAddress(one)).map(readTimes)) {
      counted[`${entity} ${code}`] = (counted[`${entity} ${code}`] ?? 0) + times
    }
  }
  expect(told).toEqual(counted)
  return told
}

/** Compares `items` in the API with the destination's own store. */
export async function expectTrueNumbers(journey: Pick<Journey, 'status' | 'effects'>): Promise<void> {
  const there: Record<string, number> = {}
  for (const key of await presentIn(journey)) {
    const entity = String(key.split('/')[1])
    there[entity] = (there[entity] ?? 0) + 1
  }
  expect((await journey.status()).items).toEqual(there)
}
