import { AnswerError, answer, refuse, type TwinRequest } from '../answers.ts'
import { cursorPage, numberOf } from '../pages.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Change, errorOf, found, type Thing, uniqueKey, wrong } from './account.ts'
import { changedName, type Kind, madeName, shownByDefault, singular } from './catalog.ts'
import { kindOf, link, linksOf, plainType, typesBetween, unlinkAll } from './links.ts'
import { shapes } from './shapes.ts'
import { forgetUnique, mergeThing, putThing } from './values.ts'

interface Link {
  to: { id: string }
  types: { associationTypeId: number }[]
}

/** The servers in front refuse longer addresses. */
const maxAddress = 8_000

/** Names that are repeated parameters, or separated by commas. */
export const namesIn = (query: URLSearchParams, name: string): string[] =>
  query.getAll(name).flatMap((text) => text.split(',').filter(Boolean))

/** A record with the requested properties. Unknown property names are ignored. */
export function present(account: Account, thing: Thing, asked: readonly string[] = []) {
  const { id, kind, createdAt, updatedAt } = thing
  const always = ['hs_object_id', madeName(kind), changedName(kind)]
  const names = asked.length === 0 ? shownByDefault[kind] : [...new Set([...asked, ...always])]
  const exists = new Set(account.properties[kind].map(({ name }) => name))
  const archivedAt = account.archivedAt.get(id)
  return {
    id,
    properties: Object.fromEntries(
      names.filter((name) => exists.has(name)).map((name) => [name, thing.properties[name] ?? null]),
    ),
    createdAt,
    updatedAt,
    archived: archivedAt !== undefined,
    ...(archivedAt !== undefined && { archivedAt }),
  }
}

/** A value that is not in the history was put into the account by hand. */
export function historyOf({ properties, history, updatedAt }: Thing, names: readonly string[]) {
  const entries = names.map((name) => {
    const [value, told = []] = [properties[name] ?? '', history[name]]
    const byHand = { value, timestamp: updatedAt, sourceType: 'CRM_UI', updatedByUserId: 1 }
    return [name, value === (told[0]?.value ?? '') ? told : [byHand, ...told]]
  })
  return { propertiesWithHistory: Object.fromEntries(entries) }
}

/** A change by HubSpot itself, or by people. */
export function changeThing(account: Account, kind: Kind, id: string, values: object, by: Change): void {
  const known = found(account.things[kind].get(id))
  putThing(account, mergeThing(account, kind, values as Record<string, unknown>, known, by))
}

function withLinks(account: Account, thing: Thing, query: URLSearchParams) {
  const wanted = namesIn(query, 'associations').map(kindOf)
  const lists = wanted.flatMap((to) => {
    const results = linksOf(account, thing.kind, thing.id, to).flatMap(({ id, ids }) =>
      typesBetween(thing.kind, to)
        .filter(({ typeId }) => ids.has(typeId))
        .map(({ label }) => ({
          id,
          type: `${singular[thing.kind]}_to_${singular[to]}${label === null && hasLabels(thing.kind, to) ? '_unlabeled' : ''}`,
        })),
    )
    return results.length > 0 ? [[to, { results }]] : []
  })
  return {
    ...present(account, thing, namesIn(query, 'properties')),
    ...(lists.length > 0 && { associations: Object.fromEntries(lists) }),
  }
}

const hasLabels = (from: Kind, to: Kind) => typesBetween(from, to).some(({ label }) => label === 'Primary')

/** A record by its id, or by the value of a unique property. */
export function findThing(account: Account, kind: Kind, id: string, idProperty?: string | null): Thing | undefined {
  if (!idProperty || idProperty === 'hs_object_id') return account.things[kind].get(id)
  const property = account.properties[kind].find(({ name }) => name === idProperty)
  if (!property?.hasUniqueValue) return wrong(`Property ${idProperty} is not a unique property`)
  const known = account.unique.get(uniqueKey(kind, idProperty, id))
  return known === undefined ? undefined : account.things[kind].get(known)
}

