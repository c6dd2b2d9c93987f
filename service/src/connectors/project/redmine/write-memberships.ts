import type { OutgoingRecord, WriteOutcome } from '../../contract/contract.ts'
import { memberSide } from './member-sides.ts'
import { numberOf, userIdOf } from './native-issue.ts'
import type { Vocabulary } from './vocabulary.ts'
import { noProject, openProjectOf, removeListed } from './write-project-lists.ts'
import * as write from './writing.ts'
import { type EntityWriter, field, options, refuse, saved, type Writing } from './writing.ts'

const rolesOf = (fields: Record<string, unknown>, { roles }: Vocabulary): number[] => {
  const wanted = Array.isArray(fields.roles) ? fields.roles : []
  return roles.filter(({ option }) => wanted.includes(option)).map(({ id }) => id)
}

/** A person is a member of a project once; someone who is already gets the roles besides. */
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

  async write(writing, call, record) {
    const projectId = await openProjectOf(call, record)
    if (projectId === null) return noProject(record.key)
    const userId = userIdOf(record.fields.user)
    if (userId === undefined) return refuse(record.key, 'user_missing', 'There is no such person in Redmine.')
    const roleIds = rolesOf(record.fields, writing.vocabulary)
    writing.directory.forget(projectId)
    if (roleIds.length === 0) {
      return refuse(record.key, 'role_missing', 'Redmine has none of the roles that this member has.')
    }
    return addMember(writing, record, projectId, userId, roleIds)
  },

  async find({ api }, _call, records) {
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

  remove: (writing, call, record) => removeListed(writing, call, 'membership', record),
}

async function addMember(
  { api, directory, sides }: Writing,
  { key, destinationId }: OutgoingRecord,
  projectId: number,
  userId: number,
  roleIds: number[],
): Promise<WriteOutcome> {
  const url = () => `${api.base}/projects/${projectId}/settings/members`
  const change = async (id: string, role_ids: number[]) => {
    const sent = await api.change('membership', id, { role_ids })
    return sent.isTaken ? { ...sent, id } : sent
  }
  if (destinationId !== null) return saved(key, await change(destinationId, roleIds), url)
  const under = `/projects/${projectId}`
  const sent = await api.save('membership', null, { user_id: userId, role_ids: roleIds }, under)
  if (sent.isTaken) return saved(key, sent, url)
  const existing = (await api.all('membership', {}, under)).find(({ user }) => user?.id === userId)
  if (!existing) return saved(key, sent, url)
  const before = (existing.roles ?? []).map(({ id }) => id)
  // With that role alone it is we who made them a member, along with the project or for an issue.
  const isOurs = before.length === 1 && before[0] === (await directory.leastRole())
  const changed = await change(String(existing.id), isOurs ? roleIds : [...new Set([...before, ...roleIds])])
  if (!changed.isTaken) return saved(key, changed, url)
  if (isOurs) await sides?.forget(memberSide(projectId, userId, 0))
  return (isOurs ? write.written : write.matched)(key, changed.id, url())
}
