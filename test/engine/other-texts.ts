import type { Connector, RecordPage } from '../../service/src/connectors/contract/contract.ts'

/** Fernhill Desk with other texts for some tickets, by ticket id. */
export const withTexts =
  (texts: ReadonlyMap<string, string>) =>
  (fernhill: Connector): Connector => {
    const { source } = fernhill
    if (!source) throw new Error('Fernhill Desk is a source')
    const change = (page: RecordPage): RecordPage => ({
      ...page,
      items: page.items.map((record) => {
        const body = record.entity === 'tickets' ? texts.get(record.sourceId) : undefined
        return body === undefined
          ? record
          : { ...record, fields: { ...record.fields, description: { format: 'html', body } } }
      }),
    })
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
