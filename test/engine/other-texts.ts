import type { Connector, RecordPage } from '../../service/src/connectors/contract/contract.ts'
import type { FamilyRecord, RecordRef } from '../../service/src/families/record.ts'

/** Fernhill Desk with other texts for some tickets, by ticket id, and for all comments of some tickets. */
export const withTexts =
  (texts: ReadonlyMap<string, string>, commentsOf: ReadonlyMap<string, string> = new Map()) =>
  (fernhill: Connector): Connector => {
    const { source } = fernhill
    if (!source) throw new Error('Fernhill Desk is a source')
    const change = (page: RecordPage): RecordPage => ({
      ...page,
      items: page.items.map((record) => {
        const field = record.entity === 'tickets' ? 'description' : 'body'
        const body = bodyOf(record)
        return body === undefined
          ? record
          : { ...record, fields: { ...record.fields, [field]: { format: 'html', body } } }
      }),
    })
    const bodyOf = ({ entity, sourceId, fields }: FamilyRecord): string | undefined => {
      if (entity === 'tickets') return texts.get(sourceId)
      return entity === 'comments' ? commentsOf.get((fields.ticket as RecordRef).sourceId) : undefined
    }
    return {
      ...fernhill,
      source: {
        ...source,
        async open(account, family) {
          const reader = await source.open(account, family)
          const { readSome } = reader
          return {
            ...reader,
            read: async (...args) => change(await reader.read(...args)),
            ...(readSome && { readSome: async (...args) => change(await readSome(...args)) }),
          }
        },
      },
    }
  }
