import { openDestination } from '../../service/src/connectors/open/writer.ts'
import { startLiberalDestination } from '../conformance/liberal-destination.ts'
import { createLoopbackOutbound, deskAccount } from './desk-account.ts'
import { describeWriter, type OpenedWriter } from './writer-contract.ts'

const proved = 'it is a fact of the bytes, which are proved by their digest'
const byteFacts = ['attachments', 'media'].flatMap((entity) =>
  ['size', 'content_type'].map((field) => [`${entity}.${field}`, proved] as const),
)

/** A destination that differs from Harbour in everything that the protocol leaves open. */
async function openLiberal(family: 'helpdesk' | 'blog'): Promise<OpenedWriter> {
  const destination = await startLiberalDestination([family])
  const outbound = createLoopbackOutbound()
  const open = (url: string) => openDestination(deskAccount(outbound, url, 'token'))
  const byId = (id: string) => [...destination.records].find(([, record]) => record.id === id) ?? ['', null]
  return {
    writer: open(destination.url),
    family,
    users: ['bob', 'eve'],
    async editByHand(_entity, destinationId) {
      const [, record] = byId(destinationId)
      if (record) record.version += 0.5
    },
    countAll: async () => destination.records.size,
    readFile: async (_entity, destinationId) => destination.files.get(byId(destinationId)[0]) ?? Buffer.from('none'),
    indifferent: Object.fromEntries(byteFacts),
    dead: open('http://127.0.0.1:1/wherry'),
    async close() {
      await outbound.close()
      await destination.close()
    },
  }
}

for (const family of ['helpdesk', 'blog'] as const) {
  describeWriter(`a liberal destination (${family})`, { open: () => openLiberal(family) })
}
