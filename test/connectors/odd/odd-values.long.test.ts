import fc from 'fast-check'
import { Check } from 'typebox/value'
import { afterAll, expect, test } from 'vitest'
import type { Source } from '../../../service/src/connectors/contract/contract.ts'
import { connectors } from '../../../service/src/connectors/registry.ts'
import { vetPages } from '../../../service/src/connectors/vet-pages.ts'
import { entityOf, type Family } from '../../../service/src/families/index.ts'
import type { FamilyRecord } from '../../../service/src/families/record.ts'
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
import { changed, isEmptyValue, oddValues, placesIn, toJson, valueIn } from './odd-values.ts'
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

test.each(twins)(
  '%s: an odd value in an answer to %s loses no record and stops no page',
  async (tool, _name, start) => {
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
    const faults: string[] = []
    let readings = 0
    for (const entity of twin.source?.entities ?? []) {
      const { result: whole, seen } = await replay.reading(null, () => read(entity))
      for (const { place, change } of changesOf(seen, replay.bodyOf, `${tool} ${entity}`)) {
        readings += 1
        const told = await replay
          .reading(change, () => read(entity))
          .then(({ result }) => faultsIn(family, whole, result, change.isEmpty))
          .catch((error: Error) => [`${error.name}: ${error.message}`])
        for (const fault of told) {
          const isExpected = exceptions.some(
            ([name, form, expected]) => name === tool && form.test(place) && expected.test(fault),
          )
          if (!isExpected) faults.push(`${entity}, ${place}: ${fault}`)
        }
      }
    }
    await twin.close().catch(() => {})
    expect(readings).toBeGreaterThan(100)
    expect(faults).toEqual([])
  },
)

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
  }) satisfies { change: Change }[]
}

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
    if (!other) {
      faults.push(`record ${item.sourceId} is lost`)
      continue
    }
    const isTold = [...now.warnings].some((one) => !whole.warnings.has(one) && one.includes(`"${item.sourceId}"`))
    const lost = Object.keys(item.fields).filter(
      (name) => !isEmptyValue(item.fields[name]) && isEmptyValue(other.fields[name]),
    )
    if (lost.length > 0 && !isTold && !isEmpty) faults.push(`${lost.join(', ')} of ${item.sourceId} is lost untold`)
  }
  return faults
}
