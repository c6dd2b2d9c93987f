import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestPartner, TestService } from '../support/service.ts'
import { apiRoutes, countRows, expectHarmless, startHostileTarget } from './harmless.ts'
import { rawRequest, sendRaw } from './raw-http.ts'

let service: TestService
let partner: TestPartner
let importId: string
beforeAll(async () => {
  service = await startHostileTarget()
  partner = await service.createPartner()
  importId = (await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })).json.id
})
afterAll(() => service.close())

const prefixes = ['/api/v2.1', '/api/sandbox']
const sandboxId = 'imp_sandbox_in_preparation'
// Without a time limit: the request in which it falls would go on, and change the rows that the next test counts.
const runs = { numRuns: 150 }

/** Sends a body to POST /imports and checks that only accepted bodies left rows behind. */
async function create(prefix: string, body: unknown, headers: Record<string, string> = {}) {
  const before = await countRows(service)
  const answer = await partner.call('POST', `${prefix}/imports`, body, headers)
  expectHarmless({ status: answer.status, body: answer.text }, `POST ${prefix}/imports`)
  const created = answer.status === 201 && prefix === '/api/v2.1' ? 1 : 0
  const after = await countRows(service)
  expect(after.imports).toBe(Number(before.imports) + created)
  if (created === 0) expect(after).toEqual(before)
  return answer
}

/** Sends one raw request that must be refused or have no effect, and returns the first answer. */
async function probe(line: string, request: Parameters<typeof rawRequest>[1] = {}) {
  const before = await countRows(service)
  const [answer] = await sendRaw(service.port, rawRequest(line, request))
  if (!answer) throw new Error(`${line} got no answer`)
  expectHarmless(answer, line.slice(0, 200))
  expect(await countRows(service)).toEqual(before)
  return answer
}

const wrongTypes: [string, unknown[]][] = [
  [
    'source_tool',
    [1, true, [], {}, ['fernhill'], { toString: 'fernhill' }, 1e308, '', ' ', '\u0000', 'x'.repeat(60_000)],
  ],
  [
    'destination_instance_url',
    [
      0,
      false,
      [],
      {},
      'x',
      '\n',
      'http://',
      'ftp://a.example',
      'http://a b',
      'http://[::1',
      'http://u:p@a.example',
      'http://a.example/#',
      '//a.example',
      'javascript:alert(1)',
      'http:a.example',
      `http://a.example/${'x'.repeat(2048)}`,
    ],
  ],
  [
    'destination_instance_url',
    [
      'http://127.1',
      'http://0x7f000001',
      'http://[::ffff:10.0.0.1]',
      'http://localhost.',
      'http://169.254.169.254/',
      'http://[fe80::1]',
      'http://[64:ff9b::a00:1]',
      'http://[::127.0.0.1]',
      'http://0',
      'http://ａ.localhost',
    ],
  ],
  ['destination_username', [7, true, [], {}, 'a\u0000b', '\n', '\u007f', 'x'.repeat(321)]],
  ['destination_token', [7, true, [], {}, 'a\u0000b', 'x'.repeat(8193)]],
  ['start_full', ['true', 1, 0, [], {}, '\n']],
  ['family', ['HELPDESK', 1, [], {}, 'helpdesk ', '__proto__', 'constructor', '\n']],
]

