import { FAMILIES, type Family } from '../../demo/harbour/entities.ts'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import { openDestination } from '../../service/src/connectors/open/writer.ts'
import { startLiberalDestination } from '../conformance/liberal-destination.ts'
import { createLoopbackOutbound, deskAccount } from './desk-account.ts'
import { describeWriter, type OpenedWriter } from './writer-contract.ts'

const proved = 'it is a fact of the bytes, which are proved by their digest'
const byteFacts = ['attachments', 'media'].flatMap((entity) =>
  ['size', 'content_type'].map((field) => [`${entity}.${field}`, proved] as const),
)

async function openHarbour(family: Family): Promise<OpenedWriter> {
  const harbour = await startHarbour({
    port: 0,
    dataFile: ':memory:',
    token: 'token',
    adminKey: 'admin',
    families: [family],
  })
  const outbound = createLoopbackOutbound()
  const open = (url: string) => openDestination(deskAccount(outbound, url, 'token'))
  return {
    writer: open(harbour.baseUrl),
    family,
    users: ['u1', 'u7', 'u8'],
    async editByHand(entity, destinationId) {
      const answer = await fetch(`${harbour.url}/${entity}/${destinationId}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ value: 'Edited by hand' }),
      })
      if (answer.status !== 303) throw new Error(`the edit was answered ${answer.status}`)
    },
    async countAll() {
      const answer = await fetch(`${harbour.url}/effects`, { headers: { authorization: 'Bearer admin' } })
      const { data, next } = (await answer.json()) as { data: { action: string }[]; next: string | null }
      if (next !== null) throw new Error('more effects than one page holds')
      const count = (action: string) => data.filter((effect) => effect.action === action).length
      return count('create') - count('delete')
    },
    async readFile(_entity, destinationId) {
      const answer = await fetch(`${harbour.url}/files/${destinationId}`)
      if (answer.status !== 200) throw new Error(`the file was answered ${answer.status}`)
      return Buffer.from(await answer.arrayBuffer())
    },
    indifferent: Object.fromEntries(byteFacts),
    dead: open('http://127.0.0.1:1/wherry'),
    async close() {
      await outbound.close()
      await harbour.close()
    },
  }
}

/** All that the protocol leaves open, done otherwise than in Harbour. */
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
for (const family of FAMILIES) describeWriter(`the open destination (${family})`, { open: () => openHarbour(family) })
