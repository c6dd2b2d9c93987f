import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAs } from '../../live/wordpress-seed.ts'
import { type Recording, readRecordings, seedRecorded } from './recordings.ts'
import { startWordpressTwin, type WordpressTwin } from './twin.ts'

// The twin must give the recorded answers of the real site to the same requests in the same order.

let twin: WordpressTwin
beforeAll(async () => {
  twin = await startWordpressTwin()
  await seedRecorded(callAs(twin.access))
})
afterAll(() => twin.close())

/** True for times and texts that differ on each fresh site, which are not compared. */
const isOther = (path: readonly string[], value: unknown): boolean =>
  /^(date|modified)/.test(path.at(-1) ?? '') && String(value) > '2026'
const freshTexts = /Welcome to WordPress|this is a comment|Privacy Policy|an example page/

async function play({ request }: Recording): Promise<{ status: number; json: unknown }> {
  const authorization = `Basic ${Buffer.from(`${twin.access.username}:${twin.access.token}`).toString('base64')}`
  const query = new URLSearchParams(request.query)
  if (query.has('before')) query.set('before', new Date(Date.now() - 3_600_000).toISOString())
  const isForm = request.body === 'a form'
  const form = new FormData()
  form.set('slug', 'wherry-b2baf0cd2d6eff53cce323187f70426f')
  form.set('date_gmt', '2016-02-29T12:34:56Z')
  form.set('file', new Blob(['words']), 'words.txt')
  const answer = await fetch(`${twin.url}/?${query}`, {
    method: request.method,
    headers: { authorization, ...(!isForm && { 'content-type': 'application/json' }) },
    ...(isForm ? { body: form } : request.body === null ? {} : { body: JSON.stringify(request.body) }),
  })
  return { status: answer.status, json: await answer.json() }
}

/** Differences of the twin's answer from the real site's, and parts that the real site never has. */
function differences(real: unknown, own: unknown, path: readonly string[] = []): string[] {
  const at = path.join('.')
  if (isOther(path, real) || (typeof real === 'string' && freshTexts.test(real))) return []
  if (Array.isArray(real) && Array.isArray(own)) {
    if (real.length !== own.length) return [`${at}: ${own.length} instead of ${real.length}`]
    return real.flatMap((one, index) => differences(one, own[index], [...path, String(index)]))
  }
  if (typeof real === 'object' && real !== null && typeof own === 'object' && own !== null) {
    const known = real as Record<string, unknown>
    return Object.entries(own).flatMap(([name, value]) => {
      if (path.at(-1) === 'headers' && known[name] === undefined) return []
      return name in known
        ? differences(known[name], value, [...path, name])
        : [`${[...path, name].join('.')}: the real site has no such field`]
    })
  }
  return real === own ? [] : [`${at}: ${JSON.stringify(own)} instead of ${JSON.stringify(real)}`]
}

/** Requested fields that are missing. */
function missing({ request }: Recording, json: unknown): string[] {
  const asked = (request.query._fields ?? '').split(',').filter((name) => name !== '' && name !== '_links')
  const { body = json } = json as { body?: unknown }
  const records = Array.isArray(body) ? body : [body]
  return records.flatMap((record) => asked.filter((name) => !(name in (record as object))))
}

test('every recorded request gets the same answer from the twin as from the real site', async () => {
  const wrong: string[] = []
  for (const recording of readRecordings()) {
    const { request, response } = recording
    const { status, json } = await play(recording)
    const real: unknown = JSON.parse(JSON.stringify(response.body).replaceAll('{{site}}', twin.url))
    const said = [
      ...(status === response.status ? [] : [`${status} instead of ${response.status}`]),
      ...differences(real, json),
      ...missing(recording, json).map((name) => `${name} is missing`),
    ]
    wrong.push(...said.map((one) => `${request.method} ${request.query.rest_route}: ${one}`))
  }
  expect(wrong).toEqual([])
})