describe.each(prefixes)('%s', (prefix) => {
  test.each(wrongTypes)('refuses wrong values of %s with a message only for that field', async (property, values) => {
    for (const value of values) {
      const answer = await create(prefix, { source_tool: 'fernhill', [property]: value })
      expect([answer.status, Object.keys(answer.json)], JSON.stringify(value).slice(0, 100)).toEqual([422, [property]])
    }
  })

  test('refuses halves of surrogate pairs in every text', async () => {
    for (const property of ['source_tool', 'destination_instance_url', 'destination_username', 'destination_token']) {
      for (const half of ['\\ud800', '\\udfff', 'a\\ud83d', '\\ude00\\ud83d']) {
        const answer = await create(prefix, `{"source_tool":"fernhill","${property}":"${half}"}`)
        expect([answer.status, Object.keys(answer.json)], `${property} ${half}`).toEqual([422, [property]])
      }
    }
  })

  const malformed: [string, string | Uint8Array][] = [
    ['64 KiB of opening brackets', '['.repeat(64 * 1024)],
    ['64 KiB of opening objects', '{"a":'.repeat(13_000)],
    ['10 MB of name', `{"source_tool":"${'x'.repeat(10_000_000)}"}`],
    ['one byte over 64 KiB', `{"source_tool":"${'x'.repeat(64 * 1024 - 17)}"}`],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from('{"source_tool":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}')]),
    ],
    ['UTF-16', Buffer.from('{"source_tool":"fernhill"}', 'utf16le')],
    ['an unescaped NUL', '{"source_tool":"fern\u0000hill"}'],
    ['an unescaped control character', '{"source_tool":"fern\u0001hill"}'],
    ['two byte order marks', '\ufeff\ufeff{"source_tool":"fernhill"}'],
    ['two objects', '{"source_tool":"fernhill"}{}'],
    ['a trailing comma', '{"source_tool":"fernhill",}'],
    ['single quotes', "{'source_tool':'fernhill'}"],
    ['NaN', '{"source_tool":"fernhill","start_full":NaN}'],
    ['white space', ' \r\n\t '],
    ['nothing', ''],
    ['an array', '[{"source_tool":"fernhill"}]'],
    ['null', 'null'],
    ['a text', '"fernhill"'],
    ['a number', '1e999'],
    ['a form', 'source_tool=fernhill'],
    ['XML', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ]
  test.each(malformed)('answers 400 to a body that is %s', async (_name, body) => {
    expect((await create(prefix, body)).status).toBe(400)
  })

  test('answers 400 to 10 MB in chunks without a length', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const head = rawRequest(`POST ${prefix}/imports`, {
      token: partner.api_token,
      headers: ['Transfer-Encoding: chunked'],
    })
    const [answer] = await sendRaw(service.port, [head, ...Array<string>(160).fill(chunk), '0\r\n\r\n'])
    expect(answer).toMatchObject({ status: 400, headers: { 'content-type': 'application/json; charset=utf-8' } })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/xml',
    'json',
    'application/json-patch',
    ';',
    ',',
    '/',
    'application/',
    'application/json, text/plain',
    'a/b;c="',
    'applicatiön/json',
  ])('answers 400 to the content type %s', async (type) => {
    const body = '{"source_tool":"fernhill"}'
    const answer = await probe(`POST ${prefix}/imports`, {
      token: partner.api_token,
      headers: [`Content-Type: ${type}`],
      body,
    })
    expect(answer.status).toBe(400)
  })

  test('treats names of the prototype as unknown properties, and uses the last of two equal names', async () => {
    const bodies = [
      '{"__proto__":{"start_full":"yes"},"source_tool":"fernhill"}',
      '{"constructor":{"prototype":{"x":1}},"prototype":1,"toString":null,"hasOwnProperty":1,"source_tool":"fernhill"}',
      '{"source_tool":5,"source_tool":"fernhill"}',
      `{"source_tool":"fernhill","x":${'9'.repeat(5000)},"y":-1e-999,"z":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      '\ufeff{"source_tool":"fernhill"}',
    ]
    for (const body of bodies) expect((await create(prefix, body)).status, body.slice(0, 100)).toBe(201)
    const onlyByInheritance = await create(prefix, '{"__proto__":{"source_tool":"fernhill"}}')
    expect([onlyByInheritance.status, onlyByInheritance.json]).toEqual([422, { source_tool: ["can't be blank"] }])
    expect(({} as Record<string, unknown>).start_full).toBeUndefined()
  })

  test('survives any JSON as a body', async () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.constant('fernhill'),
    )
    const body = fc.record(
      {
        source_tool: value,
        destination_instance_url: value,
        destination_username: value,
        destination_token: value,
        start_full: value,
        family: value,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(body, fc.jsonValue()),
        async (json) => void (await create(prefix, JSON.stringify(json))),
      ),
      runs,
    )
  })

  test('survives any bytes as a body, on every route, with any content type', async () => {
    const routes = apiRoutes(prefix, prefix === '/api/v2.1' ? importId : sandboxId)
    const type = fc.oneof(fc.constant('application/json'), fc.stringMatching(/^[!-~]{1,30}$/))
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.json().map((text) => Buffer.from(text)),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), type, bytes, async ({ method, path }, contentType, body) => {
        await probe(`${method} ${path}`, {
          token: partner.api_token,
          headers: [`Content-Type: ${contentType}`],
          // No JSON object starts with this byte, because another test covers accepted bodies.
          body: Buffer.concat([Buffer.from('!'), body]),
        })
      }),
      runs,
    )
  })
})
