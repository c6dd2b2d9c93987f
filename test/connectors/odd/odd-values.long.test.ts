import fc from 'fast-check'
import { Check } from 'typebox/value'
import { afterAll, expect, test } from 'vitest'
import type { Source } from '../../../service/src/connectors/contract/contract.ts'
import { connectors } from '../../../service/src/connectors/registry.ts'
import { vetPages } from '../../../service/src/connectors/vet-pages.ts'
import { entityOf, type Family } from '../../../service/src/families/index.ts'
import type { FamilyRecord, RecordRef } from '../../../service/src/families/record.ts'
import { startTwin as startFreshdesk } from '../../twins/freshdesk/twin.ts'
import { startTwin as startHelpscout } from '../../twins/helpscout/twin.ts'
import { startTwin as startHubspot } from '../../twins/hubspot/twin.ts'
import { startTwin as startIntercom } from '../../twins/intercom/twin.ts'
import { startTwin as startPipedrive } from '../../twins/pipedrive/twin.ts'
import { startTwin as startZendesk } from '../../twins/zendesk/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import type { Twin } from '../twin-contract.ts'
import { hasShape, momentSchema } from '../value-shapes.ts'
import { exceptions } from './exceptions.ts'
import { changed, gone, isEmptyValue, oddValues, placesIn, toJson, valueIn } from './odd-values.ts'
import { type Change, replaying } from './replay.ts'

// One value after the other of an answer is replaced by an odd one. The page is read all the same, no other record is
// lost or doubled, and a value that gets lost is reported at its record. ODD_SEED chooses other values.

const seed = Number(process.env.ODD_SEED ?? 1)
const changesPerEntity = Number(process.env.ODD_CHANGES ?? 60)

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())

const twins: [tool: string, name: string, start: () => Promise<Twin>][] = [
  ['zendesk', 'Zendesk', startZendesk],
  ['freshdesk', 'Freshdesk', startFreshdesk],
  ['helpscout', 'Help Scout', startHelpscout],
  ['intercom', 'Intercom', startIntercom],
  ['hubspot', 'HubSpot as a CRM', () => startHubspot('crm')],
  ['hubspot', 'HubSpot as a help desk', () => startHubspot('helpdesk')],
  ['pipedrive', 'Pipedrive', startPipedrive],
]

interface Read {
  items: FamilyRecord[]
  warnings: Set<string>
}

/** The method and the path of a request, without ids. */
const shapeOf = (key: string): string => {
  const [method, address = ''] = key.split(' ')
  return `${method} ${new URL(address).pathname.replace(/\/(?:[0-9a-f]{24}|\d+)(?=\/|$)/g, '/#')}`
}

type OddChange = Change & { isEmpty: boolean }

/** Readings of one tool, of which one answer can be changed. */
async function openReadings(tool: string, start: () => Promise<Twin>) {
  const twin = await start()
  const replay = replaying(outbound)
  const source = connectors.find((one) => one.tool === tool)?.source as Source
  const family = twin.source?.family as Family
  const access = { username: null, token: null, instanceUrl: null, ...twin.access }
  const account = { access, outbound: replay.outbound, signal: AbortSignal.timeout(3_600_000) }
  const read = async (entity: string): Promise<Read> => {
    const reader = vetPages(tool, await source.open(account, family), family)
    const found: Read = { items: [], warnings: new Set() }
    for (let cursor: string | null = null, pages = 0; pages < 6 && found.items.length === 0; pages += 1) {
      const page = await reader.read(entity, cursor, {})
      found.items.push(...page.items)
      for (const one of page.warnings) found.warnings.add(JSON.stringify(one))
      cursor = page.next
      if (cursor === null) break
    }
    return found
  }
  const reading = (change: Change | null, entity: string) => replay.reading(change, () => read(entity))
  /** Whether the record that holds a lost one says that it cannot be read. */
  const isToldAbove = async ({ fields }: FamilyRecord, change: OddChange) => {
    const parent = Object.values(fields).find(isRef)
    if (!parent || change.isEmpty) return parent !== undefined
    const { warnings: before } = (await reading(null, parent.entity)).result
    const { warnings: after } = (await reading(change, parent.entity)).result
    return [...after].some((one) => !before.has(one) && one.includes(`"${parent.sourceId}"`))
  }
  /** The lost records of which no other record says so. */
  const untold = async (whole: Read, now: Read, change: OddChange) => {
    const ids = new Set(now.items.map(({ sourceId }) => sourceId))
    const lost = whole.items.filter(({ sourceId }) => !ids.has(sourceId))
    const told = await Promise.all(lost.map((item) => isToldAbove(item, change)))
    return lost.filter((_, at) => !told[at]).map(({ sourceId }) => `record ${sourceId} is lost`)
  }
  return { ...{ family, bodyOf: replay.bodyOf, reading, untold }, entities: twin.source?.entities ?? [], twin }
}

