import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'
import { expectHarmless } from './harmless.ts'
import { rawRequest, sendRaw } from './raw-http.ts'

/** The order of checks. A request fails at the first check that applies. */
const order = { token: 401, rate: 429, path: 404, syntax: 400, rules: 422 } as const
type Fault = keyof typeof order
const faults = Object.keys(order) as Fault[]
const rateLimit = 1000

let service: TestService
let partner: TestPartner
/** This partner has used up its requests for the next hour. */
let exhausted: TestPartner
const ids = { undecided: '', started: '', ofExhausted: '', startedOfExhausted: '' }

beforeAll(async () => {
  service = await startTestService({ config: { rateLimit, failedAuthLimit: 1_000_000 } })
  partner = await service.createPartner()
  exhausted = await service.createPartner()
  const create = async (by: TestPartner) =>
    (await by.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill', start_full: true })).json.id as string
  ids.undecided = await create(partner)
  ids.started = await create(partner)
  ids.ofExhausted = await create(exhausted)
  ids.startedOfExhausted = await create(exhausted)
  // The imports were accepted when created, and have started, so a rejection now breaks a rule.
  await service.pool.query(`update imports set full_started_at = now() where id = any($1)`, [
    [ids.started, ids.startedOfExhausted],
  ])
  await service.pool.query(
    `update rate_windows set accepted_at = array_fill(now() + interval '1 hour', array[${rateLimit}]) where partner_id = $1`,
    [exhausted.id],
  )
})
afterAll(() => service.close())

interface Route {
  method: 'GET' | 'POST'
  path: (faults: Fault[]) => string
  body?: (faults: Fault[]) => string
  possible: Fault[]
  success: number
}

const missingId = 'imp_01jd3k00000000000000000000'
const importOf = (has: Fault[], needsStarted: boolean) => {
  if (has.includes('path')) return missingId
  if (needsStarted) return has.includes('rate') ? ids.startedOfExhausted : ids.started
  return has.includes('rate') ? ids.ofExhausted : ids.undecided
}

function routes(isLive: boolean): Record<string, Route> {
  const id = (has: Fault[], needsStarted = false) =>
    isLive || has.includes('path') ? importOf(has, needsStarted) : 'imp_sandbox_in_preparation'
  const possible: Fault[] = isLive ? faults : faults.filter((fault) => fault !== 'rate')
  return {
    'GET /tools': {
      method: 'GET',
      path: (has) => `/tool${has.includes('path') ? 'z' : 's'}?family=${has.includes('rules') ? 'nope' : 'helpdesk'}`,
      possible,
      success: 200,
    },
    'POST /imports': {
      method: 'POST',
      path: (has) => `/import${has.includes('path') ? 'z' : 's'}`,
      body: (has) => (has.includes('rules') ? '{"source_tool":"nope"}' : '{"source_tool":"fernhill"}'),
      possible,
      success: 201,
    },
    'GET /mappings': {
      method: 'GET',
      path: (has) => `/mapping${has.includes('path') ? 'z' : 's'}`,
      possible: possible.filter((fault) => fault !== 'rules'),
      success: 200,
    },
    'POST /mappings': {
      method: 'POST',
      path: (has) => `/mapping${has.includes('path') ? 'z' : 's'}`,
      body: (has) =>
        JSON.stringify({ name: 'x', source_tool: has.includes('rules') ? 'nope' : 'fernhill', changes: {} }),
      possible,
      success: 201,
    },
    'GET /imports': {
      method: 'GET',
      path: (has) =>
        `/import${has.includes('path') ? 'z' : 's'}?${has.includes('rules') ? '' : 'destination_username=a'}`,
      possible,
      success: 200,
    },
    'GET /imports/:id': {
      method: 'GET',
      path: (has) => `/imports/${id(has)}`,
      possible: possible.filter((fault) => fault !== 'rules'),
      success: 200,
    },
    'POST /imports/:id/payment/accept': {
      method: 'POST',
      path: (has) => `/imports/${id(has)}/payment/accept`,
      possible: possible.filter((fault) => fault !== 'rules'),
      success: 200,
    },
    'POST /imports/:id/payment/reject': {
      method: 'POST',
      path: (has) => `/imports/${id(has, has.includes('rules'))}/payment/reject`,
      possible: isLive ? possible : possible.filter((fault) => fault !== 'rules'),
      success: 200,
    },
  }
}

/** Ways to break the syntax, by place. Each takes a request and returns the broken one. */
const breakages: Record<string, { methods: string[]; breaks: (request: Sent) => Sent }> = {
  'malformed percent-encoding': {
    methods: ['GET', 'POST'],
    breaks: (sent) => ({ ...sent, path: `${sent.path}${sent.path.includes('?') ? '&' : '?'}x=%zz` }),
  },
  'malformed JSON': { methods: ['POST'], breaks: (sent) => ({ ...sent, body: `${sent.body ?? '{}'}}` }) },
  'a body that is no object': { methods: ['POST'], breaks: (sent) => ({ ...sent, body: '[]' }) },
  'another content type': {
    methods: ['POST'],
    breaks: (sent) => ({ ...sent, body: sent.body ?? '{}', type: 'text/plain' }),
  },
  'a malformed content type': {
    methods: ['POST'],
    breaks: (sent) => ({ ...sent, body: sent.body ?? '{}', type: ';' }),
  },
  'a body over 64 KiB': { methods: ['POST'], breaks: (sent) => ({ ...sent, body: `{"x":"${'x'.repeat(70_000)}"}` }) },
}

interface Sent {
  path: string
  body?: string
  type?: string
}

function subsets(of: Fault[]): Fault[][] {
  return Array.from({ length: 2 ** of.length }, (_, bits) => of.filter((_fault, index) => bits & (1 << index)))
}

async function statusOf(line: string, token: string | undefined, { body, type }: Omit<Sent, 'path'> = {}) {
  const [answer] = await sendRaw(
    service.port,
    rawRequest(line, {
      ...(token === undefined ? {} : { token }),
      ...(body === undefined ? {} : { body }),
      headers: type === undefined ? [] : [`Content-Type: ${type}`],
    }),
  )
  if (!answer) throw new Error(`${line} got no answer`)
  expectHarmless(answer, line)
  return answer.status
}

describe.each(['/api/v2.1', '/api/sandbox'])('%s', (prefix) => {
  describe.each(Object.entries(routes(prefix === '/api/v2.1')))('%s', (_name, route) => {
    test.each(subsets(route.possible).map((has) => [has.length === 0 ? 'nothing' : has.join(', '), has] as const))(
      'fails at the first check that applies when wrong are: %s',
      async (_wrong, has) => {
        const first = faults.find((fault) => has.includes(fault))
        const token = has.includes('token') ? undefined : (has.includes('rate') ? exhausted : partner).api_token
        const sent: Sent = { path: route.path(has), ...(route.body ? { body: route.body(has) } : {}) }
        const variants = Object.entries(breakages).filter(([, { methods }]) => methods.includes(route.method))
        const wanted: Record<string, number> = {}
        const got: Record<string, number> = {}
        for (const [variant, { breaks }] of has.includes('syntax')
          ? variants
          : [['well-formed', { breaks: (same: Sent) => same }] as const]) {
          const { path, ...rest } = breaks(sent)
          wanted[variant] = first ? order[first] : route.success
          got[variant] = await statusOf(`${route.method} ${prefix}${path}`, token, rest)
        }
        expect(got).toEqual(wanted)
      },
    )
  })

  const unknown = [
    '',
    '/',
    '/nothing',
    '/tools/x',
    '/imports/x/payment',
    '/imports/x/payment/maybe',
    '/imports/x/y/z/w',
  ]
  test.each(unknown)('an unknown path "%s" asks for the token first, then counts, then is not found', async (path) => {
    for (const query of ['', '?x=%zz']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const line = `${method} ${prefix}${path}${query}`
        const broken = method === 'GET' ? {} : { body: '{', type: ';' }
        expect(await statusOf(line, undefined, broken), line).toBe(401)
        expect(await statusOf(line, `wht_${'x'.repeat(43)}`, broken), line).toBe(401)
        if (prefix === '/api/v2.1') expect(await statusOf(line, exhausted.api_token, broken), line).toBe(429)
        expect(await statusOf(line, partner.api_token, broken), line).toBe(404)
      }
    }
  })

  test("another partner's import is not found, with any body", async () => {
    for (const word of ['accept', 'reject']) {
      const line = `POST ${prefix}/imports/${ids.ofExhausted}/payment/${word}`
      expect(await statusOf(line, partner.api_token, { body: '{' })).toBe(404)
    }
  })

  test('a bad Idempotency-Key does not outrank malformed JSON', async () => {
    const request = rawRequest(`POST ${prefix}/imports`, {
      token: partner.api_token,
      headers: ['Idempotency-Key: '],
      body: '{',
    })
    expect((await sendRaw(service.port, request))[0]?.status).toBe(400)
  })

  test('an unknown Expect header does not skip the check of the token', async () => {
    const [answer] = await sendRaw(service.port, rawRequest(`GET ${prefix}/tools`, { headers: ['Expect: pink'] }))
    expect(answer?.status).toBe(401)
  })

  // This check comes before the order: a proxy in front may read such a request differently from us.
  test.each(['Host: other', 'Authorization: Basic eDp4'])(
    'a second header "%s" is refused before any other check',
    async (header) => {
      const request = rawRequest(`GET ${prefix}/tools`, { token: partner.api_token, headers: [header] })
      expect((await sendRaw(service.port, request))[0]?.status).toBe(400)
    },
  )
})

test.each(['/healthz', '/readyz', '/docs/', '/api/openapi.json', '/nowhere', '/imports/a/b', '/'])(
  'a POST to %s is not found, whatever the body',
  async (path) => {
    expect(await statusOf(`POST ${path}`, undefined, { body: '{', type: 'application/json' })).toBe(404)
    expect(await statusOf(`POST ${path}`, undefined, { body: '{', type: ';' })).toBe(404)
  },
)

test('an unknown path outside the API is not found, also with malformed percent-encoding', async () => {
  expect(await statusOf('GET /nowhere/%zz', undefined)).toBe(404)
  expect(await statusOf('GET /nowhere?x=%ff', undefined)).toBe(404)
})
