import type { WriteOutcome } from '../../contract/contract.ts'
import { memberSide } from './member-sides.ts'
import { numberOf, userIdOf } from './native-issue.ts'
import type { Vocabulary } from './vocabulary.ts'
import { noProject, openProjectOf, removeListed } from './write-project-lists.ts'
import * as write from './writing.ts'
import { type EntityWriter, field, type Job, options } from './writing.ts'

const rolesOf = (fields: Record<string, unknown>, { roles }: Vocabulary): number[] => {
  const wanted = Array.isArray(fields.roles) ? fields.roles : []
  return roles.filter(({ option }) => wanted.includes(option)).map(({ id }) => id)
}

/** A person is a member of a project once. An existing member gets the roles in addition. */
export const writeMemberships: EntityWriter = {
  describe: ({ roles }) => ({
    customFields: [],
    fields: {
      project: field('relation', { required: true }),
      user: field('user', { required: true }),
      roles: options(roles, { many: true }),
    },
    unites: { kind: 'member', by: ['user', 'project'] },
  }),

  stored: ({ fields }, { vocabulary }) => ({
    project: numberOf(fields.project),
    user: userIdOf(fields.user),
    roles: rolesOf(fields, vocabulary).sort((a, b) => a - b),
  }),

  async write(job) {
    const { record, vocabulary, directory } = job
    const projectId = await openProjectOf(job)
    if (projectId === null) return noProject(job)
    const userId = userIdOf(record.fields.user)
    if (userId === undefined) return write.refuse(job, 'user_missing', 'There is no such person in Redmine.')
    const roleIds = rolesOf(record.fields, vocabulary)
    directory.forget(projectId)
    if (roleIds.length > 0) return addMember(job, projectId, userId, roleIds)
    return write.refuse(job, 'role_missing', 'Redmine has none of the roles that this member has.')
  },

  async find({ api }, records) {
    const known = records.filter(({ destinationId }) => destinationId !== null)
    const read = known.map(async ({ key, destinationId }) => {
      const member = await api.one('membership', String(destinationId))
      if (member === null) return []
      const { id, project, user, roles = [] } = member
      const roleIds = [...new Set(roles.map((role) => role.id))].sort((a, b) => a - b)
      return [write.found(key, String(id), null, null, { project: project?.id, user: user?.id, roles: roleIds })]
    })
    return (await Promise.all(read)).flat()
  },

  remove: (call, record) => removeListed(call, 'membership', record),
}

async function addMember(job: Job, projectId: number, userId: number, roleIds: number[]): Promise<WriteOutcome> {
  const { api, directory, sides, record } = job
  const url = () => `${api.base}/projects/${projectId}/settings/members`
  const under = `/projects/${projectId}`
  // The user of a membership cannot be changed.
  const person = record.destinationId === null ? { user_id: userId } : {}
  const sent = await api.save('membership', record.destinationId, { ...person, role_ids: roleIds }, under)
  const isRefused = !sent.isTaken && record.destinationId === null
  const existing = isRefused && (await api.all('membership', {}, under)).find(({ user }) => user?.id === userId)
  if (!existing) return write.saved(job, sent, url)
  const before = (existing.roles ?? []).map(({ id }) => id)
  // A member with only the least role was added by us, with the project or for an issue.
  const isOurs = before.length === 1 && before[0] === (await directory.leastRole())
  const role_ids = isOurs ? roleIds : [...new Set([...before, ...roleIds])]
  const changed = await api.change('membership', existing.id, { role_ids })
  if (!changed.isTaken) return write.refuseSent(job, changed)
  if (isOurs) await sides?.forget(memberSide(projectId, userId, 0))
  return write.matched(job, existing.id, url(), isOurs)
}
