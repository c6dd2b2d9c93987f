import type { FastifyInstance } from 'fastify'
import { ValidationError } from '../errors.ts'
import { chooseUsers, type UserChoice } from '../imports/choose-users.ts'
import { listPeople, type PersonPosition } from '../imports/list-people.ts'
import { admitAction, admitByCookie } from './admit-by-cookie.ts'
import type { PortalPeople, PortalPerson } from './mapping-contract.ts'
import type { PortalParts } from './portal-parts.ts'
import { readObject } from './read-body.ts'

const maxBytes = 256 * 1024
const peoplePerPage = 500

type WithId = { Params: { id: string } }

/** People of the source and their matches in the destination. */
export function registerPeopleRoutes(app: FastifyInstance, parts: PortalParts): void {
  const { db } = parts
  const options = { schema: { hide: true }, bodyLimit: maxBytes }

  app.get<WithId & { Querystring: { after?: unknown } }>('/portal/imports/:id/people', options, async (request) => {
    const imp = await admitByCookie(parts, request)
    const after = readPosition(request.query.after)
    const { people, destination } = await listPeople(db, imp.id, { after, limit: peoplePerPage })
    const last = people.length === peoplePerPage ? people.at(-1) : undefined
    return {
      people: people satisfies PortalPerson[],
      destination,
      next: last ? `${last.destination_user_id === null ? 0 : 1}.${last.named_in}.${last.source_user_id}` : null,
    } satisfies PortalPeople
  })

  app.put<WithId>('/portal/imports/:id/people', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    const choices = Object.entries(readObject(request.body))
    const wrong = choices.filter(([, choice]) => !isChoice(choice))
    if (wrong.length > 0) {
      const message = 'must be a person of the destination, null, or {"invite_later":true}'
      throw new ValidationError(Object.fromEntries(wrong.map(([person]) => [person, [message]])))
    }
    if (choices.length > peoplePerPage) throw new ValidationError({ people: [`at most ${peoplePerPage} at once`] })
    await chooseUsers(db, importId, Object.fromEntries(choices) as Record<string, UserChoice>)
    return reply.code(204).send()
  })
}

const isChoice = (given: unknown): given is UserChoice =>
  given === null ||
  typeof given === 'string' ||
  (typeof given === 'object' && 'invite_later' in given && given.invite_later === true)

/** The start of the next page: the last person of the page before. */
function readPosition(after: unknown): PersonPosition | null {
  if (after === undefined) return null
  const [, matched, named, userId] = /^([01])\.(\d{1,9})\.(.+)$/s.exec(String(after)) ?? []
  if (userId === undefined) throw new ValidationError({ after: ['must be the "next" of the page before'] })
  return { isMatched: matched === '1', namedIn: Number(named), userId }
}
