import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { ValidationError } from '../errors.ts'
import { chooseUsers, type UserChoice } from '../imports/choose-users.ts'
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
    // Those without an account first, and of them those whom most records name.
    const isMatched = sql<boolean>`(destination_user_id is not null)`
    const [people, destination] = await Promise.all([
      db
        .selectFrom('user_map')
        .select(['source_user_id', 'name', 'email', 'destination_user_id', 'is_chosen', 'suggested_user_id'])
        .select(['named_in', 'is_listed', 'keeps_name'])
        .where('import_id', '=', imp.id)
        .$if(after !== null, (query) =>
          query.where(
            sql<boolean>`(${isMatched}, -named_in, source_user_id) > (${after?.isMatched}::boolean, ${-(after?.namedIn ?? 0)}::int, ${after?.userId}::text)`,
          ),
        )
        .orderBy(isMatched)
        .orderBy(sql`-named_in`)
        .orderBy('source_user_id')
        .limit(peoplePerPage)
        .execute(),
      db
        .selectFrom('destination_users')
        .select(['user_id', 'name', 'email', 'is_active'])
        .where('import_id', '=', imp.id)
        .orderBy('name')
        .limit(5_000)
        .execute(),
    ])
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
function readPosition(after: unknown): { isMatched: boolean; namedIn: number; userId: string } | null {
  if (after === undefined) return null
  const [, matched, named, userId] = /^([01])\.(\d{1,9})\.(.+)$/s.exec(String(after)) ?? []
  if (userId === undefined) throw new ValidationError({ after: ['must be the "next" of the page before'] })
  return { isMatched: matched === '1', namedIn: Number(named), userId }
}
