import { expect, test } from 'vitest'
import type { OutgoingRecord, Reader } from '../../../service/src/connectors/contract/contract.ts'
import { pipedrive } from '../../../service/src/connectors/crm/pipedrive/index.ts'
import { openPipedrive } from '../../../service/src/connectors/crm/pipedrive/reader.ts'
import { openPipedriveWriter } from '../../../service/src/connectors/crm/pipedrive/writer.ts'
import { ObstacleError, RetryableError } from '../../../service/src/errors.ts'
import type { Outbound } from '../../../service/src/outbound/outbound.ts'
import { dayMs } from '../../twins/clock.ts'
import { oauthClient } from '../../twins/pipedrive/settings.ts'
import { outcomeId } from './outgoing.ts'
import { openTwinBench } from './twin-bench.ts'

// Peculiarities of Pipedrive, each tested against its twin.

const bench = openTwinBench()
const { accountOf, start, writer } = bench
const reader = (pageSize = 500): Reader => openPipedrive(accountOf(), pageSize)
let made = 0
const record = (fields: OutgoingRecord['fields'], more: Partial<OutgoingRecord> = {}): OutgoingRecord => ({
  key: `imp/${++made}`,
  revision: made,
  destinationId: null,
  createdBy: null,
  customFields: {},
  createdAt: '2020-01-02T03:04:05.000Z',
  updatedAt: null,
  fields,
  ...more,
})
const seenAt = (path: string) => bench.twin.seen.filter((request) => request.endsWith(path)).length
const soughtOf = ({ key }: OutgoingRecord, parent: { entity: string; destinationId: string } | null = null) => ({
  key,
  destinationId: null,
  parent,
})
const write = async (entity: string, one: OutgoingRecord) => outcomeId((await writer().write(entity, [one]))[0])
const to = (entity: string, destinationId: string) => ({ entity, key: 'k', destinationId })

test('a plan that accepts no more deals refuses a record, and the account keeps its access', async () => {
  await start({ maxOpenDeals: 1 })
  const outcomes = await writer().write('deals', [record({ name: 'One' }), record({ name: 'Two' })])
  expect(outcomes.map(({ result }) => result)).toEqual(['written', 'refused'])
  expect(outcomes[1]).toMatchObject({ code: 'feature_capping_deals_limit' })
})

test('an account without room for our fields pauses the run before anything is written', async () => {
  await start({ maxCustomFields: 0 })
  await expect(writer().write('contacts', [record({ name: 'Ada' })])).rejects.toMatchObject({
    code: 'key_field_missing',
  })
  expect(bench.twin.account.persons.size()).toBe(0)
})

test('fields that only some accounts have are accepted only there', async () => {
  const offered = async () => {
    const { contacts, accounts, notes } = (await writer().describe()).entities
    return [contacts?.fields.title, accounts?.fields.websites, notes?.fields.author].map((field) => field !== undefined)
  }
  expect(await offered()).toEqual([true, true, true])
  await start({ contactSync: false, companyDetails: false, isAdmin: false })
  expect(await offered()).toEqual([false, false, false])
  const ada = await write('contacts', record({ name: 'Ada', title: 'Head' }))
  const note = record({ related: to('contacts', ada), body: 'x', author: String(bench.twin.users.otto.id) })
  expect(await write('notes', note)).toMatch(/^\d+$/)
})

test('a stage with deals stays, and an existing pipeline with the same name is used', async () => {
  const [known] = bench.twin.account.pipelines.list()
  const [matched] = await writer().write('pipelines', [record({ name: ` ${known?.body.name}`.toUpperCase() })])
  expect(matched).toMatchObject({ result: 'matched', destinationId: known?.id })
  const pipeline = to('pipelines', await write('pipelines', record({ name: 'Boats' })))
  const stageId = await write('stages', record({ name: 'Afloat', pipeline, probability: 30 }))
  await write('deals', record({ name: 'Boat', stage: to('stages', stageId) }))
  const removable = { key: 's', destinationId: stageId, version: null, parent: null }
  expect(await writer().remove('stages', [removable])).toMatchObject([{ result: 'kept' }])
})

test('requests cost what the specification says, and a used-up budget is reported with its end', async () => {
  await start({ plan: { burst: 1_000, tokensPerDay: 40 } })
  const [day, burst, search] = pipedrive.limits ?? []
  const at = (method: string, path: string) => ({ method, url: new URL(path, 'https://api.pipedrive.com') })
  const costs = [
    ['GET', '/api/v2/deals', 10],
    ['GET', '/api/v2/deals/7', 1],
    ['GET', '/api/v2/deals/archived', 20],
    ['POST', '/api/v2/persons', 5],
    ['GET', '/api/v2/stages', 5],
    ['GET', '/api/v2/itemSearch/field', 20],
    ['GET', '/api/v1/notes', 20],
    ['GET', '/api/v1/users/me', 2],
    ['POST', '/api/v1/notes', 10],
    ['DELETE', '/api/v1/files/7', 6],
    ['GET', '/api/v1/files/7/download', 20],
  ] as const
  for (const [method, path, cost] of costs) expect([path, day?.cost?.(at(method, path))]).toEqual([path, cost])
  expect([burst?.cost?.(at('GET', '/api/v2/itemSearch/field')), search?.cost?.(at('GET', '/api/v2/deals'))]).toEqual([
    0, 0,
  ])
  const ask = () => fetch(`${bench.twin.url}/api/v1/users`, { headers: { 'x-api-token': bench.twin.access.token } })
  const told = async () => {
    const answer = await ask()
    const headers = Object.fromEntries(answer.headers)
    return [answer.status, day?.learn?.({ status: answer.status, headers }, at('GET', '/api/v1/users'))]
  }
  expect(await told()).toMatchObject([200, { limit: 40, remaining: 20 }])
  expect(await told()).toMatchObject([200, { limit: 40, remaining: 0 }])
  expect(await told()).toMatchObject([429, { limit: 40, remaining: 0 }])
  await expect(reader().users(null)).rejects.toThrow(RetryableError)
  bench.twin.clock.advance(dayMs)
  expect((await reader().users(null)).items.length).toBeGreaterThan(0)
})

