import type { EntityCapabilities, SentRelation } from '../../contract/contract.ts'
import { digestOf } from '../../kit/keys.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { shelfEntity } from '../../kit/shelf-entity.ts'
import { placeOf } from '../../kit/side-shelves.ts'
import { accepted, present } from './api.ts'
import { isCollection } from './docs.ts'
import { collectionOf, flatKind, makeShelf, pathOf, type ShelfContext, shelfRules, shelvesNow } from './docs-shelves.ts'
import * as desk from './entities.ts'

/**
 * Writes categories of the family. A top-level category becomes a collection. Every category inside, at any depth,
 * becomes a category of that collection. Names are unique in a collection.
 */
export function categoryEntity(context: ShelfContext, capabilities: EntityCapabilities): WrittenEntity {
  const { docs, sides } = context
  const all = () => shelvesNow(context)
  return shelfEntity(desk.categories, shelfRules(context), sides, capabilities, {
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
  })

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
