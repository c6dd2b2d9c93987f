import { familyFields } from '../../kit/family-fields.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { taken } from './api.ts'
import { memberSide } from './member-sides.ts'
import { numberOf, userIdOf } from './native-issue.ts'
import type { Vocabulary } from './vocabulary.ts'
import { openProjectOf, removeListed } from './write-project-lists.ts'
import type { EntityWriter, Fields } from './writing.ts'
import * as write from './writing.ts'

const rolesOf = (fields: Fields, { roles }: Vocabulary): number[] => {
  const wanted = Array.isArray(fields.roles) ? fields.roles : []
  return roles.filter(({ option }) => wanted.includes(option)).map(({ id }) => id)
}

const sorted = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** A person is a member of a project once. An existing member gets the roles in addition. */
export const writeMemberships: EntityWriter = {
  describe: ({ roles }) => ({
    fields: familyFields('project', 'memberships', [], { roles: write.optionsOf(roles) }),
    unites: { kind: 'member', by: ['user', 'project'] },
  }),

  stored: (fields, { vocabulary }) => ({
    project: numberOf(fields.project),
    user: userIdOf(fields.user),
    roles: sorted(rolesOf(fields, vocabulary)),
  }),

  async write(job) {
    const { api, record, vocabulary, directory, sides } = job
    const projectId = await openProjectOf(job)
    const userId = userIdOf(record.fields.user)
    if (userId === undefined) throw new RefusedError('user_missing', 'There is no such person in Redmine.')
    const roleIds = rolesOf(record.fields, vocabulary)
    directory.forget(projectId)
    if (roleIds.length === 0) {
      throw new RefusedError('role_missing', 'Redmine has none of the roles that this member has.')
    }
    const under = `/projects/${projectId}`
    const url = `${api.base}${under}/settings/members`
    // The user of a membership cannot be changed.
    const person = record.destinationId === null ? { user_id: userId } : {}
    const sent = await api.save('membership', record.destinationId, { ...person, role_ids: roleIds }, under)
    const isRefused = !sent.isTaken && record.destinationId === null
    const existing = isRefused && (await api.all('membership', {}, under)).find(({ user }) => user?.id === userId)
    if (!existing) return write.written(job, taken(sent).id, url)
    const before = (existing.roles ?? []).map(({ id }) => id)
    // A member with only the least role was added by us, with the project or for an issue.
    const isOurs = before.length === 1 && before[0] === (await directory.leastRole())
    const role_ids = isOurs ? roleIds : [...new Set([...before, ...roleIds])]
    taken(await api.change('membership', existing.id, { role_ids }))
    if (isOurs) await sides?.forget(memberSide(projectId, userId, 0))
    return write.matched(job, existing.id, url, isOurs)
  },

  async find({ api }, { destinationId }) {
    const member = destinationId === null ? null : await api.one('membership', destinationId)
    if (member === null) return []
    const { id, project, user, roles = [] } = member
    const stored = { project: project?.id, user: user?.id, roles: sorted(roles.map((role) => role.id)) }
    return [write.found(id, null, null, stored)]
  },

  remove: (call, record) => removeListed(call, 'membership', record),
}
