import type { TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Conversation, found, type Mailbox, type Team, type User } from './account.ts'
import type { Auth } from './auth.ts'
import { hal, halPage } from './hal.ts'
import { pageQuery } from './shapes.ts'

const folderTypes = ['open', 'mytickets', 'drafts', 'assigned', 'closed', 'spam'] as const
const folderNames = ['Unassigned', 'Mine', 'Drafts', 'Assigned', 'Closed', 'Spam']

const folderAt = (mailboxId: number, at: number) => mailboxId * 10 + at + 1

/** A conversation's folder follows from its state, its status and its assignee. */
export function folderOf({ mailboxId, state, status, assigneeId }: Conversation): number {
  if (state === 'draft') return folderAt(mailboxId, 2)
  if (status === 'closed' || status === 'spam') return folderAt(mailboxId, status === 'closed' ? 4 : 5)
  return folderAt(mailboxId, assigneeId === null ? 0 : 3)
}

export function addTag({ tags, nextId, now }: Account, text: string): string {
  const name = text.trim().toLowerCase()
  const [known] = tags.list((tag) => tag.name === name)
  if (!known) tags.put({ id: String(nextId()), name, createdAt: now() })
  return name
}

export const colorOf = (id: string | number) => ['none', 'green', 'blue', 'red'][Number(id) % 4]

export function directoryOperations(account: Account, { meOf }: Auth): Operation[] {
  const { mailboxes, users, teams, tags, conversations, hiddenMailboxes, pageSizes } = account
  const size = pageSizes.others
  const link = ({ origin }: TwinRequest, path: string) => ({ href: `${origin}${path}` })
  const isSeen = ({ id }: Mailbox) => !hiddenMailboxes.has(Number(id))
  const mailboxIn = ({ params }: TwinRequest) => found(mailboxes.list(isSeen).find(({ id }) => id === params.id))

  const presentMailbox = (request: TwinRequest, box: Mailbox) => ({
    id: Number(box.id),
    name: box.name,
    slug: box.slug,
    email: box.email,
    createdAt: box.createdAt,
    updatedAt: box.updatedAt,
    _links: {
      fields: link(request, `/v2/mailboxes/${box.id}/fields`),
      folders: link(request, `/v2/mailboxes/${box.id}/folders`),
      self: link(request, `/v2/mailboxes/${box.id}`),
    },
  })
  const presentUser = (request: TwinRequest, user: User) => ({
    id: Number(user.id),
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    role: user.role,
    timezone: user.timezone,
    jobTitle: '',
    phone: '',
    alternateEmails: [],
    photoUrl: '',
    type: 'user',
    mention: user.firstName.toLowerCase(),
    initials: `${user.firstName.slice(0, 1)}${user.lastName.slice(0, 1)}`,
    createdAt: user.createdAt,
    updatedAt: user.createdAt,
    _links: { self: link(request, `/v2/users/${user.id}`) },
  })
  const presentTeam = (request: TwinRequest, team: Team) => ({
    id: Number(team.id),
    name: team.name,
    timezone: 'Etc/UTC',
    photoUrl: '',
    mention: team.name.toLowerCase(),
    initials: team.name.slice(0, 2),
    createdAt: team.createdAt,
    updatedAt: team.createdAt,
    _links: {
      self: link(request, `/v2/teams/${team.id}`),
      members: link(request, `/v2/teams/${team.id}/members`),
    },
  })
  const present = <T>(request: TwinRequest, how: (request: TwinRequest, item: T) => unknown) => {
    return (item: T) => how(request, item)
  }
  const here = ({ isGone }: User) => !isGone

  return [
    {
      method: 'GET',
      path: '/v2/mailboxes',
      query: pageQuery,
      act: (request) => halPage(request, 'mailboxes', mailboxes.list(isSeen), size, present(request, presentMailbox)),
    },
    {
      method: 'GET',
      path: '/v2/mailboxes/:id',
      act: (request) => hal(presentMailbox(request, mailboxIn(request))),
    },
    {
      method: 'GET',
      path: '/v2/mailboxes/:id/fields',
      query: pageQuery,
      act: (request) =>
        halPage(request, 'fields', mailboxIn(request).fields, size, ({ options, ...field }) => ({
          ...field,
          // Only a dropdown has options.
          ...(field.type === 'dropdown' && { options }),
        })),
    },
    {
      method: 'GET',
      path: '/v2/mailboxes/:id/folders',
      query: pageQuery,
      act(request) {
        const box = mailboxIn(request)
        const folders = folderTypes.map((type, at) => ({
          id: folderAt(Number(box.id), at),
          name: folderNames[at],
          type,
        }))
        return halPage(request, 'folders', folders, size, (folder) => {
          const inside = conversations.list((one) => folderOf(one) === folder.id)
          const active = inside.filter(({ status }) => status === 'active')
          return {
            ...folder,
            userId: 0,
            totalCount: inside.length,
            activeCount: active.length,
            updatedAt: box.updatedAt,
          }
        })
      },
    },
    {
      method: 'GET',
      path: '/v2/users',
      query: { ...pageQuery, email: true, mailbox: /\d+/ },
      act(request) {
        const email = request.query.get('email')
        const list = users.list((user) => here(user) && (email === null || user.email === email))
        return halPage(request, 'users', list, size, present(request, presentUser))
      },
    },
    { method: 'GET', path: '/v2/users/me', act: (request) => hal(presentUser(request, meOf(request))) },
    {
      method: 'GET',
      path: '/v2/users/:id',
      act(request) {
        const user = found(users.get(String(request.params.id)))
        return hal(presentUser(request, found(here(user) ? user : undefined)))
      },
    },
    {
      method: 'GET',
      path: '/v2/teams',
      query: pageQuery,
      act: (request) => halPage(request, 'teams', teams.list(), size, present(request, presentTeam)),
    },
    {
      method: 'GET',
      path: '/v2/teams/:id/members',
      query: pageQuery,
      act(request) {
        const { members } = found(teams.get(String(request.params.id)))
        const list = users.list((user) => here(user) && members.includes(Number(user.id)))
        return halPage(request, 'users', list, size, present(request, presentUser))
      },
    },
    {
      method: 'GET',
      path: '/v2/tags',
      query: pageQuery,
      act: (request) =>
        halPage(request, 'tags', tags.list(), size, (tag) => ({
          id: Number(tag.id),
          name: tag.name,
          slug: tag.name.replace(/[^\p{L}\p{N}]+/gu, '-'),
          color: colorOf(tag.id),
          createdAt: tag.createdAt,
          updatedAt: tag.createdAt,
          ticketCount: conversations.list((one) => one.tags.includes(tag.name)).length,
        })),
    },
  ]
}
