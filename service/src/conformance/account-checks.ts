import { answers } from '../connectors/open/schema.ts'
import { isFamily } from '../families/index.ts'
import type { Check } from './check.ts'
import { expectSame, expectThat, SkippedError } from './expectations.ts'

const isRefusedToken = (status: number) => status === 401 || status === 403
const isClientError = (status: number) => status >= 400 && status <= 499

export const accountChecks: Check[] = [
  {
    name: 'describe names families that exist, and types its fields as they do',
    async run({ description, specimens }) {
      for (const family of description.families) expectThat(isFamily(family), 'only known families', family)
      expectThat(specimens.offers.length > 0, 'at least one entity of its families', Object.keys(description.entities))
      for (const { entity, fields } of specimens.offers) {
        for (const [name, { offered, defined }] of Object.entries(fields)) {
          expectSame(`${entity}.${name} to have the type`, defined.type, offered.type)
          expectSame(`many of ${entity}.${name} to be`, defined.many ?? false, offered.many ?? false)
          const hasOptions = offered.type !== 'option' || (offered.options ?? []).length > 0
          expectThat(hasOptions, `options of ${entity}.${name}`, offered.options)
        }
      }
    },
  },
  {
    name: 'describe lists entities of its families, each with the fields that it cannot do without',
    async run({ description, specimens }) {
      for (const [name, { fields }] of Object.entries(description.entities)) {
        const isWhole = specimens.offers.some(({ entity }) => entity === name)
        expectThat(isWhole, `${name} to be an entity of its families with the fields they require`, Object.keys(fields))
      }
    },
  },
  {
    name: 'describe is the same for the same account',
    async run({ client, description }) {
      expectSame('the same description', description, (await client.request('/describe')).json)
    },
  },
  {
    name: 'users come in pages that together hold everyone once',
    async run({ client }) {
      const all = await readUsers(client.request, 200)
      if (all.length < 2) throw new SkippedError('fewer than two users')
      const perPage = Math.ceil(all.length / Math.min(all.length, 5))
      expectSame('the same users in smaller pages', all, await readUsers(client.request, perPage))
      expectSame('ids that are all different', all.length, new Set(all).size)
    },
  },
  {
    name: 'a wrong token is answered with 401 or 403',
    async run({ client, specimens }) {
      const { entity } = specimens.choose('any field', () => true)
      for (const token of ['wrong', null]) {
        const read = await client.request('/describe', { token })
        expectThat(isRefusedToken(read.status), '401 or 403 for GET /describe', read.status)
        const write = await client.request(`/records/${entity}`, { method: 'PUT', token, json: { records: [] } })
        expectThat(isRefusedToken(write.status), '401 or 403 for PUT /records', write.status)
      }
    },
  },
  {
    name: 'an entity that does not exist is answered with 404',
    async run({ client }) {
      for (const [method, path, json] of [
        ['PUT', '/records/no_such_entity', { records: [] }],
        ['POST', '/records/no_such_entity/find', { external_ids: ['a'] }],
        ['POST', '/records/no_such_entity/delete', { records: [] }],
      ] as const) {
        expectSame(`status of ${method} ${path} to be`, 404, (await client.request(path, { method, json })).status)
      }
    },
  },
  {
    name: 'a request that breaks the protocol is answered with 4xx',
    async run({ client, specimens }) {
      const { entity } = specimens.choose('any field', () => true)
      const headers = { 'content-type': 'application/json' }
      for (const body of ['{"records":', '', '[]', '{"records":"all"}', '{"records":[{"fields":{}}]}']) {
        const { status } = await client.request(`/records/${entity}`, { method: 'PUT', headers, body })
        expectThat(isClientError(status), `4xx for the body ${body || '(empty)'}`, status)
      }
    },
  },
]

async function readUsers(
  request: (path: string) => Promise<{ status: number; json: unknown }>,
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  let after = ''
  for (let pages = 0; pages < 200; pages += 1) {
    const { json } = await request(`/users?limit=${limit}${after}`)
    const fault = answers.users.findFault(json)
    expectThat(fault === null, `the answer of the protocol (${fault})`, json)
    const { data, next } = answers.users.read(json)
    expectThat(data.length <= limit, `at most ${limit} users in a page`, data.length)
    ids.push(...data.map(({ id }) => id))
    if (next === null || next === undefined) return ids
    after = `&after=${encodeURIComponent(next)}`
  }
  throw new SkippedError('more users than are read for a check')
}
