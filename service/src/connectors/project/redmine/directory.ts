import type { Family } from '../../../families/index.ts'
import type { SideOutcome, SideRecord, SideRecords } from '../../contract/contract.ts'
import { once, onceEach } from '../../kit/once.ts'
import { removeSide } from '../../kit/remove-side.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import type { RedmineApi } from './api.ts'
import { type Raw, take } from './schema.ts'
import { readVocabulary } from './vocabulary.ts'
import type { Call } from './writing.ts'

/** Redmine's number for a closed project. Open and closed projects are visible; the API hides archived ones. */
export const closedProject = 5
const visible = { status: `1|${closedProject}`, include: 'enabled_modules' }
/** Redmine's role for signed-in users who are no members of a public project. */
const nonMember = 1

export type Directory = ReturnType<typeof createDirectory>

/** Facts about one instance that many requests need. Each is requested once while the account is open. */
export function createDirectory(api: RedmineApi, family: Family, sides?: SideRecords) {
  let usersReadAt = 0
  const strangers = new Set<number>()
  const readUsers = async () => {
    // A request for a single user would make Redmine create an API key for them, which nobody could remove. The list
    // lacks groups, the anonymous user and deleted users.
    usersReadAt = performance.now()
    const listed = await sideBySide(statuses, 1, async (status) =>
      (await api.all('user', { status, sort: 'created_on,login' })).map((user) => ({ ...user, status })),
    )
    return new Map(listed.flat().map((user): [number, Raw<'user'>] => [user.id, user]))
  }
  const users = once(readUsers)
  const vocabulary = once(() => readVocabulary(api, family))
  const projects = once(async () => (await api.all('project', visible)).sort((a, b) => a.id - b.id))
  const role = onceEach(async (id: number) => take('role', await api.find(`/roles/${id}.json`, 'role')))
  /** The role ids of each member, by user id. */
  const members = onceEach(async (projectId: number) => {
    const memberships = await api.all('membership', {}, `/projects/${projectId}`)
    return new Map(memberships.flatMap(({ user, roles = [] }) => (user ? [[user.id, roles.map(({ id }) => id)]] : [])))
  })
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
    members,
    /** All visible projects, sorted by id. */
    projects,
    /** Null for groups, the anonymous user and deleted users. */
    async user(id: number): Promise<Raw<'user'> | null> {
      const user = (await users()).get(id)
      if (user || strangers.has(id)) return user ?? null
      if (performance.now() - usersReadAt > staleMs) users.forget()
      const again = (await users()).get(id)
      if (!again) strangers.add(id)
      return again ?? null
    },
    /** Called after a user was created or changed. */
    async learn(user: Raw<'user'>): Promise<void> {
      strangers.delete(user.id)
      const known = usersReadAt === 0 ? null : await users().catch(() => null)
      known?.set(user.id, { ...known.get(user.id), ...user })
    },
    versionName: onceEach(async (id: string) =>
      /^\d+$/.test(id) ? ((await api.one('version', id))?.name ?? null) : null,
    ),

    /** Whether an active user has all these permissions in a project. */
    async may(user: Raw<'user'>, projectId: number, permissions: readonly string[]): Promise<boolean> {
      if (user.status !== 1) return false
      if (user.admin) return true
      const own = (await members(projectId)).get(user.id)
      const isPublic = !own && (await projects()).some(({ id, is_public }) => id === projectId && is_public)
      const roleIds = own ?? (isPublic ? [nonMember] : [])
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
      if (sent.result === 'done') known.set(userId, [least])
      else await sides?.forget(side)
    },

    /** Called after a project or its members changed. */
    forget(projectId?: number): void {
      projects.forget()
      if (projectId !== undefined) members.forget(projectId)
    },
  }
}

/** If a module is off, Redmine answers 403 to requests for its records, as if the account had lost its rights. */
export const hasModule = ({ enabled_modules }: Raw<'project'>, name: string): boolean =>
  enabled_modules === undefined || enabled_modules.some((module) => module.name === name)

/** Redmine's list of users has no status, so each status is requested: active, registered, locked. */
export const statuses = [1, 2, 3]
export const locked = 3
/** The list is read again after this time if it lacks a user. */
const staleMs = 30_000

// We make people members of a project so that issues and time entries can be theirs.

export const memberKind = 'project_members'

/** A person is a member of a project once, so project and user identify the membership. */
export const memberSide = (projectId: number, userId: number, roleId: number): SideRecord => ({
  kind: memberKind,
  mark: `${projectId}/${userId}`,
  destinationId: null,
  version: String(roleId),
})

/** Removes a membership that is still as we made it and that no record in the project needs. */
export async function removeMember({ api, locks }: Call, side: SideRecord, isForced: boolean): Promise<SideOutcome> {
  const [projectId = 0, userId = 0] = side.mark.split('/').map(Number)
  const isThere = await locks.openProject(projectId)
  const listed = isThere ? await api.all('membership', {}, `/projects/${projectId}`) : []
  const member = listed.find(({ user }) => user?.id === userId) ?? null
  const findNeed = async (found: Raw<'membership'>) => {
    if (!isForced && rolesOf(found) !== side.version) return 'People have given this member other roles.'
    const within = { project_id: projectId, subproject_id: '!*' }
    const assigned = await api.count('issue', { ...within, status_id: '*', assigned_to_id: userId })
    if (assigned !== 0) return 'Issues of the project are assigned to this person.'
    const booked = await api.count('time_entry', { ...within, user_id: userId })
    return booked === 0 ? null : 'This person has booked time in the project.'
  }
  const remove = (id: string) => api.remove('membership', id)
  const url = `${api.base}/projects/${projectId}/settings/members`
  const complain = (code: string) => `Redmine keeps a membership: ${code}`
  return removeSide(side, member, member && (await findNeed(member)), remove, complain, url)
}

export const rolesOf = ({ roles = [] }: Raw<'membership'>): string => roles.map(({ id }) => id).join()
