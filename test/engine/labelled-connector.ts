import type { Account, Connector, SideOutcome, Writer } from '../../service/src/connectors/contract/contract.ts'
import { callTool } from '../../service/src/outbound/call-tool.ts'
import { plainConnectors } from './plain-connectors.ts'

interface Label {
  id: string
  content: { name: string; isUsed?: boolean }
}

/** The plain tool, with a required label for tickets that the source does not have. Tickets carry their comments. */
export function labelledConnector(): Connector {
  const plain = plainConnectors.find(({ tool }) => tool === 'plain_c')
  if (!plain?.destination) throw new Error('there is no plain tool')
  const { destination } = plain
  const open = async (account: Account, family?: Parameters<typeof destination.open>[1]): Promise<Writer> => {
    const inner = await destination.open(account, family)
    const { access, outbound, signal, sides } = account
    const call = <T>(path: string, request: { method?: 'POST' | 'DELETE'; json?: unknown; headers?: object } = {}) => {
      const { headers = {}, ...rest } = request
      return callTool<T>(outbound, `${access.instanceUrl}${path}`, { ...rest, headers: { ...headers }, signal }, [404])
    }
    const removeOne = async (mark: string, id: string | null, isForced: boolean): Promise<SideOutcome> => {
      const found = id === null ? null : await call<Label>(`/labels/${id}`)
      const label = found?.status === 200 ? found.json : null
      const keep = (message: string): SideOutcome => ({
        kind: 'labels',
        mark,
        result: 'kept',
        destinationId: String(id),
        url: `${access.instanceUrl}/labels/${id}`,
        message,
      })
      if (label?.content.isUsed) return keep('Somebody uses it.')
      if (label && !isForced && label.content.name !== mark) return keep('Somebody renamed it.')
      if (label) await call(`/labels/${id}`, { method: 'DELETE' })
      return { kind: 'labels', mark, result: 'removed' }
    }
    return {
      ...inner,
      async describe() {
        const described = await inner.describe()
        const { comments, ...rest } = described.entities
        if (!comments) throw new Error('there are no comments')
        return { ...described, entities: { ...rest, comments: { ...comments, removal: 'with parent' } } }
      },
      async write(entity, records) {
        if (entity !== 'tickets') return inner.write(entity, records)
        const known = new Set((await sides?.list('labels'))?.map(({ mark }) => mark))
        for (const { key } of records) {
          const mark = `label of ${key.split('/').at(-1)}`
          if (known.has(mark)) continue
          await sides?.note({ kind: 'labels', mark, destinationId: null, version: null })
          const headers = { 'x-key': mark }
          const { json } = await call<{ id: string }>('/labels', { method: 'POST', json: { name: mark }, headers })
          await sides?.note({ kind: 'labels', mark, destinationId: json.id, version: mark })
        }
        return inner.write(entity, records)
      },
      async removeSides(records, { isForced }) {
        const outcomes: SideOutcome[] = []
        for (const { mark, destinationId } of records) outcomes.push(await removeOne(mark, destinationId, isForced))
        return outcomes
      },
    }
  }
  return { ...plain, tool: 'labelled', label: 'Labelled', destination: { ...destination, open } }
}