export function makeThing(account: Account, kind: Kind, given: { properties: object; associations?: Link[] }): Thing {
  const thing = mergeThing(account, kind, given.properties as Record<string, unknown>)
  const links = (given.associations ?? []).flatMap(({ to, types }) =>
    types.map(({ associationTypeId }) => ({
      ...targetOf(account, kind, String(to.id), associationTypeId),
      associationTypeId,
    })),
  )
  putThing(account, thing)
  for (const { to, id, associationTypeId } of links) link(account, kind, thing.id, to, id, associationTypeId)
  return thing
}

/** The number of an association determines the type of the other record. */
function targetOf(account: Account, from: Kind, id: string, typeId: number): { to: Kind; id: string } {
  const to = (Object.keys(account.things) as Kind[]).find((kind) =>
    typesBetween(from, kind).some((type) => type.typeId === typeId),
  )
  if (!to) return wrong(`Association type ${typeId} is not valid for ${singular[from]}`)
  plainType(from, to)
  if (!account.things[to].get(id)) wrong(`Association target ${singular[to]} ${id} does not exist`)
  return { to, id }
}

export function archiveThing(account: Account, kind: Kind, id: string): void {
  const thing = account.things[kind].get(id)
  if (!thing) return
  forgetUnique(account, thing)
  unlinkAll(account, kind, id)
  account.things[kind].remove(id, { isKept: true })
  account.archivedAt.set(id, account.now())
}

export function objectOperations(account: Account): Operation[] {
  const kindIn = ({ params }: TwinRequest) => kindOf(params.kind)
  const idProperty = ({ query }: TwinRequest) => query.get('idProperty')
  const find = (request: TwinRequest) =>
    findThing(account, kindIn(request), String(request.params.id), idProperty(request))
  return [
    {
      ...shapes.list,
      act(request) {
        const { query, url } = request
        if (url.href.length > maxAddress) refuse(414, errorOf('VALIDATION_ERROR', 'URI Too Long'))
        const kind = kindIn(request)
        const asked = query.get('limit')
        if (asked !== null && Number(asked) > 100) wrong('limit must be at most 100')
        const isArchived = query.get('archived') === 'true'
        const list = isArchived
          ? [...account.archivedAt.keys()].flatMap((id) => account.things[kind].trashed(id) ?? [])
          : account.things[kind].list()
        const { items, next } = cursorPage(list, {
          after: query.get('after'),
          size: numberOf(asked, { otherwise: 10 }),
          keyOf: ({ id }) => Number(id),
        })
        const results = items.map((thing) => withLinks(account, thing, query))
        return answer(200, {
          results,
          ...(next !== null && { paging: { next: { after: next, link: `${url.href}&after=${next}` } } }),
        })
      },
    },
    {
      ...shapes.get,
      act(request) {
        const kind = kindIn(request)
        const gone =
          request.query.get('archived') === 'true' ? account.things[kind].trashed(String(request.params.id)) : undefined
        return answer(200, withLinks(account, found(gone ?? find(request)), request.query))
      },
    },
    {
      ...shapes.make,
      act(request) {
        const kind = kindIn(request)
        const thing = makeThing(account, kind, request.json)
        return answer(201, present(account, thing, Object.keys(request.json.properties)))
      },
    },
    {
      ...shapes.change,
      act(request) {
        const thing = mergeThing(account, kindIn(request), request.json.properties, found(find(request)))
        return answer(200, present(account, putThing(account, thing), Object.keys(request.json.properties)))
      },
    },
    {
      ...shapes.archive,
      act(request) {
        // Archiving a missing record succeeds.
        archiveThing(account, kindIn(request), String(request.params.id))
        return answer(204)
      },
    },
  ]
}

/** The refusal of an act, or null. Batches that report each record separately use it. */
export function refusalOf(act: () => void): { status: number; json: Record<string, unknown> } | null {
  try {
    act()
    return null
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error
    return { status: error.answer.status, json: error.answer.json as Record<string, unknown> }
  }
}
