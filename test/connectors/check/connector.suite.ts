import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { Account, AccountAccess } from '../../../service/src/connectors/contract.ts'
import { limitCalls } from '../../../service/src/connectors/limit-calls.ts'
import { loadConnector } from '../../../service/src/connectors/load-connectors.ts'
import { AccountRefusedError } from '../../../service/src/errors.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { describeReader } from '../reader-contract.ts'
import type { Twin } from '../twin-contract.ts'
import { describeWriter } from '../writer-contract.ts'

const folder = String(process.env.WHERRY_CHECKED_CONNECTOR)
const connector = limitCalls(await loadConnector(folder))
const { startTwin } = (await import(pathToFileURL(join(folder, 'twin.ts')).href)) as { startTwin(): Promise<Twin> }
const twin = await startTwin()
const outbound = createLoopbackOutbound()
afterAll(async () => {
  await twin.close()
  await outbound.close()
})

const account = (access: Partial<AccountAccess> = {}): Account => ({
  access: { instanceUrl: null, username: null, token: null, ...twin.access, ...access },
  outbound,
  signal: AbortSignal.timeout(3_600_000),
})
const { label, source, destination } = connector

test.each(Object.entries({ source, destination }).filter(([, side]) => side !== undefined))(
  'as a %s it signs in to its twin, and says so when a key is refused',
  async (_role, side) => {
    expect((await side?.checkAccount(account()))?.name).toMatch(/\S/)
    const isKeyed = side?.requires.includes('token')
    if (isKeyed) await expect(side?.checkAccount(account({ token: 'wrong' }))).rejects.toThrow(AccountRefusedError)
  },
)

const { source: read, destination: written } = twin
if (source && read && read.entities.length > 0) {
  describeReader(label, async () => ({ ...read, reader: source.open(account(), read.family) }))
}
if (destination && written) {
  describeWriter(label, {
    open: async () => ({
      ...written,
      writer: destination.open(account(), written.family),
      dead: destination.open(account({ instanceUrl: 'http://127.0.0.1:1' }), written.family),
      close: async () => {},
    }),
  })
}
