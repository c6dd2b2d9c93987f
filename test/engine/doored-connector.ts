import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Account, Connector, Writer } from '../../service/src/connectors/contract/contract.ts'
import { connectors as registry } from '../../service/src/connectors/registry.ts'

/** A door in the destination that must be open during a write, and closed at all other times. */
export async function startDoor() {
  const state = { isOpen: false, isStuck: false, moves: [] as string[] }
  const server = createServer((request, response) => {
    const move = String(request.url).slice(1)
    if (state.isStuck && move === 'shut') {
      response.writeHead(403).end()
      return
    }
    state.moves.push(move)
    state.isOpen = move === 'open'
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    state,
    connector: connectorOf(url),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const item = { kind: 'open_door', id: 1 }

/** The connector for the open protocol, which opens and closes the door. */
function connectorOf(url: string): Connector {
  const open = registry.find(({ tool }) => tool === 'open')
  if (!open?.destination) throw new Error('there is no open protocol')
  const { destination } = open
  const openWriter = async (account: Account, family?: Parameters<typeof destination.open>[1]): Promise<Writer> => {
    const inner = await destination.open(account, family)
    const move = async (to: 'open' | 'shut') =>
      (await account.outbound.request(`${url}/${to}`, { method: 'POST', body: '', signal: account.signal })).status
    return {
      ...inner,
      async write(entity, records) {
        await account.leftovers?.note(item)
        await move('open')
        try {
          return await inner.write(entity, records)
        } finally {
          await move('shut')
            .then((status) => (status === 204 ? account.leftovers?.forget(item) : undefined))
            .catch(() => {})
        }
      },
      restore: async (items) => (items.length > 0 && (await move('shut')) === 204 ? [...items] : []),
    }
  }
  return { ...open, tool: 'doored', label: 'Doored', destination: { ...destination, open: openWriter } }
}
