import type { SentRelation } from '../../contract/contract.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { NamedList } from '../../kit/named-lists.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { placeOf } from '../../kit/side-shelves.ts'
import { versionOf } from '../../kit/version.ts'
import { toStored } from '../../kit/write-record.ts'
import { accepted, label, present } from './api.ts'
import { isCollection } from './docs.ts'
import {
  collectionOf,
  flatKind,
  makeShelf,
  pathOf,
  type ShelfContext,
  shelfRules,
  shelvesNow,
  urlOf,
} from './docs-shelves.ts'
import * as desk from './entities.ts'

/**
 * Categories of the family: one at the top is a collection, and everything inside is a category of that collection. Names
 * are unique in a collection, however deep they were.
 */
export function shelfList(context: ShelfContext): NamedList {
  const { docs, sides } = context
  const { isEmpty, remove } = shelfRules(context)
  const all = () => shelvesNow(context)
  return {
    kind: 'category_of_record',
    all,
    async toBody({ key, fields }) {
      const parent = (fields.parent_category as SentRelation | undefined)?.destinationId ?? null
      const isFlat = parent !== null && !isCollection(parent)
      const collection = parent === null ? null : isFlat ? collectionOf(await all(), parent) : parent
      return { name: fields.name, collection, ...(isFlat && { flat: { key, parent } }) }
    },
    placeOf: ({ id, name, collection, collectionId }) => [
      name,
      id === undefined ? collection : isCollection(String(id)) ? null : `c${collectionId}`,
    ],
    async save(id, { name, collection, flat }) {
      const { key, parent } = (flat ?? {}) as { key?: string; parent?: string }
      const version = `${placeOf(name, collection)} ${parent}`
      const noteFlat = (destinationId: string | null) => sides.note({ ...flatOf(key), destinationId, version })
      if (id === null && flat) await noteFlat(null)
      const made = id ?? (await makeNew(name, collection as string | null, key))
      if (id !== null) accepted(await docs.send('PUT', pathOf(id), { json: { name } }))
      if (flat) await noteFlat(made)
      const raw = present((await all()).find((one) => String(one.id) === made))
      return { raw, losses: flat ? ['parent_refused'] : [] }
    },
    toFound(raw: RawRecord) {
      const content = toStored(label, desk.categories, raw)
      return { ...content, version: versionOf(content.fields), url: urlOf(raw) }
    },
    // With a shelf goes everything in it.
    findNeed: async ({ id }) => ((await isEmpty(String(id), [])) ? null : 'It is not empty.'),
    remove,
  }

  async function makeNew(name: unknown, collection: string | null, key: string | undefined): Promise<string> {
    try {
      return await makeShelf(context, collection, { name, readers: 'public' })
    } catch (error) {
      if (error instanceof RefusedError && key !== undefined) await sides.forget(flatOf(key))
      throw error
    }
  }
}

const flatOf = (key = '') => ({ kind: flatKind, mark: digestOf(key) })
