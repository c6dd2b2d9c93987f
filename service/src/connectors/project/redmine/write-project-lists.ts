import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingRecord, SoughtRecord } from '../../contract/contract.ts'
import { toCustomField } from './custom-fields.ts'
import { hasModule } from './directory.ts'
import { hashKey, markLine, markRoom, readMarked } from './markers.ts'
import { numberOf, plainText, textOf, userIdOf } from './native-issue.ts'
import { type Raw, take, unwrap } from './schema.ts'
import { storedCustomValues, toCustomValues, writableFields } from './write-custom-fields.ts'
import {
  type Call,
  type EntityWriter,
  field,
  found,
  keep,
  refuse,
  refuseSent,
  removed,
  type Writing,
  written,
} from './writing.ts'

// What a project has a list of. Names are unique in it, so nothing is ever doubled: what was there is used.

export const noProject = (key: string) => refuse(key, 'gone', 'The project that it belongs to is no longer in Redmine.')

export async function openProjectOf({ locks }: Call, { fields }: OutgoingRecord): Promise<number | null> {
  const projectId = numberOf(fields.project)
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

const versionUrl = ({ api }: Writing, id: number | string) => `${api.base}/versions/${id}`

async function versionsOf({ api }: Writing, projectId: number): Promise<Raw<'version'>[]> {
  const listed = await api.listAll(`/projects/${projectId}/versions.json`, 'versions')
  return listed.map((item) => take('version', item)).filter(({ project }) => project?.id === projectId)
}

/** A version keeps our key as a mark in its description, which is one line of at most 255 characters. */
export const writeMilestones: EntityWriter = {
  describe: ({ fields }) => ({
    customFields: writableFields(fields, 'version').map(toCustomField),
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

  async write(writing, call, record) {
    const { api, vocabulary } = writing
    const projectId = await openProjectOf(call, record)
    if (projectId === null) return noProject(record.key)
    const { name, description, status, due, sharing } = toVersion(record.fields)
    const losses: WriteLoss[] = []
    const version = {
      name,
      description: markLine(description, { hash: hashKey(record.key), isAuthorKept: false }, ''),
      status,
      sharing,
      due_date: due ?? '',
      custom_fields: toCustomValues(writableFields(vocabulary.fields, 'version'), { record, losses }),
    }
    const id = record.destinationId
    if (id !== null) {
      const sent = await api.send('PUT', `/versions/${id}.json`, { version })
      if (!sent.isTaken) return refuseSent(record.key, sent)
      return written(record.key, id, versionUrl(writing, id), null, losses)
    }
    const sent = await api.send('POST', `/projects/${projectId}/versions.json`, { version })
    if (sent.isTaken) {
      const made = take('version', unwrap(sent.json, 'version'))
      return written(record.key, String(made.id), versionUrl(writing, made.id), null, losses)
    }
    const same = (await versionsOf(writing, projectId)).find((one) => one.name === name)
    if (!same) return refuseSent(record.key, sent)
    const url = versionUrl(writing, same.id)
    const isOurs = readMarked(same.description, 'line').mark?.hash === hashKey(record.key)
    if (isOurs) return written(record.key, String(same.id), url)
    return { key: record.key, result: 'matched', destinationId: String(same.id), url }
  },

  async find(writing, _call, records) {
    const fields = writableFields(writing.vocabulary.fields, 'version')
    const sought = await Promise.all(
      records.map(async (record) => ({ record, versions: await candidates(writing, record) })),
    )
    return sought.flatMap(({ record: { key, destinationId }, versions }) =>
      versions
        .map((raw) => ({ raw, ...readMarked(raw.description, 'line') }))
        .filter(({ raw, mark }) => String(raw.id) === destinationId || mark?.hash === hashKey(key))
        .map(({ raw, text }) => {
          const stored = {
            project: raw.project?.id,
            name: raw.name,
            description: text,
            status: raw.status,
            due: raw.due_date ?? undefined,
            sharing: raw.sharing,
          }
          const custom = storedCustomValues(fields, raw.custom_fields)
          return found(key, String(raw.id), versionUrl(writing, raw.id), null, stored, custom)
        }),
    )
  },

  remove: (writing, call, record) => removeListed(writing, call, 'versions', 'version', record),
}

async function candidates(writing: Writing, { destinationId, parent }: SoughtRecord): Promise<Raw<'version'>[]> {
  const { api, directory } = writing
  if (destinationId !== null) {
    const version = await api.find(`/versions/${destinationId}.json`, 'version')
    return version === null ? [] : [take('version', version)]
  }
  if (parent) return versionsOf(writing, Number(parent.destinationId))
  const projects = (await directory.projects()).filter((project) => hasModule(project, 'issue_tracking'))
  return (await Promise.all(projects.map(({ id }) => versionsOf(writing, id)))).flat()
}

export async function removeListed(
  { api }: Writing,
  { locks }: Call,
  path: 'versions' | 'memberships',
  name: string,
  { key, destinationId }: { key: string; destinationId: string },
) {
  const given = await api.find(`/${path}/${destinationId}.json`, name)
  if (given === null) return { key, result: 'missing' as const }
  const { project, wiki_page_title: page } = given as { project?: { id?: unknown }; wiki_page_title?: unknown }
  if (page) return keep(key, 'Someone has given it a wiki page since.')
  if (typeof project?.id === 'number') await locks.openProject(project.id)
  return removed(key, await api.send('DELETE', `/${path}/${destinationId}.json`))
}

/**
 * A category has nothing but its name: what is found by it counts as having been there before. Redmine hides those of a
 * closed project, so they are known together with it, as `project/id`.
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

  async write(writing, call, record) {
    const { api } = writing
    const projectId = await openProjectOf(call, record)
    if (projectId === null) return noProject(record.key)
    const name = textOf(record.fields.name)
    const url = `${api.base}/projects/${projectId}/settings/categories`
    const issue_category = { name, assigned_to_id: userIdOf(record.fields.owner) ?? '' }
    if (record.destinationId !== null) {
      const sent = await api.send('PUT', categoryPath(record.destinationId), { issue_category })
      return sent.isTaken ? written(record.key, record.destinationId, url) : refuseSent(record.key, sent)
    }
    const sent = await api.send('POST', `/projects/${projectId}/issue_categories.json`, { issue_category })
    if (sent.isTaken) {
      const made = take('category', unwrap(sent.json, 'issue_category'))
      return written(record.key, `${projectId}/${made.id}`, url)
    }
    const listed = await api.listAll(`/projects/${projectId}/issue_categories.json`, 'issue_categories')
    const same = listed.map((item) => take('category', item)).find((one) => one.name === name)
    if (!same) return refuseSent(record.key, sent)
    return { key: record.key, result: 'matched', destinationId: `${projectId}/${same.id}`, url }
  },

  async find(writing, call, records) {
    const categories = []
    for (const { key, destinationId } of records) {
      const given = destinationId === null ? null : await findCategory(writing, call, destinationId)
      if (given === null || destinationId === null) continue
      const raw = take('category', given)
      const stored = { project: raw.project?.id, name: raw.name, owner: raw.assigned_to?.id }
      categories.push(found(key, destinationId, null, null, stored))
    }
    return categories
  },

  async remove(writing, call, { key, destinationId }) {
    if ((await findCategory(writing, call, destinationId)) === null) return { key, result: 'missing' }
    const [project_id = '', category_id = ''] = destinationId.split('/')
    const query = { project_id, category_id, subproject_id: '!*', status_id: '*', limit: 1 }
    const { total } = await writing.api.list('/issues.json', 'issues', query)
    if (total !== 0) return keep(key, 'There are issues of this category.')
    return removed(key, await writing.api.send('DELETE', categoryPath(destinationId)))
  },
}

const categoryPath = (destinationId: string) => `/issue_categories/${destinationId.split('/')[1]}.json`

async function findCategory({ api }: Writing, { locks }: Call, destinationId: string): Promise<unknown> {
  if (!(await locks.openProject(Number(destinationId.split('/')[0])))) return null
  return await api.find(categoryPath(destinationId), 'issue_category')
}