const isExpected = (tool: string, place: string, fault: string) =>
  exceptions.some(([name, form, effect]) => name === tool && form.test(place) && effect.test(fault))

test.each(twins)(
  '%s: an odd value in an answer to %s loses no record and stops no page',
  async (tool, _name, start) => {
    const { family, bodyOf, reading, untold, entities, twin } = await openReadings(tool, start)
    const faults: string[] = []
    let readings = 0
    for (const entity of entities) {
      const { result: whole, seen } = await reading(null, entity)
      for (const { place, change } of changesOf(seen, bodyOf, `${tool} ${entity}`)) {
        readings += 1
        const told = await reading(change, entity)
          .then(async ({ result }) => [
            ...(await untold(whole, result, change)),
            ...faultsIn(family, whole, result, change.isEmpty),
          ])
          .catch((error: Error) => [`${error.name}: ${error.message}`])
        for (const fault of told) if (!isExpected(tool, place, fault)) faults.push(`${entity}, ${place}: ${fault}`)
      }
    }
    await twin.close().catch(() => {})
    expect(readings).toBeGreaterThan(100)
    expect(faults).toEqual([])
  },
)

test.each(twins)('%s: a record without an id costs %s no other record', async (tool, _name, start) => {
  const { bodyOf, reading, untold, entities, twin } = await openReadings(tool, start)
  const faults: string[] = []
  let left = 0
  for (const entity of entities) {
    const { result: whole, seen } = await reading(null, entity)
    for (const { place, key, json, path } of idsIn(seen, bodyOf)) {
      for (const value of [gone, null, '', {}, -1]) {
        const change = { key, body: toJson(changed(json, path, value)), isEmpty: false }
        const now = await reading(change, entity).catch((error: Error) => error)
        if (now instanceof Error) {
          faults.push(`${entity}, ${place} = ${JSON.stringify(value)}: ${now.message}`)
          continue
        }
        const lost = (await untold(whole, now.result, change)).length
        const told = [...now.result.warnings].filter((one) => !whole.warnings.has(one)).length
        left += Math.min(lost, 1)
        if (lost > 0 && told === 0) faults.push(`${entity}, ${place} = ${JSON.stringify(value)}: ${lost} lost untold`)
      }
    }
  }
  await twin.close().catch(() => {})
  expect(left).toBeGreaterThan(0)
  expect(faults.filter((fault) => !isExpected(tool, fault, fault))).toEqual([])
})

/** The id of one record in each list of the answers. */
function idsIn(seen: ReadonlySet<string>, bodyOf: (key: string) => string) {
  const found = new Map<string, { place: string; key: string; json: unknown; path: (string | number)[] }>()
  for (const key of seen) {
    const json: unknown = JSON.parse(bodyOf(key) || 'null')
    for (const [form, paths] of placesIn(json)) {
      const place = `${shapeOf(key)} ${form}`
      // Ids of inner lists are values of their record.
      const isOfList = /^(\w+\.){0,2}\*\.id$|^\*\.id$/.test(form)
      if (isOfList && paths.length > 1 && !found.has(place))
        found.set(place, { place, key, json, path: paths[0] ?? [] })
    }
  }
  return found.values()
}