test('a Cloudflare page means that we wait, and that nothing was sent', async () => {
  await start({ plan: { burst: 1_000, tokensPerDay: 1, blockedAfter: 1 } })
  await expect(reader().users(null)).rejects.toThrow(RetryableError)
  const blocked = writer().write('contacts', [record({ name: 'Ada' })])
  await expect(blocked).rejects.toThrow('Pipedrive answered 403')
  await expect(blocked).rejects.not.toThrow(ObstacleError)
})

/** Signs in as an app, and keeps the fields that our sign-in declares. */
async function signIn(side: 'source' | 'destination') {
  const { scopes = [], keeps = [], usesPkce } = pipedrive[side]?.oauth ?? {}
  expect(usesPkce).toBe(false)
  const form = { grant_type: 'authorization_code', code: bench.twin.oauth.code(scopes.join(' ')) }
  const answer = await fetch(`${bench.twin.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${oauthClient.id}:${oauthClient.secret}`).toString('base64')}` },
    body: new URLSearchParams({ ...form, redirect_uri: oauthClient.redirectUri }),
  })
  const told = (await answer.json()) as Record<string, string>
  // The token goes to Pipedrive's hosts only, so the twin stands in for one.
  const host = 'https://acme.pipedrive.com'
  const more = Object.fromEntries(keeps.map((name) => [name, told[name]?.replace(bench.twin.url, host) ?? '']))
  const { outbound } = accountOf()
  const moved: Outbound = {
    ...outbound,
    request: (url, options) => outbound.request(url.replace(host, bench.twin.url), options),
    stream: (url, options) => outbound.stream(url.replace(host, bench.twin.url), options),
  }
  const oauth = { grantId: 'g', instance: '', refreshToken: told.refresh_token ?? null, renewAt: null }
  return {
    ...accountOf(),
    outbound: moved,
    access: { instanceUrl: null, username: null, token: told.access_token ?? null, more, oauth },
  }
}

test('an app reads, writes and searches with its requested permissions, at the address that came with the token', async () => {
  const source = openPipedrive(await signIn('source'))
  for (const entity of ['tags', 'stages', 'accounts', 'contacts', 'deals', 'activities', 'notes', 'attachments']) {
    expect((await source.read(entity, null, {})).items, entity).toBeDefined()
  }
  const account = await signIn('destination')
  expect(await pipedrive.destination?.checkAccount(account)).toMatchObject({ id: expect.any(String) })
  const destination = openPipedriveWriter(account)
  await destination.describe()
  const [pipeline] = await destination.write('pipelines', [record({ name: 'Boats' })])
  const customFields = { a: { label: 'A', type: 'option' as const, value: 'x' } }
  const [ada] = await destination.write('contacts', [record({ name: 'Ada' }, { customFields })])
  expect([pipeline?.result, ada?.result]).toEqual(['written', 'written'])
  const deal = record({ name: 'Boat' })
  await destination.write('deals', [deal])
  expect(await destination.find('deals', [soughtOf(deal), soughtOf(record({}))])).toHaveLength(1)
  expect(seenAt('/itemSearch/field')).toBe(1)
})

test('the longest note that Pipedrive accepts has room for our key', async () => {
  const related = to('accounts', await write('accounts', record({ name: 'One' })))
  const most = (await writer().describe()).entities.notes?.fields.body?.maxLength ?? 100_000
  const note = record({ related, body: 'x'.repeat(most) })
  expect(most).toBeGreaterThan(90_000)
  expect(await writer().write('notes', [note])).toMatchObject([{ result: 'written' }])
})

test.each([
  ['GET', '/api/v1/leads', 20],
  ['GET', '/api/v1/leads/archived', 40],
  ['GET', '/api/v2/deals/archived', 20],
  ['GET', '/api/v2/itemSearch/field', 20],
  ['GET', '/api/v1/notes/5', 2],
  ['DELETE', '/api/v1/notes/5', 6],
  ['PATCH', '/api/v2/persons/5', 5],
])('%s %s costs %i tokens', (method, path, tokens) => {
  const day = pipedrive.limits?.find(({ name }) => name === 'day')
  expect(day?.cost?.({ method, url: new URL(path, 'https://api.pipedrive.com') })).toBe(tokens)
})
