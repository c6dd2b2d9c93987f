import type { OutgoingRecord, WriteOutcome } from '../../contract/contract.ts'
import { memberSide } from './member-sides.ts'
import { numberOf, userIdOf } from './native-issue.ts'
import { take, unwrap } from './schema.ts'
import type { Vocabulary } from './vocabulary.ts'
import { noProject, openProjectOf, removeListed } from './write-project-lists.ts'
import { type EntityWriter, field, found, options, refuse, refuseSent, type Writing, written } from './writing.ts'

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
      const given = await api.find(`/memberships/${destinationId}.json`, 'membership')
      if (given === null) return []
      const { id, project, user, roles = [] } = take('membership', given)
      const roleIds = [...new Set(roles.map((role) => role.id))].sort((a, b) => a - b)
      return [found(key, String(id), null, null, { project: project?.id, user: user?.id, roles: roleIds })]
    })
    return (await Promise.all(read)).flat()
  },

  remove: (writing, call, record) => removeListed(writing, call, 'memberships', 'membership', record),
}

async function addMember(
  { api, directory, sides }: Writing,
  { key, destinationId }: OutgoingRecord,
  projectId: number,
  userId: number,
  roleIds: number[],
): Promise<WriteOutcome> {
  const url = `${api.base}/projects/${projectId}/settings/members`
  const put = (id: number | string, role_ids: number[]) =>
    api.send('PUT', `/memberships/${id}.json`, { membership: { role_ids } })
  if (destinationId !== null) {
    const sent = await put(destinationId, roleIds)
    return sent.isTaken ? written(key, destinationId, url) : refuseSent(key, sent)
  }
  const membership = { user_id: userId, role_ids: roleIds }
  const sent = await api.send('POST', `/projects/${projectId}/memberships.json`, { membership })
  if (sent.isTaken) return written(key, String(take('membership', unwrap(sent.json, 'membership')).id), url)
  const listed = await api.listAll(`/projects/${projectId}/memberships.json`, 'memberships')
  const existing = listed.map((item) => take('membership', item)).find(({ user }) => user?.id === userId)
  if (!existing) return refuseSent(key, sent)
  const before = (existing.roles ?? []).map(({ id }) => id)
  // With that role alone it is we who made them a member, along with the project or for an issue.
  const isOurs = before.length === 1 && before[0] === (await directory.leastRole())
  const changed = await put(existing.id, isOurs ? roleIds : [...new Set([...before, ...roleIds])])
  if (!changed.isTaken) return refuseSent(key, changed)
  if (isOurs) {
    await sides?.forget(memberSide(projectId, userId, 0))
    return written(key, String(existing.id), url)
  }
  return { key, result: 'matched', destinationId: String(existing.id), url }
}
