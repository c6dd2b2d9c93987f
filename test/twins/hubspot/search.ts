import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, propertyOf, type Thing, wrong } from './account.ts'
import { type Kind, shownByDefault } from './catalog.ts'
import { kindOf } from './links.ts'
import { present } from './objects.ts'
import { shapes } from './shapes.ts'

interface Filter {
  propertyName: string
  operator: string
  value?: string
  highValue?: string
  values?: string[]
}

const pageSize = 200

/** Values as their type is sorted: numbers, times in milliseconds, and texts without case. */
function comparable(account: Account, kind: Kind, name: string, value: string): number | string {
  const { type = 'string' } = propertyOf(account, kind, name) ?? {}
  if (type === 'number' || name === 'hs_object_id') return Number(value)
  if (type === 'date' || type === 'datetime') return /^-?\d+$/.test(value) ? Number(value) : Date.parse(value)
  return value.toLowerCase()
}

function passes(account: Account, thing: Thing, filter: Filter): boolean {
  const { propertyName, operator, value = '', highValue = '', values = [] } = filter
  const kept = thing.properties[propertyName]
  if (operator === 'HAS_PROPERTY') return kept !== null && kept !== undefined
  if (operator === 'NOT_HAS_PROPERTY') return kept === null || kept === undefined
  if (kept === null || kept === undefined) return operator === 'NEQ' || operator === 'NOT_IN'
  const of = (text: string) => comparable(account, thing.kind, propertyName, text)
  const own = of(kept)
  switch (operator) {
    case 'EQ':
      return own === of(value)
    case 'NEQ':
      return own !== of(value)
    case 'LT':
      return own < of(value)
    case 'LTE':
      return own <= of(value)
    case 'GT':
      return own > of(value)
    case 'GTE':
      return own >= of(value)
    case 'BETWEEN':
      return own >= of(value) && own <= of(highValue)
    case 'IN':
      return values.some((one) => of(one) === own)
    case 'NOT_IN':
      return values.every((one) => of(one) !== own)
    case 'CONTAINS_TOKEN':
    case 'NOT_CONTAINS_TOKEN': {
      const isIn = kept.toLowerCase().includes(value.toLowerCase().replaceAll('*', ''))
      return operator === 'CONTAINS_TOKEN' ? isIn : !isIn
    }
    default:
      return wrong(`${operator} is not an operator`)
  }
}

export function searchOperations(account: Account): Operation[] {
  return [
    {
      ...shapes.search,
      act({ params, json }) {
        const kind = kindOf(params.kind)
        const { filterGroups = [], filters, sorts = [], query, limit = 10, after = 0, properties } = json
        const groups = [...filterGroups, ...(filters ? [{ filters }] : [])] as { filters: Filter[] }[]
        const all = groups.flatMap((group) => group.filters)
        if (groups.length > 5 || all.length > 18 || groups.some((group) => group.filters.length > 6))
          wrong('There are more filters than 5 groups of 6, and 18 in all')
        for (const { propertyName } of all)
          if (!propertyOf(account, kind, propertyName))
            wrong(`There was a problem with the request: no property ${propertyName}`)
        if (limit > pageSize) wrong(`limit must be at most ${pageSize}`)
        const start = Number(after)
        if (!Number.isInteger(start) || start + limit > account.searchWall)
          wrong(`after + limit must not exceed ${account.searchWall}`)
        if (sorts.length > 1) wrong('Only one sort is taken')
        const isFound = (thing: Thing) =>
          (groups.length === 0 || groups.some((group) => group.filters.every((one) => passes(account, thing, one)))) &&
          (!query ||
            shownByDefault[kind].some((name) => thing.properties[name]?.toLowerCase().includes(query.toLowerCase())))
        const [sort] = sorts
        const name = (typeof sort === 'string' ? sort.replace(/^-/, '') : sort?.propertyName) ?? 'hs_object_id'
        const isDown = typeof sort === 'string' ? sort.startsWith('-') : sort?.direction === 'DESCENDING'
        const keyOf = (thing: Thing) => comparable(account, kind, name, thing.properties[name] ?? '')
        const order = (a: Thing, b: Thing) => {
          const [one, other] = isDown ? [keyOf(b), keyOf(a)] : [keyOf(a), keyOf(b)]
          // The order of equal results is not defined.
          return one < other ? -1 : one > other ? 1 : 0
        }
        const list = account.things[kind].search(isFound).toSorted(order)
        const end = start + limit
        return answer(200, {
          total: list.length,
          results: list.slice(start, end).map((thing) => present(account, thing, properties)),
          ...(end < list.length && { paging: { next: { after: String(end) } } }),
        })
      },
    },
  ]
}
