import type { Connector, RecordPage } from '../src/connectors/contract/contract.ts'
import { askForLess } from '../src/outbound/ask-for-less.ts'
import { callTool } from '../src/outbound/call-tool.ts'

const perPage = 10

/** A source connector for `serve-texts.ts`, whose texts have all formats. */
export const textsConnector: Connector = {
  tool: 'texts',
  label: 'Texts',
  families: ['helpdesk'],
  movesBetweenInstances: false,
  source: {
    requires: ['instanceUrl'],
    checkAccount: async () => ({ name: 'Texts' }),
    open: ({ access, outbound, signal }) => {
      const ask = async <T>(path: string) =>
        (await callTool<T>(outbound, `${access.instanceUrl}${path}`, { signal })).json
      const none: RecordPage = { items: [], warnings: [], next: null }
      return {
        count: async () => ask<Record<string, number>>('/count'),
        users: async () => ({ items: [], next: null }),
        customFields: async () => [],
        read: async (entity, cursor) =>
          entity === 'tickets'
            ? askForLess(perPage, (size) => ask<RecordPage>(`/tickets?from=${cursor ?? 0}&limit=${size}`))
            : none,
        readSome: async (entity, wanted) =>
          entity === 'tickets' && 'ids' in wanted ? ask(`/tickets?ids=${wanted.ids.join(',')}`) : none,
        openFile: async () => {
          throw new Error('there are no files')
        },
      }
    },
  },
}
