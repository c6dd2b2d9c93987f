import type { MapContext } from './build-record.ts'
import type { Reading } from './shelf.ts'

/** Loads the people and versions that a page refers to, so that the mapping makes no requests. */
export async function prepareContext(
  { api, directory, family }: Reading,
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

const personKeys = ['user', 'author', 'assigned_to', 'watchers', 'members']

/** Collects the ids of people and versions, also those in custom fields. */
function collectMentions(items: unknown, userFields: Set<number>, versionFields: Set<number>) {
  const people = new Set<number>()
  const versions = new Set<string>()
  const visit = (value: unknown, key = ''): void => {
    if (Array.isArray(value)) {
      for (const one of value) visit(one, key)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const thing = value as Record<string, unknown>
    if (personKeys.includes(key)) {
      if (Number.isSafeInteger(thing.id)) people.add(Number(thing.id))
    } else if ('value' in thing) {
      const values = [thing.value].flat().filter((one): one is string => typeof one === 'string' && /^\d+$/.test(one))
      if (userFields.has(Number(thing.id))) for (const one of values) people.add(Number(one))
      if (versionFields.has(Number(thing.id))) for (const one of values) versions.add(one)
    } else for (const [name, inner] of Object.entries(thing)) visit(inner, name)
  }
  visit(items)
  return { people, versions }
}
