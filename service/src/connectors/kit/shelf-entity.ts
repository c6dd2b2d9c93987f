import type { EntityCapabilities, SentRelation, SideRecords } from '../contract/contract.ts'
import type { Entity } from './entity.ts'
import { type NamedList, namedEntity } from './named-lists.ts'
import type { WrittenEntity } from './open-writer.ts'
import { removeNested } from './remove.ts'
import type { SideShelfRules } from './side-shelves.ts'
import { versionOf } from './version.ts'
import { toStored, writeRecord } from './write-record.ts'

/** The entity of categories for `openWriter`: shelves that are themselves records. */
export function shelfEntity(
  declared: Entity<never>,
  rules: SideShelfRules,
  sides: SideRecords,
  capabilities: EntityCapabilities,
  own: Pick<NamedList, 'save'> & Partial<NamedList>,
): WrittenEntity {
  const list: NamedList = {
    kind: 'category_of_record',
    all: rules.now,
    toBody: (record) => ({
      ...writeRecord(declared, record, { isWhole: true }),
      parent: (record.fields.parent_category as SentRelation | undefined)?.destinationId ?? null,
    }),
    placeOf: ({ name, parent }) => [name, parent],
    toFound(raw) {
      const content = toStored(rules.label, declared, raw)
      return { ...content, version: versionOf(content.fields), url: rules.urlOf(raw) }
    },
    // Removing a shelf also removes everything in it.
    findNeed: async ({ id }) => ((await rules.isEmpty(String(id))) ? null : 'It is not empty.'),
    remove: rules.remove,
    ...own,
  }
  const named = namedEntity(list, sides)
  return {
    declared,
    offer: {
      required: ['name'],
      unites: { kind: 'category', by: ['name', 'parent_category'] },
      fixedRelations: ['parent_category'],
      capabilities,
      fields: { parent_category: { isFixed: true } },
    },
    ...named,
    remove: async (records) => removeNested(rules.label, await named.look(records), await rules.now(), records),
  }
}
