import { answer, type TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, blank, found, type Group, idOf, invalid, type Membership } from './account.ts'
import { sendCount, sendList } from './lists.ts'
import { shapes } from './shapes.ts'

export const presentGroup = (account: Account, one: Group) => ({
  ...one,
  id: idOf(one),
  url: account.address(`groups/${one.id}.json`),
  deleted: false,
})

export function groupOperations(account: Account): Operation[] {
  const { groups, groupMemberships: memberships, users, nextId, now } = account
  const present = (one: Group) => presentGroup(account, one)
  const find = ({ params }: TwinRequest) => found(groups.get(String(params.id)))
  const save = (body: Partial<Group>, known?: Group): Group => {
    if (body.name?.trim() === '' || (!known && !body.name)) blank('name', 'Name')
    const before = known ?? { description: '', is_public: true, default: false, created_at: now() }
    const said = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    return groups.put({ name: '', ...before, ...said, id: known?.id ?? nextId(), updated_at: now() })
  }
  const presentMembership = ({ of_id, ...one }: Membership) => ({
    ...one,
    id: idOf(one),
    group_id: of_id,
    url: account.address(`group_memberships/${one.id}.json`),
  })
  const listing = { name: 'group_memberships', present: presentMembership }
  return [
    { ...shapes.groups, act: (request) => sendList(request, groups.list(), { name: 'groups', present }) },
    { ...shapes.groupsCount, act: () => sendCount(now(), groups.size()) },
    { ...shapes.group, act: (request) => answer(200, { group: present(find(request)) }) },
    { ...shapes.makeGroup, act: ({ json }) => answer(201, { group: present(save(json.group)) }) },
    {
      ...shapes.changeGroup,
      act: (request) => answer(200, { group: present(save(request.json.group, find(request))) }),
    },
    {
      ...shapes.removeGroup,
      act(request) {
        const one = find(request)
        if (one.default) invalid('base', 'The default group cannot be deleted')
        groups.remove(one.id)
        for (const { id } of memberships.list(({ of_id }) => of_id === idOf(one))) memberships.remove(id)
        for (const { id } of account.tickets.list(({ group_id }) => group_id === idOf(one)))
          account.tickets.change(id, { group_id: null, assignee_id: null })
        return answer(204)
      },
    },
    { ...shapes.groupMemberships, act: (request) => sendList(request, memberships.list(), listing) },
    {
      ...shapes.membershipsOfGroup,
      act(request) {
        const group = idOf(find(request))
        return sendList(
          request,
          memberships.list(({ of_id }) => of_id === group),
          listing,
        )
      },
    },
    {
      ...shapes.makeGroupMembership,
      act({ json }) {
        const { user_id, group_id } = json.group_membership
        const user = users.get(String(user_id))
        if (!user || user.role === 'end-user') invalid('user', 'User: must be an agent')
        if (!groups.get(String(group_id))) invalid('group', 'Group: is invalid')
        const ofUser = memberships.list((one) => one.user_id === user_id)
        if (ofUser.some(({ of_id }) => of_id === group_id))
          invalid('user_id', 'User: has already been taken', 'DuplicateValue')
        const isFirst = ofUser.length === 0
        if (isFirst) users.change(user.id, { default_group_id: group_id })
        const times = { created_at: now(), updated_at: now() }
        const made = memberships.put({ id: nextId(), user_id, of_id: group_id, default: isFirst, ...times })
        return answer(201, { group_membership: presentMembership(made) })
      },
    },
    {
      ...shapes.removeGroupMembership,
      act({ params }) {
        memberships.remove(found(memberships.get(String(params.id))).id)
        return answer(204)
      },
    },
  ]
}
