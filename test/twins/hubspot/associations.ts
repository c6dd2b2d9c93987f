import { answer, type TwinRequest } from '../answers.ts'
import { cursorPage, numberOf } from '../pages.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, errorOf, found, type Thing } from './account.ts'
import { checkSize, sendBatch } from './batches.ts'
import { type Kind, typeIds } from './catalog.ts'
import { kindOf, link, linksOf, plainType, presentTypes, typesBetween, unlink } from './links.ts'
import { refusalOf } from './objects.ts'
import { shapes } from './shapes.ts'

interface Input {
  from: { id: string }
  to: { id: string }
  types?: { associationTypeId: number }[]
}

export function associationOperations(account: Account): Operation[] {
  const ends = ({ params }: TwinRequest) => ({ from: kindOf(params.kind), to: kindOf(params.to) })
  const one = ({ params }: TwinRequest) => ({ id: String(params.id), toId: String(params.toId) })
  const shown = (from: Kind, to: Kind, { id, ids }: { id: string; ids: ReadonlySet<number> }) => ({
    toObjectId: id,
    associationTypes: presentTypes(from, to, ids),
  })
  const pairOf = (from: Kind, to: Kind, id: string, toId: string) => ({
    fromObjectTypeId: typeIds[from],
    fromObjectId: id,
    toObjectTypeId: typeIds[to],
    toObjectId: toId,
    labels: [],
  })
  const plainOf = (from: Kind, to: Kind, id: string, toId: string) => ({
    from: { id },
    to: { id: toId },
    associationSpec: { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: plainType(from, to).typeId },
  })
  const many = (request: TwinRequest, status: number, act: (from: Kind, to: Kind, input: Input) => unknown) => {
    const { from, to } = ends(request)
    const inputs = request.json.inputs as Input[]
    checkSize(inputs, 2_000)
    const results: unknown[] = []
    const errors: unknown[] = []
    for (const { from: source, to: target, types } of inputs) {
      const input = { from: { id: String(source.id) }, to: { id: String(target.id) }, ...(types && { types }) }
      const refused = refusalOf(() => results.push(act(from, to, input)))
      if (refused) errors.push({ ...refused.json, context: { fromObjectId: [input.from.id] }, links: {}, errors: [] })
    }
    return sendBatch(account, status, results, errors)
  }
  const linkMany = (request: TwinRequest) =>
    many(request, 201, (from, to, input) => {
      for (const { associationTypeId } of input.types ?? [])
        link(account, from, input.from.id, to, input.to.id, associationTypeId)
      return pairOf(from, to, input.from.id, input.to.id)
    })
  const readLinks = (request: TwinRequest) => {
    const { from, to } = ends(request)
    const inputs = request.json.inputs as { id: string }[]
    checkSize(inputs, 1_000)
    const results: unknown[] = []
    const errors: unknown[] = []
    for (const { id } of inputs) {
      const links = linksOf(account, from, id, to)
      // A record without associations is returned as an error.
      if (links.length > 0) results.push({ from: { id }, to: links.map((target) => shown(from, to, target)) })
      else {
        const words = `No ${to} is associated with ${from} ${id}.`
        const error = errorOf('OBJECT_NOT_FOUND', words, { subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND' })
        errors.push({ ...error, context: { fromObjectId: [id] }, links: {}, errors: [] })
      }
    }
    return sendBatch(account, 200, results, errors)
  }
  return [
    {
      ...shapes.links,
      act(request) {
        const { from, to } = ends(request)
        const thing: Thing = found(account.things[from].get(String(request.params.id)))
        const { items, next } = cursorPage(
          linksOf(account, from, thing.id, to).toSorted((a, b) => Number(a.id) - Number(b.id)),
          {
            after: request.query.get('after'),
            size: numberOf(request.query.get('limit'), { otherwise: 500, most: 500 }),
            keyOf: ({ id }) => Number(id),
          },
        )
        const paging = next === null ? {} : { paging: { next: { after: next } } }
        return answer(200, { results: items.map((target) => shown(from, to, target)), ...paging })
      },
    },
    {
      ...shapes.link,
      act(request) {
        const { from, to } = ends(request)
        const { id, toId } = one(request)
        for (const { associationTypeId } of request.json) link(account, from, id, to, toId, associationTypeId)
        return answer(201, pairOf(from, to, id, toId))
      },
    },
    {
      ...shapes.linkPlain,
      act(request) {
        const { from, to } = ends(request)
        const { id, toId } = one(request)
        link(account, from, id, to, toId)
        return sendBatch(account, 200, [plainOf(from, to, id, toId)])
      },
    },
    {
      ...shapes.unlink,
      act(request) {
        const { from, to } = ends(request)
        const { id, toId } = one(request)
        unlink(account, from, id, to, toId)
        return answer(204)
      },
    },
    { ...shapes.linkMany, act: linkMany },
    {
      ...shapes.linkManyPlain,
      act: (request) =>
        many(request, 200, (from, to, input) => {
          link(account, from, input.from.id, to, input.to.id)
          return plainOf(from, to, input.from.id, input.to.id)
        }),
    },
    { ...shapes.readLinks, act: readLinks },
    {
      ...shapes.unlinkMany,
      act(request) {
        const { from, to } = ends(request)
        for (const { from: source, to: targets } of request.json.inputs)
          for (const target of targets) unlink(account, from, String(source.id), to, String(target.id))
        return answer(204)
      },
    },
    {
      ...shapes.labels,
      act(request) {
        const { from, to } = ends(request)
        const types = typesBetween(from, to)
        return answer(200, {
          results: types.map(({ typeId, label }) => ({ category: 'HUBSPOT_DEFINED', typeId, label })),
        })
      },
    },
  ]
}
