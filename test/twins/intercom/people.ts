import { Type } from 'typebox'
import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import {
  type Account,
  type Admin,
  closed,
  idShape,
  invalid,
  notFound,
  optional,
  type Tag,
  workspace,
} from './account.ts'

export const presentTag = ({ id, name }: Tag) => ({ type: 'tag', id, name })
export const tagList = ({ tags }: Account, ids: readonly string[]) => ({
  type: 'tag.list',
  tags: ids.flatMap((id) => {
    const tag = tags.get(id)
    return tag ? [presentTag(tag)] : []
  }),
})

/** Names are compared without case; for a known name the existing tag is returned. */
export function tagNamed({ tags, nextId }: Account, name: string): Tag {
  const text = name.trim()
  if (text === '') invalid('invalid tag parameters')
  return tags.list((tag) => tag.name.toLowerCase() === text.toLowerCase())[0] ?? tags.put({ id: nextId(), name: text })
}

const presentAdmin = ({ id, name, email, teamIds, hasSeat }: Admin) => ({
  type: 'admin',
  id,
  name,
  email,
  job_title: null,
  away_mode_enabled: false,
  away_mode_reassign: false,
  has_inbox_seat: hasSeat,
  team_ids: teamIds,
})

interface Tagged {
  tagIds: string[]
}

export function peopleOperations(account: Account): Operation[] {
  const { admins, teams, tags, settings, companies, contacts } = account
  const presentTeam = ({ id, name, adminIds }: { id: string; name: string; adminIds: number[] }) => ({
    type: 'team',
    id,
    name,
    admin_ids: adminIds,
  })
  const tagged = <T extends Tagged & { id: string }>(record: T | undefined, tagId: string, isOff: boolean) => {
    if (!record) return null
    const rest = record.tagIds.filter((id) => id !== tagId)
    return { id: record.id, tagIds: isOff ? rest : [...rest, tagId], updatedAt: account.now() }
  }
  const members = Type.Array(
    closed({ id: optional(idShape), company_id: optional(Type.String()), untag: optional(Type.Boolean()) }),
  )
  return [
    {
      method: 'GET',
      path: '/me',
      act() {
        const [me] = admins.list()
        return answer(200, {
          ...(me && presentAdmin(me)),
          email_verified: true,
          avatar: { type: 'avatar', image_url: null },
          app: {
            type: 'app',
            id_code: workspace,
            name: 'Quay & Söhne',
            created_at: 1_577_836_800,
            secure: false,
            identity_verification: false,
            timezone: settings.timeZone,
            region: settings.region,
          },
        })
      },
    },
    {
      method: 'GET',
      path: '/admins',
      query: { display_avatar: /true|false/ },
      act: () => answer(200, { type: 'admin.list', admins: admins.list().map(presentAdmin) }),
    },
    {
      method: 'GET',
      path: '/admins/:id',
      act: ({ params }) =>
        answer(200, presentAdmin(admins.get(`${params.id}`) ?? notFound('Admin not found', 'admin_not_found'))),
    },
    {
      method: 'GET',
      path: '/teams',
      act: () => answer(200, { type: 'team.list', teams: teams.list().map(presentTeam) }),
    },
    {
      method: 'GET',
      path: '/teams/:id',
      act: ({ params }) =>
        answer(200, presentTeam(teams.get(`${params.id}`) ?? notFound('Team not found', 'team_not_found'))),
    },
    {
      method: 'GET',
      path: '/tags',
      act: () => answer(200, { type: 'list', data: tags.list().map(presentTag) }),
    },
    {
      method: 'GET',
      path: '/tags/:id',
      act: ({ params }) => answer(200, presentTag(tags.get(`${params.id}`) ?? notFound())),
    },
    {
      method: 'POST',
      path: '/tags',
      json: closed({
        name: Type.String(),
        id: optional(idShape),
        companies: optional(members),
        users: optional(Type.Array(closed({ id: idShape }))),
      }),
      act({ json }) {
        if (json.id !== undefined) {
          const known = tags.get(String(json.id)) ?? notFound()
          return answer(200, presentTag(tags.put({ ...known, name: json.name })))
        }
        const tag = tagNamed(account, json.name)
        for (const one of json.companies ?? []) {
          const company =
            companies.get(String(one.id)) ?? companies.list(({ companyId }) => companyId === one.company_id)[0]
          const changes =
            tagged(company, tag.id, one.untag === true) ?? notFound('Company Not Found', 'company_not_found')
          companies.change(changes.id, changes)
        }
        for (const one of json.users ?? []) {
          const changes = tagged(contacts.get(String(one.id)), tag.id, false) ?? notFound('User Not Found')
          contacts.change(changes.id, changes)
        }
        return answer(200, presentTag(tag))
      },
    },
    {
      method: 'DELETE',
      path: '/tags/:id',
      act({ params }) {
        if (!tags.remove(`${params.id}`)) notFound()
        return answer(200)
      },
    },
    ...(['contacts', 'conversations', 'tickets'] as const).flatMap((kind): Operation[] => {
      const missing = {
        contacts: () => notFound('User Not Found'),
        conversations: () => notFound('Conversation not found'),
        tickets: () => notFound('Ticket not found', 'ticket_not_found'),
      }[kind]
      const admin = kind === 'contacts' ? {} : { admin_id: idShape }
      const change = (id: string | undefined, tagId: string, isOff: boolean) => {
        const changes = tagged(account[kind].get(`${id}`), tagId, isOff) ?? missing()
        const tag = tags.get(tagId) ?? notFound()
        account[kind].change(changes.id, changes)
        return answer(200, { ...presentTag(tag), applied_at: account.now() })
      }
      return [
        {
          method: 'POST',
          path: `/${kind}/:id/tags`,
          json: closed({ id: idShape, ...admin }),
          act: ({ params, json }) => change(params.id, String(json.id), false),
        },
        {
          method: 'DELETE',
          path: `/${kind}/:id/tags/:tag`,
          ...(kind !== 'contacts' && { json: closed(admin) }),
          act: ({ params }) => change(params.id, `${params.tag}`, true),
        },
      ]
    }),
  ]
}
