import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Agent, duplicate, found, type Group, idOf, invalid, missing } from './account.ts'
import { byName, made, sendList } from './lists.ts'
import { shapes } from './shapes.ts'

/** Only a single agent has groups, no list. */
function presentAgent(account: Account, agent: Agent, isWhole = true) {
  const { id, occasional, signature, ticket_scope, type, created_at, updated_at } = agent
  const groups = account.groups.list(({ agent_ids }) => agent_ids.includes(idOf(agent))).map(idOf)
  return {
    id: Number(id),
    available: true,
    available_since: null,
    occasional,
    signature,
    ticket_scope,
    type,
    focus_mode: true,
    ...(isWhole && { group_ids: groups, role_ids: [agent.isAdmin ? 1 : 2], skill_ids: [] }),
    created_at,
    updated_at,
    contact: {
      active: true,
      email: agent.email,
      job_title: null,
      language: agent.language,
      last_login_at: null,
      mobile: null,
      name: agent.name,
      phone: null,
      time_zone: agent.time_zone,
      created_at,
      updated_at,
    },
  }
}

/** Only a single group has members, no list. */
function presentGroup(group: Group, isWhole = true) {
  const { agent_ids, ...kept } = group
  return { ...kept, id: idOf(group), business_hour_id: null, ...(isWhole && { agent_ids }) }
}

function checkGroup(account: Account, { name, agent_ids = [] }: Partial<Group>, self?: Group): void {
  if (name !== undefined && !name.trim()) missing('name')
  const isTaken = ({ id, name: other }: Group) => id !== self?.id && other.toLowerCase() === name?.trim().toLowerCase()
  if (account.groups.list(isTaken).length > 0) duplicate('name')
  const strange = agent_ids.filter((id) => !account.agents.get(String(id)))
  if (strange.length > 0) invalid('agent_ids', `There are no agents matching these ids: ${strange.join(', ')}`)
}

export function saveGroup(account: Account, body: Partial<Group>): Group {
  if (body.name === undefined) missing('name')
  checkGroup(account, body)
  return account.groups.put({
    id: account.nextId(),
    description: null,
    agent_ids: [],
    escalate_to: null,
    unassigned_for: '30m',
    auto_ticket_assign: 0,
    ...body,
    name: String(body.name).trim(),
    ...account.times(),
  })
}

export function staffOperations(account: Account, meOf: (headers: object) => Agent): Operation[] {
  const { agents, groups, tickets } = account
  const find = (id: string | undefined) => found(groups.get(String(id)))
  return [
    { ...shapes.me, act: ({ headers }) => answer(200, presentAgent(account, meOf(headers))) },
    {
      ...shapes.agents,
      act(request) {
        const [email, state] = [request.query.get('email'), request.query.get('state')]
        const wanted = agents.list(
          (agent) =>
            (email === null || agent.email === email.toLowerCase()) &&
            (state === null || agent.occasional === (state === 'occasional')),
        )
        return sendList(request, byName(wanted), (agent) => presentAgent(account, agent, false))
      },
    },
    { ...shapes.agent, act: ({ params }) => answer(200, presentAgent(account, found(agents.get(String(params.id))))) },
    {
      ...shapes.settings,
      act() {
        const { primary, others } = account.languages
        return answer(200, { primary_language: primary, supported_languages: others, portal_languages: others })
      },
    },
    { ...shapes.products, act: (request) => sendList(request, account.products, (one) => one) },
    { ...shapes.mailboxes, act: (request) => sendList(request, account.mailboxes, (one) => one) },
    {
      ...shapes.groups,
      act: (request) => sendList(request, byName(groups.list()), (group) => presentGroup(group, false)),
    },
    { ...shapes.group, act: ({ params }) => answer(200, presentGroup(find(params.id))) },
    {
      ...shapes.makeGroup,
      act({ json }) {
        const group = saveGroup(account, json)
        return made(account, 'groups', group.id, presentGroup(group))
      },
    },
    {
      ...shapes.changeGroup,
      act({ params, json }) {
        const group = find(params.id)
        checkGroup(account, json, group)
        return answer(200, presentGroup(found(groups.change(group.id, { ...json, updated_at: account.now() }))))
      },
    },
    {
      ...shapes.removeGroup,
      // Members stay, tickets lose their group, and the group cannot be restored.
      act({ params }) {
        const group = find(params.id)
        groups.remove(group.id)
        for (const { id } of tickets.list(({ group_id }) => group_id === idOf(group)))
          tickets.change(id, { group_id: null })
        return answer(204)
      },
    },
  ]
}
