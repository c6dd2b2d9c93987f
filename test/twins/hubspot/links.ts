import { type Account, wrong } from './account.ts'
import { isKind, type Kind, singular } from './catalog.ts'

/** The number of each unlabelled association, and the number of its other direction. */
const pairs: readonly [Kind, Kind, number, number][] = [
  ['contacts', 'companies', 279, 280],
  ['deals', 'contacts', 3, 4],
  ['deals', 'companies', 341, 342],
  ['tickets', 'contacts', 16, 15],
  ['tickets', 'companies', 339, 340],
  ['tickets', 'deals', 28, 27],
  ['contacts', 'contacts', 449, 449],
  ['companies', 'companies', 450, 450],
  ['deals', 'deals', 451, 451],
  ['tickets', 'tickets', 452, 452],
  ['notes', 'contacts', 202, 201],
  ['notes', 'companies', 190, 189],
  ['notes', 'deals', 214, 213],
  ['notes', 'tickets', 228, 227],
  ['calls', 'contacts', 194, 193],
  ['calls', 'companies', 182, 181],
  ['calls', 'deals', 206, 205],
  ['calls', 'tickets', 220, 219],
  ['emails', 'contacts', 198, 197],
  ['emails', 'companies', 186, 185],
  ['emails', 'deals', 210, 209],
  ['emails', 'tickets', 224, 223],
  ['meetings', 'contacts', 200, 199],
  ['meetings', 'companies', 188, 187],
  ['meetings', 'deals', 212, 211],
  ['meetings', 'tickets', 226, 225],
  ['tasks', 'contacts', 204, 203],
  ['tasks', 'companies', 192, 191],
  ['tasks', 'deals', 216, 215],
  ['tasks', 'tickets', 230, 229],
  ['communications', 'contacts', 81, 82],
  ['communications', 'companies', 87, 88],
  ['communications', 'deals', 85, 86],
  ['communications', 'tickets', 83, 84],
  ['postal_mail', 'contacts', 453, 454],
  ['postal_mail', 'companies', 459, 460],
  ['postal_mail', 'deals', 457, 458],
  ['postal_mail', 'tickets', 455, 456],
]

/** Associations with a special meaning. One company is the primary one. */
const labelled: readonly [Kind, Kind, number, number, string, string][] = [
  ['contacts', 'companies', 1, 2, 'Primary', 'Primary'],
  ['deals', 'companies', 5, 6, 'Primary', 'Primary'],
  ['tickets', 'companies', 26, 25, 'Primary', 'Primary'],
  ['companies', 'companies', 13, 14, 'Child Company', 'Parent Company'],
]

interface LinkType {
  from: Kind
  to: Kind
  typeId: number
  back: number
  label: string | null
}

const types: LinkType[] = [
  ...pairs.map(([from, to, one, other]) => [from, to, one, other, null, null] as const),
  ...labelled,
].flatMap(([from, to, typeId, back, label, backLabel]) => [
  { from, to, typeId, back, label },
  ...(typeId === back ? [] : [{ from: to, to: from, typeId: back, back: typeId, label: backLabel }]),
])

const known = (text: string | undefined): Kind =>
  isKind(text) ? text : (wrong(`Unable to infer object type from: ${text}`) as never)

/** HubSpot accepts `contact`, `contacts` and `0-1`. The twin accepts only the plural, as the client writes it. */
export const kindOf = known

export const typesBetween = (from: Kind, to: Kind): LinkType[] =>
  types.filter((one) => one.from === from && one.to === to)

export const plainType = (from: Kind, to: Kind): LinkType =>
  typesBetween(from, to).find(({ label }) => label === null) ??
  (wrong(`No association between ${singular[from]} and ${singular[to]}`) as never)

const place = (kind: Kind, id: string) => `${kind}/${id}`

function addOne({ links }: Account, from: string, to: string, typeId: number): void {
  const ofFrom = links.get(from) ?? new Map<string, Set<number>>()
  links.set(from, ofFrom)
  ofFrom.set(to, (ofFrom.get(to) ?? new Set()).add(typeId))
}

/**
 * Links two records in both directions. Every labelled link includes the plain one, and the first company is primary.
 */
export function link(account: Account, from: Kind, id: string, to: Kind, toId: string, typeId?: number): void {
  if (!account.things[from].get(id) || !account.things[to].get(toId))
    wrong(`One or more object ids are not valid: ${from} ${id}, ${to} ${toId}`)
  const plain = plainType(from, to)
  const asked =
    typesBetween(from, to).find((one) => one.typeId === (typeId ?? plain.typeId)) ??
    (wrong(`Association type ${typeId} is not valid between ${from} and ${to}`) as never)
  const connect = (type: LinkType) => {
    addOne(account, place(from, id), place(to, toId), type.typeId)
    addOne(account, place(to, toId), place(from, id), type.back)
  }
  connect(plain)
  const primary = [...typesBetween(from, to)].find(({ label }) => label === 'Primary')
  if (
    primary &&
    asked !== primary &&
    to === 'companies' &&
    !linksOf(account, from, id, to).some(({ ids }) => ids.has(primary.typeId))
  )
    connect(primary)
  if (asked === primary) clearPrimary(account, from, id, to, primary)
  if (asked !== plain) connect(asked)
}

function clearPrimary(account: Account, from: Kind, id: string, to: Kind, { typeId, back }: LinkType): void {
  if (to !== 'companies') return
  for (const one of linksOf(account, from, id, to)) {
    one.ids.delete(typeId)
    account.links.get(place(to, one.id))?.get(place(from, id))?.delete(back)
  }
}

export function linksOf({ links }: Account, from: Kind, id: string, to: Kind): { id: string; ids: Set<number> }[] {
  return [...(links.get(place(from, id)) ?? [])].flatMap(([target, ids]) => {
    const [kind, targetId = ''] = target.split('/')
    return kind === to ? [{ id: targetId, ids }] : []
  })
}

export function unlink({ links }: Account, from: Kind, id: string, to: Kind, toId: string): void {
  links.get(place(from, id))?.delete(place(to, toId))
  links.get(place(to, toId))?.delete(place(from, id))
}

/** An archived record loses its associations. */
export function unlinkAll({ links }: Account, kind: Kind, id: string): void {
  for (const target of links.get(place(kind, id))?.keys() ?? []) links.get(target)?.delete(place(kind, id))
  links.delete(place(kind, id))
}

export const presentTypes = (from: Kind, to: Kind, ids: ReadonlySet<number>) =>
  typesBetween(from, to)
    .filter(({ typeId }) => ids.has(typeId))
    .map(({ typeId, label }) => ({ category: 'HUBSPOT_DEFINED', typeId, label }))
