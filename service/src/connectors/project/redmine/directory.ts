import type { Family } from '../../../families/index.ts'
import type { SideRecords } from '../../contract/contract.ts'
import { once } from '../../kit/once.ts'
import type { RedmineApi } from './api.ts'
import { memberSide } from './member-sides.ts'
import { createPeople } from './people.ts'
import { type Raw, take } from './schema.ts'
import { readVocabulary, type Vocabulary } from './vocabulary.ts'

/** Projects that people can still see: open ones and closed ones. Archived ones are hidden from the API altogether. */
export const closedProject = 5
const visibleStatuses = `1|${closedProject}`
/** The role of everybody who is signed in, in public projects. */
const nonMember = 1

/** What many requests need to know of one instance. Kept for as long as it is opened, so each is asked for once. */
export interface Directory {
  vocabulary(): Promise<Vocabulary>
  /** Sorted by id. */
  projects(): Promise<Raw<'project'>[]>
  /** Null for groups, the anonymous user and deleted users. */
  user(id: number): Promise<Raw<'user'> | null>
  /** A user was made. */
  learn(user: Raw<'user'>): void
  versionName(id: string): Promise<string | null>
  /** Role ids by user id. */
  members(projectId: number): Promise<Map<number, number[]>>
  role(id: number): Promise<Raw<'role'>>
  /** Whether an active user may do all of this in a project. */
  may(user: Raw<'user'>, projectId: number, permissions: readonly string[]): Promise<boolean>
  /** The role with the fewest rights of those whose members can be given issues. */
  leastRole(): Promise<number | null>
  /** Makes someone a member, with that role, so that issues can be theirs. */
  ensureMember(userId: number, projectId: number): Promise<void>
  /** A project was made or changed, or its members were. */
  forget(projectId?: number): void
}

export function createDirectory(api: RedmineApi, family: Family, sides?: SideRecords): Directory {
  const vocabulary = once(() => readVocabulary(api, family))
  const people = createPeople(api)
  const versions = new Map<string, Promise<string | null>>()
  const roles = new Map<number, Promise<Raw<'role'>>>()
  const members = new Map<number, Promise<Map<number, number[]>>>()
  let projects = once(() => readProjects(api))

  const directory: Directory = {
    vocabulary,
    projects: () => projects(),
    user: (id) => people.find(id),
    learn: (user) => people.learn(user),
    versionName: (id) =>
      kept(versions, id, async () => {
        const found = /^\d+$/.test(id) ? await api.find(`/versions/${id}.json`, 'version') : null
        return found === null ? null : (take('version', found).name ?? null)
      }),
    members: (projectId) => kept(members, projectId, () => readMembers(api, projectId)),
    role: (id) => kept(roles, id, async () => take('role', await api.find(`/roles/${id}.json`, 'role'))),

    async may(user, projectId, permissions) {
      if (user.status !== 1) return false
      if (user.admin) return true
      const roleIds = (await directory.members(projectId)).get(user.id) ?? (await rolesOfStrangers(projectId))
      const granted = await Promise.all(roleIds.map((id) => directory.role(id)))
      return permissions.every((permission) => granted.some((role) => role.permissions?.includes(permission)))
    },

    async leastRole() {
      const listed = await Promise.all((await vocabulary()).roles.map(({ id }) => directory.role(id)))
      const [least] = listed
        .filter(({ assignable, permissions = [] }) => assignable && permissions.includes('view_issues'))
        .sort((a, b) => (a.permissions?.length ?? 0) - (b.permissions?.length ?? 0))
      return least?.id ?? null
    },

    async ensureMember(userId, projectId) {
      const known = await directory.members(projectId)
      const least = known.has(userId) ? null : await directory.leastRole()
      if (least === null) return
      const membership = { user_id: userId, role_ids: [least] }
      const side = memberSide(projectId, userId, least)
      await sides?.note(side)
      const sent = await api.send('POST', `/projects/${projectId}/memberships.json`, { membership })
      if (sent.isTaken) known.set(userId, [least])
      else await sides?.forget(side)
    },

    forget(projectId) {
      projects = once(() => readProjects(api))
      if (projectId !== undefined) members.delete(projectId)
    },
  }

  async function rolesOfStrangers(projectId: number): Promise<number[]> {
    const project = (await projects()).find(({ id }) => id === projectId)
    return project?.is_public ? [nonMember] : []
  }
  return directory
}

async function readProjects(api: RedmineApi): Promise<Raw<'project'>[]> {
  const listed = await api.listAll('/projects.json', 'projects', {
    status: visibleStatuses,
    include: 'enabled_modules',
  })
  return listed.map((item) => take('project', item)).sort((a, b) => a.id - b.id)
}

async function readMembers(api: RedmineApi, projectId: number): Promise<Map<number, number[]>> {
  const listed = await api.listAll(`/projects/${projectId}/memberships.json`, 'memberships')
  const memberships = listed.map((item) => take('membership', item))
  return new Map(memberships.flatMap(({ user, roles = [] }) => (user ? [[user.id, roles.map(({ id }) => id)]] : [])))
}

/** A failed request is not kept: the next one asks again. */
function kept<K, V>(map: Map<K, Promise<V>>, key: K, read: () => Promise<V>): Promise<V> {
  const known = map.get(key)
  if (known) return known
  const reading = read()
  map.set(key, reading)
  reading.catch(() => map.delete(key))
  return reading
}

/** Asking for what belongs to a module that is switched off is a 403, as if the account had lost its rights. */
export const hasModule = ({ enabled_modules }: Raw<'project'>, name: string): boolean =>
  enabled_modules === undefined || enabled_modules.some((module) => module.name === name)
