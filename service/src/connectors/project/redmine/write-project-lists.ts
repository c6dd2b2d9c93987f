import type { RemovableRecord, RemoveOutcome, SoughtRecord } from '../../contract/contract.ts'
import { hasModule } from './directory.ts'
import { hashKey, markLine, markRoom, readMarked } from './markers.ts'
import { numberOf, plainText, textOf, userIdOf } from './native-issue.ts'
import type { Raw } from './schema.ts'
import { customTaken, sendCustom, storedCustom } from './write-custom-fields.ts'
import * as write from './writing.ts'
import { type Call, type EntityWriter, field, type Job, type Writing } from './writing.ts'

// Versions and categories of a project. Names are unique in each list, so an existing record of the same name is used.

export const noProject = (job: Job) =>
  write.refuse(job, 'gone', 'The project that it belongs to is no longer in Redmine.')

export async function openProjectOf({ locks, record }: Job): Promise<number | null> {
  const projectId = numberOf(record.fields.project)
  return projectId !== undefined && (await locks.openProject(projectId)) ? projectId : null
}

function toVersion(fields: Record<string, unknown>) {
  return {
    project: numberOf(fields.project),
    name: textOf(fields.name),
    description: plainText(fields.description),
    status: textOf(fields.status) || 'open',
    due: textOf(fields.due_on) || undefined,
    sharing: textOf(fields.sharing) || 'none',
  }
}

const readVersion = ({ project, name, status, due_date, sharing }: Raw<'version'>, description: string) => ({
  ...{ project: project?.id, name, description, status, due: due_date ?? undefined, sharing },
})

const versionUrl = ({ api }: Writing, id: number | string) => `${api.base}/versions/${id}`

const versionsOf = async ({ api }: Writing, projectId: number): Promise<Raw<'version'>[]> =>
  (await api.all('version', {}, `/projects/${projectId}`)).filter(({ project }) => project?.id === projectId)

/** A version keeps our key as a mark in its description, which is one line of at most 255 characters. */
export const writeMilestones: EntityWriter = {
  describe: (vocabulary) => ({
    customFields: customTaken(vocabulary, 'version'),
    fields: {
      project: field('relation', { required: true }),
      name: field('text', { required: true, maxLength: 60 }),
      description: field('long_text', { maxLength: 255 - markRoom }),
      status: field('option', { options: ['open', 'locked', 'closed'] }),
      due_on: field('date'),
      sharing: field('option', { options: ['none', 'descendants', 'hierarchy', 'tree', 'system'] }),
    },
    unites: { kind: 'version', by: ['name', 'project'], isExact: true },
  }),

  stored: ({ fields }) => toVersion(fields),

  async write(job) {
    const { api, record } = job
    const projectId = await openProjectOf(job)
    if (projectId === null) return noProject(job)
    const { name, description, status, due, sharing } = toVersion(record.fields)
    const version = {
      name,
      description: markLine(description, { hash: hashKey(record.key), isAuthorKept: false }, ''),
      status,
      sharing,
      due_date: due ?? '',
      custom_fields: sendCustom(job, 'version'),
    }
    const sent = await api.save('version', record.destinationId, version, `/projects/${projectId}`)
    const isRefused = !sent.isTaken && record.destinationId === null
    const same = isRefused && (await versionsOf(job, projectId)).find((one) => one.name === name)
    if (!same) return write.saved(job, sent, (id) => versionUrl(job, id))
    const isOurs = readMarked(same.description, 'line').mark?.hash === hashKey(record.key)
    return write.matched(job, same.id, versionUrl(job, same.id), isOurs)
  },

  async find(writing, records) {
    const sought = await Promise.all(
      records.map(async (record) => ({ record, versions: await candidates(writing, record) })),
    )
    return sought.flatMap(({ record: { key, destinationId }, versions }) =>
      versions.flatMap((raw) => {
        const { text, mark } = readMarked(raw.description, 'line')
        if (String(raw.id) !== destinationId && mark?.hash !== hashKey(key)) return []
        const custom = storedCustom(writing, 'version', raw)
        return [write.found(key, String(raw.id), versionUrl(writing, raw.id), null, readVersion(raw, text), custom)]
      }),
    )
  },

  remove: (call, record) => removeListed(call, 'version', record),
}

