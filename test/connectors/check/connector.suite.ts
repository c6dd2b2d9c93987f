import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { Account, AccountAccess } from '../../../service/src/connectors/contract.ts'
import { credentialsOf, givenValue } from '../../../service/src/connectors/credentials.ts'
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
  async (role, side) => {
    expect((await side?.checkAccount(account()))?.name).toMatch(/\S/)
    for (const { name, isSecret } of credentialsOf(connector, role as 'source' | 'destination')) {
      if (!isSecret) continue
      const wrong = name === 'token' ? { token: 'wrong' } : { more: { ...twin.access.more, [name]: 'wrong' } }
      await expect(side?.checkAccount(account(wrong)), name).rejects.toThrow(AccountRefusedError)
    }
  },
)

test.each(Object.entries({ source, destination }).filter(([, side]) => side !== undefined))(
  'as a %s it takes what its patterns ask for: the twin is opened by such a text',
  (role) => {
    const asked = credentialsOf(connector, role as 'source' | 'destination').filter(({ name }) => name !== 'uploadId')
    for (const { name, pattern = '.*', words } of asked) {
      expect(words.en.label, name).toMatch(/\S/)
      expect(givenValue(account().access, name) ?? '', name).toMatch(new RegExp(`^(?:${pattern})$`, 'su'))
    }
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
