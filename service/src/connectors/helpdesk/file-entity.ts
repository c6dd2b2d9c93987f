import Type from 'typebox'
import type { RecordRef } from '../../families/record.ts'
import { defineEntity, type Entity, type EntityRules } from '../kit/entity.ts'
import { type Lens, made, takenElsewhere } from '../kit/lens.ts'
import * as is from '../kit/lenses.ts'

/**
 * The files of a help desk. A reader adds their parent, their author and whether they are for agents alone. The bytes
 * are sent with the name.
 */
export const fileEntity = <A = unknown>(
  own: { name: string; type: string; isInline: Lens<A>; privacyNote?: string },
  rules: Omit<EntityRules<A>, 'fields'> = {},
): Entity<A> =>
  defineEntity<A>('helpdesk', 'attachments', {
    createdBy: is.person('author_agent', { isReadOnly: true }),
    also: { parent: Type.Object({ entity: Type.String(), sourceId: Type.String() }) },
    fields: {
      parent: takenElsewhere(made('relation', ({ parent }) => parent as RecordRef)),
      file_name: is.text(own.name, { max: 200 }),
      content_type: takenElsewhere(is.text(own.type)),
      size: takenElsewhere(is.integer('size', { min: 0 })),
      is_inline: own.isInline,
      is_private: takenElsewhere(is.flag('is_private', own.privacyNote === undefined ? {} : { note: own.privacyNote })),
      uploaded_by: takenElsewhere(is.person('author_agent')),
    },
    ...rules,
  })
