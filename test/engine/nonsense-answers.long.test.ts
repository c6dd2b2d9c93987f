import { afterEach, expect, test } from 'vitest'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong, presentIn } from './check-harbour.ts'
import { type Journey, startJourney } from './journey.ts'
import { changed, createNonsense, type Nonsense, nonsense } from './nonsense.ts'
import type { PassedAnswer } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

async function expectAllThere(): Promise<void> {
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await compare(journey)).toEqual(nothingWrong)
  await expectSumsToClose(journey, fernhillCounts)
}

/**
 * Works through the run. After this many nonsense answers in a row it waits for a person, and this function resumes it.
 */
async function workOn(kind: 'full' | 'undo'): Promise<void> {
  const run = await journey.start(kind)
  do await journey.work(run)
  while (await journey.resume())
}

// biome-ignore lint/suspicious/noExplicitAny: results of any request
const results = (change: (list: any[]) => unknown) => changed((json) => ({ ...json, results: change(json.results) }))

/** Makes batches small, so that there are requests enough for each kind of nonsense. */
const inSmallBatches = (answer: PassedAnswer): PassedAnswer => {
  const json = JSON.parse(String(answer.body))
  return { ...answer, body: JSON.stringify({ ...json, limits: { ...json.limits, batch: 10 } }) }
}

const ofDestination: Record<string, Record<string, Nonsense>> = {
  'GET /describe': {
    ...nonsense,
    'another protocol': changed((json) => ({ ...json, protocol: 2 })),
    'no limits': changed((json) => ({ ...json, limits: { batch: 0, concurrency: -1 } })),
    'entities of the wrong shape': changed((json) => ({ ...json, entities: { tickets: { fields: [] } } })),
  },
  'GET /users': {
    ...nonsense,
    'no people': changed((json) => ({ ...json, data: null })),
    'people without an id': changed((json) => ({ ...json, data: [{ name: 'Nobody' }] })),
  },
  'PUT /records': {
    ...nonsense,
    'in another order': results((list) => list.toReversed()),
    'one missing': results((list) => list.slice(1)),
    'one too many': results((list) => [...list, list[0]]),
    'one twice': results((list) => list.map((result, index) => (index === 1 ? list[0] : result))),
    'one of another import': results((list) =>
      list.map((result) => ({ ...result, external_id: `x${result.external_id}` })),
    ),
    'an unknown result': results((list) => list.map((result) => ({ ...result, result: 'perhaps' }))),
    'no ids': results((list) => list.map(({ id: _, ...result }) => result)),
    'a version that is no text': results((list) => list.map((result) => ({ ...result, version: 7 }))),
    'refused without a reason': results((list) => list.map(({ external_id }) => ({ external_id, result: 'refused' }))),
    'no list': results(() => ({})),
  },
  'POST /find': {
    ...nonsense,
    'one twice': changed((json) => ({ records: [...json.records, ...json.records] })),
    'one that nobody asked for': changed((json) => ({
      records: json.records.map((record: object) => ({ ...record, external_id: 'stranger' })),
    })),
    'fields of the wrong shape': changed((json) => ({
      records: json.records.map((record: object) => ({ ...record, fields: 'none' })),
    })),
  },
  'POST /delete': {
    ...nonsense,
    'in another order': results((list) => list.toReversed()),
    'one missing': results((list) => list.slice(1)),
    'an unknown result': results((list) => list.map((result) => ({ ...result, result: 'perhaps' }))),
  },
  'PUT /files': {
    ...nonsense,
    'another digest': changed((json) => ({ ...json, sha256: '0'.repeat(64) })),
    'another size': changed((json) => ({ ...json, size: json.size + 1 })),
  },
}

test(
  'a destination that answers nonsense is asked again until its answers are valid, and gets nothing twice',
  limit,
  async () => {
    const spoiled = createNonsense((request) => ofDestination[request] ?? {})
    let isArmed = false
    journey = await startJourney({
      between: {
        // The destination has executed the request, and then answers nonsense.
        destination: async ({ method, path }, pass) => {
          const answer = path === '/describe' ? inSmallBatches(await pass()) : await pass()
          const name = path.startsWith('/records/') ? (/\/(find|delete)$/.exec(path)?.[0] ?? '/records') : path
          return isArmed ? spoiled.apply(`${method} ${name}`, answer) : answer
        },
      },
    })
    await journey.connectSource()
    await journey.connectDestination()
    isArmed = true
    await workOn('full')
    await expectAllThere()
    await workOn('undo')
    expect(await journey.status()).toMatchObject({ status_code: 'migration_cleaned', items: {} })
    expect(await presentIn(journey)).toEqual(new Set())
    expect(spoiled.unseen()).toEqual([])
    expect(new Set(spoiled.seen.map((name) => name.split(':')[0]))).toEqual(new Set(Object.keys(ofDestination)))
  },
)

const pages: Record<string, Nonsense> = {
  ...nonsense,
  'no records': changed((json) => ({ ...json, data: null })),
  'records without ids': changed((json) => ({ ...json, data: [{ subject: 'Nobody' }] })),
  'a cursor that is no text': changed((json) => ({ ...json, next: 7 })),
}
const { gigantic: _, ...lighter } = nonsense
const files: Record<string, Nonsense> = {
  'nothing at all': () => 'drop',
  'shorter than it says': (answer) => ({ ...answer, contentLength: answer.body.length + 10 }),
  'longer than it says': (answer) => ({ ...answer, contentLength: Math.floor(answer.body.length / 2) }),
  'a page for people': () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' }),
  empty: (answer) => ({ ...answer, body: '' }),
  'an error': () => ({ status: 500, headers: {}, body: 'oh' }),
}
const ofSource = (request: string): Record<string, Nonsense> => {
  if (request === '/content') return files
  if (request === '/tickets') return pages
  // Each test uses some of the faults, because all faults everywhere would take too long.
  const kinds = Object.entries(lighter)
  const first = request.length % kinds.length
  return Object.fromEntries([...kinds, ...kinds].slice(first, first + 4))
}

test(
  'a source that answers nonsense is asked again until its answers are valid, and nothing is lost',
  limit,
  async () => {
    const spoiled = createNonsense(ofSource)
    let isArmed = false
    journey = await startJourney({
      between: {
        source: async ({ path }, pass) => {
          const answer = await pass()
          const name = path.endsWith('/content')
            ? '/content'
            : path.replace('/api/v1', '').replace(/^\/agents\/\d+$/, '/agents/:id')
          return isArmed ? spoiled.apply(name, answer) : answer
        },
      },
    })
    await journey.connectSource()
    await journey.connectDestination()
    isArmed = true
    await journey.work(await journey.start('full'))
    await expectAllThere()
    expect(spoiled.unseen()).toEqual([])
    expect(spoiled.seen.length).toBeGreaterThan(50)
    // No file with a wrong length counted as complete.
    expect(JSON.stringify((await journey.status()).warnings)).not.toContain('file_size_differs')
  },
)

test(
  "a file whose length keeps differing from the source's size is copied, and the customer is told",
  limit,
  async () => {
    journey = await startJourney({
      between: {
        source: async ({ path }, pass) => {
          const answer = await pass()
          return path.endsWith('/attachments/1/content') ? { ...answer, body: answer.body.slice(1) } : answer
        },
      },
    })
    await journey.connectSource()
    await journey.connectDestination()
    await journey.work(await journey.start('full'))
    await expectAllThere()
    expect((await journey.status()).warnings).toContainEqual(
      expect.objectContaining({ code: 'file_size_differs', entity: 'attachments', count: 1 }),
    )
  },
)
