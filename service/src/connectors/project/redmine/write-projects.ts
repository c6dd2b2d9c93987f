import type { FoundRecord, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { hashKey } from './markers.ts'
import { textOf, userIdOf } from './native-issue.ts'
import {
  modules,
  type NativeProject,
  projectVersion,
  readNativeProject,
  readProject,
  toNativeProject,
} from './native-project.ts'
import { removeProject } from './remove-project.ts'
import type { Raw } from './schema.ts'
import { customTaken, sendCustom, storedCustom } from './write-custom-fields.ts'
import { type EntityWriter, field, found, type Job, refuse, refuseSent, type Writing, written } from './writing.ts'

/**
 * The identifier ends with a hash of our key, so that it is unique and can be found. Its first part is readable,
 * because people see it in every address.
 */
export function toIdentifier(key: string, name: string): string {
  const readable = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${readable || 'project'}-${endingOf(key)}`
}

const endingOf = (key: string): string => hashKey(key).slice(0, 12)

const urlOf = ({ api }: Writing, { identifier, id }: Raw<'project'>) => `${api.base}/projects/${identifier ?? id}`

export const writeProjects: EntityWriter = {
  describe(vocabulary, family) {
    const customFields = customTaken(vocabulary, 'project')
    const name = field('text', { required: true, maxLength: 255 })
    if (family === 'helpdesk') {
      return { customFields, fields: { name, description: field('long_text'), agents: field('user', { many: true }) } }
    }
    return {
      customFields,
      // Issues can use versions that a parent project shares, so the parent must be set before issues are written.
      fixedRelations: ['parent_project'],
      fields: {
        key: field('text'),
        name,
        description: field('rich_text'),
        status: field('option', { options: ['active', 'closed'] }),
        is_public: field('boolean'),
        parent_project: field('relation'),
        members: field('user', { many: true }),
        homepage: field('url', { maxLength: 255 }),
      },
    }
  },

  stored: ({ fields }) => ({ ...toNativeProject(fields) }),

  async write(job) {
    const { record, directory, locks } = job
    const native = toNativeProject(record.fields)
    if (native.parent !== undefined && !(await locks.openProject(native.parent))) {
      return refuse(job, 'gone', 'The project above it is no longer in Redmine.')
    }
    const { destinationId } = record
    const outcome = await (destinationId === null
      ? createProject(job, native)
      : updateProject(job, native, destinationId))
    if (outcome.result !== 'written') return outcome
    const projectId = Number(outcome.destinationId)
    directory.forget(projectId)
    for (const user of [record.fields.members ?? record.fields.agents].flat()) {
      const userId = userIdOf(user)
      if (userId !== undefined) await directory.ensureMember(userId, projectId)
    }
    await locks.setProject(projectId, native.isClosed)
    return outcome
  },

  async find(call, records) {
    const all: FoundRecord[] = []
    for (const record of records) {
      for (const id of await idsOf(call, record)) {
        const raw = await readProject(call, id)
        if (!raw) continue
        const custom = storedCustom(call, 'project', raw)
        const version = projectVersion(raw, custom)
        all.push(found(record.key, String(raw.id), urlOf(call, raw), version, readNativeProject(raw), custom))
      }
    }
    return all
  },

  remove: removeProject,
}

function attributesOf(job: Job, { name, description, homepage, isPublic, parent }: NativeProject) {
  return {
    name,
    description,
    homepage,
    is_public: isPublic,
    ...(parent === undefined ? {} : { parent_id: parent }),
    custom_fields: sendCustom(job, 'project'),
  }
}

async function createProject(job: Job, native: NativeProject): Promise<WriteOutcome> {
  const { api, vocabulary, record } = job
  const issueFields = vocabulary.fields.filter(({ customized }) => customized === 'issue')
  const sent = await api.make('project', {
    ...attributesOf(job, native),
    identifier: toIdentifier(record.key, textOf(record.fields.key) || native.name),
    inherit_members: false,
    enabled_module_names: modules,
    tracker_ids: vocabulary.trackers.map(({ id }) => id),
    issue_custom_field_ids: issueFields.map(({ id }) => id),
  })
  if (sent.isTaken) return outcomeOf(job, sent.made)
  // Only we use our keys, so this project is ours, written before a crash.
  const [ours] = await idsOf(job, record)
  return ours === undefined ? refuseSent(job, sent) : updateProject(job, native, String(ours))
}

async function updateProject(given: Job, native: NativeProject, destinationId: string): Promise<WriteOutcome> {
  const job = { ...given, record: { ...given.record, destinationId } }
  await job.locks.openProject(Number(destinationId))
  const sent = await job.api.change('project', destinationId, attributesOf(job, native))
  if (!sent.isTaken) return refuseSent(job, sent)
  const now = await job.api.one('project', destinationId)
  if (now === null) return refuse(job, 'gone', 'It was deleted in Redmine since it was imported.')
  return outcomeOf(job, now)
}

const outcomeOf = (job: Job, raw: Raw<'project'>): WriteOutcome =>
  written(job, raw.id, urlOf(job, raw), projectVersion(raw, storedCustom(job, 'project', raw)))

async function idsOf(
  { directory }: Writing,
  { key, destinationId }: Pick<SoughtRecord, 'key' | 'destinationId'>,
): Promise<number[]> {
  const ending = `-${endingOf(key)}`
  directory.forget()
  const marked = (await directory.projects()).filter(({ identifier }) => identifier?.endsWith(ending))
  const ids = new Set(marked.map(({ id }) => id))
  if (destinationId !== null) ids.add(Number(destinationId))
  return [...ids]
}
