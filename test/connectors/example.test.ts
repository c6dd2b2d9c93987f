import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Account, Connector } from '../../service/src/connectors/contract/contract.ts'
import { loadConnector } from '../../service/src/connectors/load-connectors.ts'
import { AccountRefusedError } from '../../service/src/errors.ts'
import { createLoopbackOutbound } from './desk-account.ts'
import { startTwin } from './example/twin.ts'
import { describeReader, readAll } from './reader-contract.ts'
import type { Twin } from './twin-contract.ts'

// Tests the connector of docs/connectors.md, which gets the kit as an argument.

const outbound = createLoopbackOutbound()
let connector: Connector
let twin: Twin

beforeAll(async () => {
  connector = await loadConnector(fileURLToPath(new URL('./example', import.meta.url)))
  twin = await startTwin()
})
afterAll(async () => {
  await twin.close()
  await outbound.close()
})

const account = (token = 'twin-key'): Account => ({
  access: { instanceUrl: null, username: null, ...twin.access, token },
  outbound,
  signal: AbortSignal.timeout(60_000),
})
const open = async () => {
  if (!connector.source || !twin.source) throw new Error('the example is a source')
  return { ...twin.source, reader: await connector.source.open(account()) }
}

describeReader('The example', open)

test('a wrong password refuses the account', async () => {
  expect(await connector.source?.checkAccount(account())).toMatchObject({ name: 'A Larch account' })
  await expect(connector.source?.checkAccount(account('wrong'))).rejects.toThrow(AccountRefusedError)
})

test('the messages of every case are read, with their authors', async () => {
  const { reader } = await open()
  const comments = await readAll((cursor) => reader.read('comments', cursor, {}))
  expect(comments).toHaveLength(38)
  expect(comments[3]).toMatchObject({
    sourceId: 'c3m0',
    createdBy: { userId: 'u1' },
    fields: { ticket: { entity: 'tickets', sourceId: 'c3' }, author_agent: { userId: 'u1' }, is_public: true },
  })
  const hidden = comments.filter(({ fields }) => fields.is_public === false)
  expect(hidden.every(({ sourceId }) => sourceId.endsWith('m2'))).toBe(true)
})

test("choices are mapped by their labels, and an unknown choice by the tool's own value", async () => {
  const { reader } = await open()
  const tickets = await readAll((cursor) => reader.read('tickets', cursor, {}))
  expect(tickets.map(({ fields }) => fields.status)).toEqual(expect.arrayContaining(['open', 'closed', '9']))
  expect(tickets[1]?.customFields?.Colour?.value).toBe('Red')
  expect(tickets[4]?.customFields?.Colour?.value).toBe('gone')
})