const noValue = /(^|\.)(id|page|meta|paging|next|next_cursor|cursor)(\.|$)|^_embedded\.[\w-]+$|^\w+\.items$/

/** Chosen by the seed: each is another place in an answer, and another value. */
function changesOf(seen: ReadonlySet<string>, bodyOf: (key: string) => string, salt: string) {
  const places = [...Map.groupBy(seen, shapeOf)].flatMap(([shape, keys]) => {
    const forms = new Map<string, [key: string, path: (string | number)[]][]>()
    for (const key of keys.slice(0, 10)) {
      for (const [form, paths] of placesIn(JSON.parse(bodyOf(key) || 'null'))) {
        forms.set(form, [...(forms.get(form) ?? []), ...paths.map((path): [string, typeof path] => [key, path])])
      }
    }
    // Lists, positions and ids are no values of a record.
    return [...forms].flatMap(([form, found]) =>
      !form.includes('.') || form.endsWith('*') || noValue.test(form) ? [] : [{ place: `${shape} ${form}`, found }],
    )
  })
  const numbers = fc.sample(fc.nat(), { seed: seed + salt.length, numRuns: changesPerEntity * 3 })
  return Array.from({ length: Math.min(changesPerEntity, places.length * 10) }, (_, at) => {
    const [one = 0, two = 0, three = 0] = numbers.slice(at * 3)
    const { place = '', found = [] } = places[one % places.length] ?? {}
    const [key = '', path = []] = found[two % found.length] ?? []
    const [name = '', value] = oddValues[three % oddValues.length] ?? []
    const json: unknown = JSON.parse(bodyOf(key))
    const isEmpty = isEmptyValue(value) || isEmptyValue(valueIn(json, path))
    return { place: `${place} = ${name}`, change: { key, body: toJson(changed(json, path, value)), isEmpty } }
  }) satisfies { change: OddChange }[]
}

const isRef = (value: unknown): value is RecordRef =>
  typeof value === 'object' && value !== null && 'entity' in value && 'sourceId' in value

function faultsIn(family: Family, whole: Read, now: Read, isEmpty: boolean): string[] {
  const faults: string[] = []
  const byId = new Map(now.items.map((item) => [item.sourceId, item]))
  if (byId.size < now.items.length) faults.push('a record twice')
  for (const item of now.items) {
    const values = [
      ...Object.entries(item.fields).map(([name, value]) => {
        const { type = 'text', many = false } = entityOf(family, item.entity).fields[name] ?? {}
        return [name, hasShape(type, many, value)] as const
      }),
      ...Object.entries(item.customFields ?? {}).map(
        ([name, { type, many = false, value }]) => [name, hasShape(type, many, value)] as const,
      ),
      ...Object.entries({ createdAt: item.createdAt, updatedAt: item.updatedAt }).map(
        ([name, at]) => [name, at === undefined || Check(momentSchema, at)] as const,
      ),
    ]
    for (const [name, isFine] of values) if (!isFine) faults.push(`an impossible ${name} in ${item.sourceId}`)
    const text = JSON.stringify(item)
    if (!text.isWellFormed() || /\\ud[89a-f]|\\u0000/i.test(text)) faults.push(`half characters in ${item.sourceId}`)
  }
  for (const item of whole.items) {
    const other = byId.get(item.sourceId)
    if (!other) continue
    const isTold = [...now.warnings].some((one) => !whole.warnings.has(one) && one.includes(`"${item.sourceId}"`))
    const lost = Object.keys(item.fields).filter(
      (name) => !isEmptyValue(item.fields[name]) && isEmptyValue(other.fields[name]),
    )
    if (lost.length > 0 && !isTold && !isEmpty) faults.push(`${lost.join(', ')} of ${item.sourceId} is lost untold`)
  }
  return faults
}
