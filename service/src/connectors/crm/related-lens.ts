import Type from 'typebox'
import type { SentRelation } from '../contract/contract.ts'
import { type Lens, lens } from '../kit/lens.ts'

/**
 * The record that a note, an activity or a file belongs to. The tools have a field or a link for each kind of record,
 * and may show it at further ones: `otherLinks` counts them.
 */
export const relatedLens = (from: string): Lens =>
  lens('relation', {
    from,
    check: Type.Object({ entity: Type.String(), sourceId: Type.String() }),
    read: ({ entity, sourceId }) => ({ entity, sourceId }),
    write: (value) => {
      const { entity, destinationId } = value as SentRelation
      return { entity, sourceId: destinationId }
    },
    stored: (value) => {
      const { entity, sourceId } = value as { entity: string; sourceId: string }
      return `${entity} ${sourceId}`
    },
    also: { otherLinks: Type.Integer() },
  })