async function candidates(writing: Writing, { destinationId, parent }: SoughtRecord): Promise<Raw<'version'>[]> {
  const { api, directory } = writing
  if (destinationId !== null) return [(await api.one('version', destinationId)) ?? []].flat()
  if (parent) return versionsOf(writing, Number(parent.destinationId))
  const projects = (await directory.projects()).filter((project) => hasModule(project, 'issue_tracking'))
  return (await Promise.all(projects.map(({ id }) => versionsOf(writing, id)))).flat()
}

/** Removes a record of a project. A closed project is opened first. */
export async function removeListed(
  { api, locks }: Call,
  kind: 'version' | 'membership' | 'timeEntry',
  { key, destinationId }: RemovableRecord,
): Promise<RemoveOutcome> {
  const found = await api.one(kind, destinationId)
  if (found === null) return { key, result: 'missing' }
  if ('wiki_page_title' in found && found.wiki_page_title)
    return write.keep(key, 'Someone has given it a wiki page since.')
  if (found.project) await locks.openProject(found.project.id)
  return write.removed(key, await api.remove(kind, destinationId))
}

/**
 * A category has only its name, so a category found by name counts as existing before. Redmine hides the categories of
 * a closed project, so their ids have the form `project/id`.
 */
export const writeComponents: EntityWriter = {
  describe: () => ({
    customFields: [],
    fields: {
      project: field('relation', { required: true }),
      name: field('text', { required: true, maxLength: 60 }),
      owner: field('user'),
    },
    unites: { kind: 'category', by: ['name', 'project'], isExact: true },
  }),

  stored: ({ fields }) => ({
    project: numberOf(fields.project),
    name: textOf(fields.name),
    owner: userIdOf(fields.owner),
  }),

  async write(job) {
    const { api, record } = job
    const projectId = await openProjectOf(job)
    if (projectId === null) return noProject(job)
    const name = textOf(record.fields.name)
    const category = { name, assigned_to_id: userIdOf(record.fields.owner) ?? '' }
    const [url, under] = [`${api.base}/projects/${projectId}/settings/categories`, `/projects/${projectId}`]
    const id = record.destinationId
    const sent = await api.save('category', id && categoryId(id), category, under)
    if (sent.isTaken) return write.written(job, id ?? `${projectId}/${sent.id}`, url)
    const same = id === null && (await api.all('category', {}, under)).find((one) => one.name === name)
    return same ? write.matched(job, `${projectId}/${same.id}`, url) : write.refuseSent(job, sent)
  },

  async find(call, records) {
    const categories = []
    for (const { key, destinationId } of records) {
      const raw = destinationId === null ? null : await findCategory(call, destinationId)
      if (raw === null || destinationId === null) continue
      const stored = { project: raw.project?.id, name: raw.name, owner: raw.assigned_to?.id }
      categories.push(write.found(key, destinationId, null, null, stored))
    }
    return categories
  },

  async remove(call, { key, destinationId }) {
    if ((await findCategory(call, destinationId)) === null) return { key, result: 'missing' }
    const [project_id = '', category_id = ''] = destinationId.split('/')
    const query = { project_id, category_id, subproject_id: '!*', status_id: '*' }
    if ((await call.api.count('issue', query)) !== 0) return write.keep(key, 'There are issues of this category.')
    return write.removed(key, await call.api.remove('category', category_id))
  },
}

const categoryId = (destinationId: string) => String(destinationId.split('/')[1])

async function findCategory({ api, locks }: Call, destinationId: string): Promise<Raw<'category'> | null> {
  if (!(await locks.openProject(Number(destinationId.split('/')[0])))) return null
  return await api.one('category', categoryId(destinationId))
}
