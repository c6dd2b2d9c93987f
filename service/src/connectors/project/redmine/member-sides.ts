import { RetryableError } from '../../../errors.ts'
import type { SideOutcome, SideRecord, SideRecords } from '../../contract/contract.ts'
import type { RedmineApi } from './api.ts'
import type { Locks } from './locks.ts'
import type { Raw } from './schema.ts'

// We make people members of a project so that issues and time entries can be theirs.

const memberKind = 'project_members'

/** A person is a member of a project once, so project and user identify the membership. */
export const memberSide = (projectId: number, userId: number, roleId: number): SideRecord => ({
  kind: memberKind,
  mark: `${projectId}/${userId}`,
  destinationId: null,
  version: String(roleId),
})

export const sidesOf = async (sides: SideRecords | undefined): Promise<SideRecord[]> =>
  (await sides?.list(memberKind)) ?? []

/** Removes a membership that is still as we made it and that no record in the project needs. */
export async function removeMember(
  api: RedmineApi,
  locks: Locks,
  { kind, mark, version }: SideRecord,
  isForced: boolean,
): Promise<SideOutcome> {
  const [projectId = 0, userId = 0] = mark.split('/').map(Number)
  const removed: SideOutcome = { kind, mark, result: 'removed' }
  if (!(await locks.openProject(projectId))) return removed
  const listed = await api.all('membership', {}, `/projects/${projectId}`)
  const member = listed.find(({ user }) => user?.id === userId)
  if (!member) return removed
  const url = `${api.base}/projects/${projectId}/settings/members`
  const kept = { kind, mark, result: 'kept', destinationId: String(member.id), url } as const
  if (!isForced && rolesOf(member) !== version) {
    return { ...kept, message: 'People have given this member other roles.' }
  }
  const within = { project_id: projectId, subproject_id: '!*' }
  if ((await api.count('issue', { ...within, status_id: '*', assigned_to_id: userId })) !== 0) {
    return { ...kept, message: 'Issues of the project are assigned to this person.' }
  }
  if ((await api.count('time_entry', { ...within, user_id: userId })) !== 0) {
    return { ...kept, message: 'This person has booked time in the project.' }
  }
  const sent = await api.remove('membership', member.id)
  if (!sent.isTaken && sent.code !== 'gone') throw new RetryableError(`Redmine keeps a membership: ${sent.code}`)
  return removed
}

export const rolesOf = ({ roles = [] }: Raw<'membership'>): string => roles.map(({ id }) => id).join()
