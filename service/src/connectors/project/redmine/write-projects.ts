import type { WriteLoss } from '../../../warnings/codes.ts'
import type { FoundRecord, OutgoingRecord, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
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
import { type Call, type EntityWriter, field, found, refuse, refuseSent, type Writing, written } from './writing.ts'

/** Our key makes it unique and lets it be found again; what comes before is for people, who see it in every address. */
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
      // Issues take versions that a project above shares, so it has to stand above before there are issues.
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

  async write(writing, call, record) {
    const native = toNativeProject(record.fields)
    if (native.parent !== undefined && !(await call.locks.openProject(native.parent))) {
      return refuse(record.key, 'gone', 'The project above it is no longer in Redmine.')
    }
    const outcome = await (record.destinationId === null
      ? createProject(writing, call, record, native)
      : updateProject(writing, call, record, native))
    if (outcome.result !== 'written') return outcome
    const projectId = Number(outcome.destinationId)
    writing.directory.forget(projectId)
    for (const user of [record.fields.members ?? record.fields.agents].flat()) {
      const userId = userIdOf(user)
      if (userId !== undefined) await writing.directory.ensureMember(userId, projectId)
    }
    await call.locks.setProject(projectId, native.isClosed)
    return outcome
  },

  async find(writing, _call, records) {
    const found: FoundRecord[] = []
    for (const record of records) {
      for (const id of await idsOf(writing, record)) found.push(...(await findProject(writing, record.key, id)))
    }
    return found
  },

  remove: removeProject,
}

function attributesOf(writing: Writing, record: OutgoingRecord, native: NativeProject, losses: WriteLoss[]) {
  const { name, description, homepage, isPublic, parent } = native
  return {
    ...{ name, description, homepage, is_public: isPublic },
    ...(parent === undefined ? {} : { parent_id: parent }),
    custom_fields: sendCustom(writing, 'project', record, losses),
  }
}

async function createProject(
  writing: Writing,
  call: Call,
  record: OutgoingRecord,
  native: NativeProject,
): Promise<WriteOutcome> {
  const { vocabulary } = writing
  const losses: WriteLoss[] = []
  const issueFields = vocabulary.fields.filter(({ customized }) => customized === 'issue')
  const project = {
    ...attributesOf(writing, record, native, losses),
    identifier: toIdentifier(record.key, textOf(record.fields.key) || native.name),
    inherit_members: false,
    enabled_module_names: modules,
    tracker_ids: vocabulary.trackers.map(({ id }) => id),
    issue_custom_field_ids: issueFields.map(({ id }) => id),
  }
  const sent = await writing.api.make('project', project)
  if (sent.isTaken) return outcomeOf(writing, record.key, sent.made, losses)
  // Nobody else has our key: it is ours, from before a crash.
  const [ours] = await idsOf(writing, record)
  if (ours === undefined) return refuseSent(record.key, sent)
  return updateProject(writing, call, { ...record, destinationId: String(ours) }, native)
}

async function updateProject(
  writing: Writing,
  call: Call,
  record: OutgoingRecord,
  native: NativeProject,
): Promise<WriteOutcome> {
  const id = String(record.destinationId)
  const losses: WriteLoss[] = []
  await call.locks.openProject(Number(id))
  const sent = await writing.api.change('project', id, attributesOf(writing, record, native, losses))
  if (!sent.isTaken) return refuseSent(record.key, sent)
  const now = await writing.api.one('project', id)
  if (now === null) return refuse(record.key, 'gone', 'It was deleted in Redmine since it was imported.')
  return outcomeOf(writing, record.key, now, losses)
}

function outcomeOf(writing: Writing, key: string, raw: Raw<'project'>, losses: WriteLoss[]): WriteOutcome {
  const version = projectVersion(raw, storedCustom(writing, 'project', raw))
  return written(key, String(raw.id), urlOf(writing, raw), version, losses)
}

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

async function findProject(writing: Writing, key: string, id: number): Promise<FoundRecord[]> {
  const raw = await readProject(writing, id)
  if (!raw) return []
  const custom = storedCustom(writing, 'project', raw)
  return [found(key, String(raw.id), urlOf(writing, raw), projectVersion(raw, custom), readNativeProject(raw), custom)]
}
