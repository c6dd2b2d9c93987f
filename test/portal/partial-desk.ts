import type { Connector, Reader, RecordPage } from '../../service/src/connectors/contract/contract.ts'
import { fernhill } from '../../service/src/connectors/helpdesk/fernhill/index.ts'
import { deskKey, harbourToken, type Portal, type WholeService } from '../engine/whole-service.ts'

const { source } = fernhill
if (!source) throw new Error('Fernhill Desk is a source')
/**
 * The number of archived tickets, and of the first ticket's older comments that the tool does not return. It does not
 * open its list of articles.
 */
export const shortfall: { archived: number; older: number; articles: number | null } = {
  ...{ archived: 57, older: 312, articles: null },
}

/** Fernhill Desk as a tool with an archive, which returns only the newest comments of a ticket. */
export const partial: Connector = {
  ...fernhill,
  tool: 'partial',
  label: 'Partial Desk',
  source: {
    ...source,
    async open(account, family) {
      const reader = await source.open(account, family)
      const { readSome } = reader
      const tell = (entity: string, page: RecordPage): RecordPage => ({
        ...page,
        warnings: [
          ...page.warnings,
          ...page.items
            .filter(({ fields }) => entity === 'tickets' && String(fields.number) === '1001')
            .map(({ sourceId }) => ({
              entity,
              sourceId,
              code: 'truncated_by_source' as const,
              message: `It has ${shortfall.older} older comments.`,
              count: shortfall.older,
            })),
        ],
      })
      return {
        ...reader,
        countWithheld: async () => ({ tickets: shortfall.archived, articles: shortfall.articles, nonsense: 3 }),
        read: async (entity, ...rest) => tell(entity, await reader.read(entity, ...rest)),
        ...(readSome && {
          readSome: async (...asked: Parameters<NonNullable<Reader['readSome']>>) =>
            tell(asked[0], await readSome(...asked)),
        }),
      }
    },
  },
}

/** An import from that desk into Harbour, with both accounts connected. */
export async function openPartial(service: WholeService): Promise<Portal> {
  const portal = await service.openPortal({ source_tool: 'partial' })
  const connect = (role: string, body: object) => portal.act('PUT', `/accounts/${role}`, body)
  await connect('source', { instance_url: service.fernhill.url, token: deskKey })
  await connect('destination', { instance_url: service.harbour.baseUrl, token: harbourToken })
  return portal
}
