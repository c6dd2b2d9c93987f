import type { Family } from '../../../families/index.ts'
import type { RedmineApi } from './api.ts'
import type { MapContext } from './build-record.ts'
import type { Directory } from './directory.ts'

/** Loads the people and versions that a page refers to, so that the mapping makes no requests. */
export async function prepareContext(
  { api, directory, family }: { api: RedmineApi; directory: Directory; family: Family },
  items: readonly unknown[],
): Promise<MapContext> {
  const vocabulary = await directory.vocabulary()
  const idsOfFormat = (format: string) =>
    new Set(vocabulary.fields.filter((field) => field.format === format).map(({ id }) => id))
  const mentioned = collectMentions(items, idsOfFormat('user'), idsOfFormat('version'))
  const people = new Set<number>()
  await Promise.all(
    [...mentioned.people].map(async (id) => {
      if ((await directory.user(id)) !== null) people.add(id)
    }),
  )
  const versionNames = new Map<string, string>()
  for (const id of mentioned.versions) {
    const name = await directory.versionName(id)
    if (name !== null) versionNames.set(id, name)
  }
  return { family, base: api.base, vocabulary, people, versionNames }
}

const personKeys = new Set(['user', 'author', 'assigned_to'])

interface Mentions {
  people: Set<number>
  versions: Set<string>
}

function collectMentions(items: unknown, userFields: Set<number>, versionFields: Set<number>): Mentions {
  const people = new Set<number>()
  const versions = new Set<string>()
  const addPerson = (person: unknown) => {
    const id = (person as { id?: unknown } | null)?.id
    if (typeof id === 'number' && Number.isSafeInteger(id)) people.add(id)
  }
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const thing = value as Record<string, unknown>
    if ('value' in thing) {
      const values = [thing.value].flat().filter((one): one is string => typeof one === 'string' && /^\d+$/.test(one))
      if (userFields.has(Number(thing.id))) for (const one of values) people.add(Number(one))
      if (versionFields.has(Number(thing.id))) for (const one of values) versions.add(one)
      return
    }
    for (const [key, inner] of Object.entries(thing)) {
      if (personKeys.has(key)) addPerson(inner)
      else if (key === 'watchers' && Array.isArray(inner)) inner.forEach(addPerson)
      else visit(inner)
    }
  }
  visit(items)
  return { people, versions }
}
