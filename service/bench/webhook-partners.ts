import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connectors } from '../src/connectors/registry.ts'
import type { Db } from '../src/db/open-database.ts'
import { createImport } from '../src/imports/create-import.ts'
import type { KeyRing } from '../src/key-ring.ts'
import { createPartner } from '../src/partners/create-partner.ts'
import { recordEvent } from '../src/webhooks/record-event.ts'

export interface Message {
  headers: IncomingHttpHeaders
  json: { id: string; sequence: number }
}

/** Starts a partner's endpoint. If `onMessage` returns null, the endpoint never answers. */
export async function startEndpoint(
  cleanup: AsyncDisposableStack,
  onMessage: (message: Message) => number | null,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const status = onMessage({ headers: request.headers, json: JSON.parse(Buffer.concat(chunks).toString()) })
    if (status !== null) response.writeHead(status).end()
  })
  cleanup.defer(async () => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Creates a partner with one import, and a function that records events for it. */
export async function createSender(db: Db, keyRing: KeyRing, webhookUrl: string) {
  const partner = await createPartner(
    db,
    { connectors, keyRing },
    { name: 'Bench', destination: 'open', families: ['helpdesk'], webhookUrl },
  )
  const { id } = await createImport(
    db,
    keyRing,
    { id: partner.id, destinationTool: 'open' },
    {
      sourceTool: 'fernhill',
      family: 'helpdesk',
      instanceUrl: null,
      username: null,
      token: null,
      startFull: false,
      checked: null,
    },
    null,
  )
  let sequence = 1
  return {
    importId: id,
    /** Records this number of events in one transaction. Returns their sequence numbers. */
    record: (count: number): Promise<number[]> =>
      db.transaction().execute(async (tx) => {
        const sequences: number[] = []
        for (let made = 0; made < count; made += 1) {
          sequence += 1
          sequences.push(sequence)
          await recordEvent(tx, {
            id,
            partner_id: partner.id,
            sequence,
            status: 'collecting_credentials',
            items: {},
            users: { source_tool: 0, destination_tool: 0, matched: 0 },
          })
        }
        return sequences
      }),
  }
}
