import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueToken } from '../../service/src/partners/issue-token.ts'
import { revokeToken } from '../../service/src/partners/revoke-token.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

let first: TestService
let second: TestService
beforeAll(async () => {
  first = await startTestService()
  second = await startTestService({ databaseUrl: first.databaseUrl })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const createImport = async (partner: TestPartner, username = 'jane') => {
  const body = { source_tool: 'fernhill', destination_username: username }
  const { json } = await partner.call('POST', '/api/v2.1/imports', body)
  return json as { id: string; token: string }
}
const createPartners = (count: number) => Promise.all(Array.from({ length: count }, () => first.createPartner()))

test('parallel requests get their own answers: import, list, not found, revoked, unknown', async () => {
  const partners = await createPartners(4)
  const imports = await Promise.all(partners.map((partner) => createImport(partner)))
  const revoked = await issueToken(first.db, { partnerId: String(partners[0]?.id), label: null })
  await revokeToken(first.db, revoked.id)
  const refused = [revoked.api_token, `wht_${'a'.repeat(43)}`].map(async (token) => {
    expect((await first.call('GET', `/api/v2.1/imports/${imports[0]?.id}`, { token })).status).toBe(401)
  })
  const answered = partners.map(async (partner, index) => {
    const [own, others] = [imports[index], imports[(index + 1) % imports.length]]
    const [found, missing, list, tools] = await Promise.all([
      partner.call('GET', `/api/v2.1/imports/${own?.id}`),
      partner.call('GET', `/api/v2.1/imports/${others?.id}`),
      partner.call('GET', '/api/v2.1/imports?destination_username=jane'),
      partner.call('GET', '/api/v2.1/tools'),
    ])
    expect(found.json).toMatchObject({ id: own?.id, token: own?.token })
    expect(missing.status).toBe(404)
    expect(list.json.map(({ id }: { id: string }) => id)).toEqual([own?.id])
    expect(tools.status).toBe(200)
  })
  await Promise.all([...refused, ...answered])
})

test('of parallel requests, as many are accepted as the limit leaves, each with a different remaining number', async () => {
  const partner = await first.createPartner()
  const extra = await issueToken(first.db, { partnerId: partner.id, label: null })
  const start = performance.now()
  const tokens = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? partner.api_token : extra.api_token))
  const answers = await Promise.all(tokens.map((token) => first.call('GET', '/api/v2.1/tools', { token })))
  const seconds = Math.ceil((performance.now() - start) / 1_000)
  const accepted = answers.filter(({ status }) => status === 200)
  expect(accepted.length).toBeGreaterThanOrEqual(10)
  expect(accepted.length).toBeLessThanOrEqual(10 * seconds)
  const left = accepted.slice(0, 10).map(({ headers }) => headers.ratelimit)
  // On a busy machine the requests may take more than one second, and numbers repeat.
  if (seconds === 1) expect(new Set(left).size).toBe(10)
  for (const { status, headers } of answers.filter((answer) => !accepted.includes(answer))) {
    expect([status, headers.ratelimit, headers['retry-after']]).toEqual([429, '"partner";r=0;t=1', '1'])
  }
})

test('two processes that count the same partners at the same time never block each other', async () => {
  const partners = await createPartners(12)
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      [first, second].flatMap((service, side) =>
        // Each process gets the partners in another order.
        (side === 0 ? partners : partners.toReversed()).map(({ api_token: token }) =>
          service.call('GET', '/api/v2.1/tools', { token }),
        ),
      ),
    )
    for (const { status } of answers) expect([200, 429]).toContain(status)
  }
})

test('a list is complete and in order, short or long, and also when requested together with others', async () => {
  const service = await startTestService({ databaseUrl: first.databaseUrl, config: { rateLimit: 0 } })
  try {
    const { api_token: token } = await first.createPartner()
    const create = async (username: string) => {
      const body = { source_tool: 'fernhill', destination_username: username }
      return (await service.call('POST', '/api/v2.1/imports', { token, body })).json.id as string
    }
    const ids: Record<string, string[]> = { few: [], twenty: [], many: [], none: [] }
    for (const [username, count] of Object.entries({ few: 2, twenty: 20, many: 23 })) {
      for (let index = 0; index < count; index++) ids[username]?.unshift(await create(username))
    }
    const list = async (username: string, more = '') => {
      const path = `/api/v2.1/imports?destination_username=${username}${more}`
      const { json, headers } = await service.call('GET', path, { token })
      return { ids: json.map(({ id }: { id: string }) => id), hasNext: headers.link !== undefined }
    }
    await Promise.all(
      Object.entries(ids).map(async ([username, all]) => {
        expect(await list(username), username).toEqual({ ids: all, hasNext: false })
        for (const limit of [1, 2, 19, 20, 21, 23, 24]) {
          const page = { ids: all.slice(0, limit), hasNext: all.length > limit }
          expect(await list(username, `&limit=${limit}`), `${username} ${limit}`).toEqual(page)
        }
      }),
    )
    const after = ids.many?.[4]
    expect(await list('many', `&limit=3&after=${after}`)).toEqual({ ids: ids.many?.slice(5, 8), hasNext: true })
  } finally {
    await service.close()
  }
})
