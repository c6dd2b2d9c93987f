import { afterEach, expect, test } from 'vitest'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { type Journey, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

/** Answers for records by their ids in pages of two, the first of which is empty. */
const inSmallPages = (asked: Set<string>) => (fernhill: Connector) => {
  const { source } = fernhill
  if (!source) throw new Error('Fernhill is no source')
  return {
    ...fernhill,
    source: {
      ...source,
      async open(...given: Parameters<typeof source.open>) {
        const reader = await source.open(...given)
        const { readSome } = reader
        if (!readSome) throw new Error('Fernhill cannot be asked for records')
        return {
          ...reader,
          async readSome(entity: string, wanted: Parameters<typeof readSome>[1], cursor: string | null) {
            if (!('ids' in wanted)) return readSome(entity, wanted, cursor)
            if (cursor === null) return { items: [], warnings: [], next: '0' }
            asked.add(`${entity} ${cursor}`)
            const page = await readSome(entity, wanted, null)
            const [from, to] = [Number(cursor), Number(cursor) + 2]
            return { ...page, items: page.items.slice(from, to), next: to < page.items.length ? String(to) : null }
          },
        }
      },
    },
  } satisfies Connector
}

async function findPlan(readAs?: (fernhill: Connector) => Connector) {
  journey = await startJourney(readAs ? { readAs } : {})
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('plan'))
  return journey.db
    .selectFrom('plan_entities')
    .select(['entity', 'losses', 'mapped', 'whole'])
    .orderBy('entity')
    .execute()
}

test('a plan maps records that refer to later ones, on whatever page the source returns them', limit, async () => {
  const whole = await findPlan()
  await journey.close()
  const asked = new Set<string>()
  expect(await findPlan(inSmallPages(asked))).toEqual(whole)
  expect(asked.size).toBeGreaterThan(2)
})
