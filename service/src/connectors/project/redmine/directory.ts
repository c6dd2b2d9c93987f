import type { Family } from '../../../families/index.ts'
import type { SideRecords } from '../../contract/contract.ts'
import { once, onceEach } from '../../kit/once.ts'
import type { RedmineApi } from './api.ts'
import { memberSide } from './member-sides.ts'
import { createPeople } from './people.ts'
import { type Raw, take } from './schema.ts'
import { readVocabulary } from './vocabulary.ts'

/** Redmine's number for a closed project. Open and closed projects are visible; the API hides archived ones. */
export const closedProject = 5
const visible = { status: `1|${closedProject}`, include: 'enabled_modules' }
/** Redmine's role for signed-in users who are no members of a public project. */
const nonMember = 1

export type Directory = ReturnType<typeof createDirectory>

/** Facts about one instance that many requests need. Each is requested once while the account is open. */
export function createDirectory(api: RedmineApi, family: Family, sides?: SideRecords) {
  const people = createPeople(api)
  const vocabulary = once(() => readVocabulary(api, family))
  const readProjects = async () => (await api.all('project', visible)).sort((a, b) => a.id - b.id)
  let projects = once(readProjects)
  const role = onceEach(async (id: number) => take('role', await api.find(`/roles/${id}.json`, 'role')))
  const members = onceEach(async (projectId: number) => {
    const memberships = await api.all('membership', {}, `/projects/${projectId}`)
    return new Map(memberships.flatMap(({ user, roles = [] }) => (user ? [[user.id, roles.map(({ id }) => id)]] : [])))
  })
  const rolesOfStrangers = async (projectId: number): Promise<number[]> =>
    (await projects()).find(({ id }) => id === projectId)?.is_public ? [nonMember] : []

  /** Among the roles whose members can be assigned to issues, the one with the fewest rights. */
  const leastRole = async (): Promise<number | null> => {
    const listed = await Promise.all((await vocabulary()).roles.map(({ id }) => role(id)))
    const [least] = listed
      .filter(({ assignable, permissions = [] }) => assignable && permissions.includes('view_issues'))
      .sort((a, b) => (a.permissions?.length ?? 0) - (b.permissions?.length ?? 0))
    return least?.id ?? null
  }

  return {
    vocabulary,
    role,
    leastRole,
    /** The role ids of each member, by user id. */
    members: (projectId: number): Promise<Map<number, number[]>> => members(projectId),
    /** All visible projects, sorted by id. */
    projects: () => projects(),
    /** Null for groups, the anonymous user and deleted users. */
    user: people.find,
    /** Called after a user was created. */
    learn: people.learn,
    versionName: onceEach(async (id: string) =>
      /^\d+$/.test(id) ? ((await api.one('version', id))?.name ?? null) : null,
    ),

    /** Whether an active user has all these permissions in a project. */
    async may(user: Raw<'user'>, projectId: number, permissions: readonly string[]): Promise<boolean> {
      if (user.status !== 1) return false
      if (user.admin) return true
      const roleIds = (await members(projectId)).get(user.id) ?? (await rolesOfStrangers(projectId))
      const granted = await Promise.all(roleIds.map(role))
      return permissions.every((permission) => granted.some((one) => one.permissions?.includes(permission)))
    },

    /** Makes a user a member with the least role, so that issues can be assigned to them. */
    async ensureMember(userId: number, projectId: number): Promise<void> {
      const known = await members(projectId)
      const least = known.has(userId) ? null : await leastRole()
      if (least === null) return
      const side = memberSide(projectId, userId, least)
      await sides?.note(side)
      const membership = { user_id: userId, role_ids: [least] }
      const sent = await api.send('POST', `/projects/${projectId}/memberships.json`, { membership })
      if (sent.isTaken) known.set(userId, [least])
      else await sides?.forget(side)
    },

    /** Called after a project or its members changed. */
    forget(projectId?: number): void {
      projects = once(readProjects)
      if (projectId !== undefined) members.forget(projectId)
    },
  }
}

/**
 * If a module is switched off, Redmine answers 403 to requests for its records, as if the account had lost its rights.
 */
export const hasModule = ({ enabled_modules }: Raw<'project'>, name: string): boolean =>
  enabled_modules === undefined || enabled_modules.some((module) => module.name === name)
