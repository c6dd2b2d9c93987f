import type { OutgoingContent, StoredContent } from '../../contract/contract.ts'
import { storedDeal, toDealWish, toFileWish, toNoteText } from './deals-from-family.ts'
import { storedParty, textOf, toPartyWish } from './from-family.ts'
import { toResource } from './write-notes.ts'
import { storedRelationship } from './write-relationships.ts'
import { toTagPath } from './write-tags.ts'

/** Predicts the content that Tryton will store. It has no side effects; for long texts it runs in a thread. */
export const storedContent = (entity: string, content: OutgoingContent): StoredContent => ({
  fields: storedFields(entity, content),
  customFields: {},
  createdAt: null,
  updatedAt: null,
})

function storedFields(entity: string, content: OutgoingContent): Record<string, unknown> {
  const { fields } = content
  if (entity === 'accounts' || entity === 'contacts') return storedParty(toPartyWish(content))
  if (entity === 'tags') return { name: toTagPath(fields.name) }
  if (entity === 'relationships') return storedRelationship(fields)
  if (entity === 'deals') return storedDeal(toDealWish(content))
  if (entity === 'attachments') return { ...toFileWish(content) }
  if (entity === 'pipelines' || entity === 'stages') return { name: textOf(fields.name) }
  return { resource: toResource(fields.related), text: toNoteText(entity, content) }
}
