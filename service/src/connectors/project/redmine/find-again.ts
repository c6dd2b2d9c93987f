import Type from 'typebox'
import { ObstacleError } from '../../../errors.ts'
import type { SoughtRecord } from '../../contract/contract.ts'
import { keyFieldName, keyFieldOf } from './custom-fields.ts'
import { issueParts, parseWhole, type Raw } from './schema.ts'
import type { Writing } from './writing.ts'

const kinds = {
  issue: { query: { status_id: '*', sort: 'id' }, include: { include: issueParts } },
  time_entry: { query: {}, include: {} },
} as const

const keyFieldMissing = (message: string) => new ObstacleError('key_field_missing', 'customer', message)

/** The obstacle of an issue that got no key. `tracker` is set if only this tracker lacks the field. */
export function keyFieldLacking(tracker?: string): ObstacleError {
  const where = tracker === undefined ? 'issues' : `issues of the tracker "${tracker}"`
  return keyFieldMissing(
    `Redmine has no custom field "${keyFieldName}" for ${where}. Make one of the format Text, for all projects and trackers, used as a filter.`,
  )
}

/**
 * Finds records by key, and by known id if people emptied the key field. A key can give several records, because
 * Redmine does not keep the field unique.
 */
export async function findByKeyField<K extends keyof typeof kinds>(
  { api, vocabulary }: Writing,
  kind: K,
  records: readonly SoughtRecord[],
): Promise<{ key: string; raw: Raw<K> }[]> {
  if (records.length === 0) return []
  const { query, include } = kinds[kind]
  const keyField = keyFieldOf(vocabulary.fields, kind)
  // Redmine ignores an unknown filter and would return all records.
  if (!keyField?.isFilter) {
    throw keyFieldMissing(
      `The custom field "${keyFieldName}" is missing in Redmine or not used as a filter. Please restore it.`,
    )
  }
  const keys = records.map(({ key }) => key)
  const listed = await api.all(kind, { ...query, [`cf_${keyField.id}`]: keys.join('|') })
  const byId = new Map<number, string>()
  for (const { id, custom_fields } of listed as Raw<'issue'>[]) {
    const key = custom_fields?.find((custom) => custom.id === keyField.id)?.value
    if (typeof key === 'string' && keys.includes(key)) byId.set(id, key)
  }
  for (const { key, destinationId } of records) {
    const isId = destinationId !== null && /^\d+$/.test(destinationId)
    if (isId && !byId.has(Number(destinationId))) byId.set(Number(destinationId), key)
  }
  const found = []
  for (const [id, key] of byId) {
    const raw = await api.one(kind, id, include)
    if (raw !== null) found.push({ key, raw })
  }
  return found
}

export interface WikiPlace {
  projectId: number
  title: string
}

const resultSchema = Type.Object({ type: Type.String(), url: Type.String() })

/** Searches a mark in all projects, for records without a key field and without a known parent. */
export async function searchMarked({ api, directory }: Writing, mark: string, where: 'issues' | 'wiki_pages') {
  // `attachments` makes Redmine search the descriptions of files, too. They hold the marks of files.
  const query = { q: mark, scope: 'all', all_words: 1, [where]: 1, attachments: 1 }
  const issueIds: number[] = []
  const pages: WikiPlace[] = []
  for (const item of await api.listAll('/search.json', 'results', query)) {
    const { pathname } = new URL(parseWhole(resultSchema, item, 'a search result').url, api.base)
    const issue = /\/issues\/(\d+)$/.exec(pathname)
    const page = /\/projects\/([^/]+)\/wiki\/([^/]+)$/.exec(pathname)
    if (issue) issueIds.push(Number(issue[1]))
    const project = page && (await directory.projects()).find(({ identifier }) => identifier === page[1])
    if (project) pages.push({ projectId: project.id, title: decodeURIComponent(String(page[2])) })
  }
  return { issueIds, pages }
}
