import { afterAll, expect, test } from 'vitest'
import { endIdleThreads } from '../threads/run-in-thread.ts'
import { changeText, createRecordBudget, findAddresses, tryHere } from './budget-text.ts'
import { convertText } from './convert-text.ts'

afterAll(endIdleThreads)

const none = { links: new Map<string, string>(), from: null, isCut: false }

/** Short texts that keep a parser busy for hours. */
const endless = [
  ['markdown', '**a_'.repeat(10_000)],
  ['textile', '<a href="x" '.repeat(200)],
  ['textile', '('.repeat(4_000)],
] as const

test.each(endless)('%s that takes hours arrives as plain text, with its own loss', async (format, body) => {
  for (const to of ['html', 'markdown'] as const) {
    const changed = await changeText({ format, body }, to, none)
    expect(changed.losses).toEqual({ too_complex: 1 })
    // The shown text equals the typed text.
    expect(convertText({ format: to, body: changed.body }, 'plain').body.replace(/\s/g, '')).toBe(
      body.replace(/\s/g, ''),
    )
  }
  expect(await findAddresses({ format, body })).toBeNull()
})

test('a short text that keeps a parser busy for hours moves to a thread after a moment', () => {
  const text = { format: 'textile' as const, body: '('.repeat(4_000) }
  const budget = createRecordBudget()
  expect(tryHere(text, budget, () => convertText(text, 'html'))).toBeNull()
  // The record's budget is spent, so its other texts are not tried here.
  expect(tryHere(text, budget, () => expect.fail('it was tried'))).toBeNull()
})

test('the texts of a record share a time budget; when it is used up, the rest arrive as plain text at once', async () => {
  const budget = { hereMs: 0, threadMs: 1_200 }
  const endless = { format: 'markdown' as const, body: '**a_'.repeat(10_000) }
  const first = await changeText(endless, 'html', none, budget)
  const left = budget.threadMs
  expect(left).toBeLessThan(300)
  const second = await changeText(endless, 'html', none, budget)
  const third = await changeText({ format: 'html', body: '<b>Bold</b>' }, 'markdown', none, budget)
  expect(budget.threadMs).toBeLessThanOrEqual(0)
  expect([first, second, third].map(({ losses }) => losses)).toEqual(Array(3).fill({ too_complex: 1 }))
  expect(third.body).toContain('Bold')
  // Another record has its own budget.
  expect(await changeText({ format: 'html', body: '<b>Bold</b>' }, 'markdown', none)).toEqual({
    body: '**Bold**',
    losses: {},
  })
})

test('a long text is converted in a thread exactly as here', async () => {
  const html = '<h2>Title</h2><p>Hello <b>you</b>, see <a href="https://old.example/1">this</a></p>'.repeat(200)
  const links = { ...none, links: new Map([['https://old.example/1', 'https://new.example/9']]) }
  expect(await findAddresses({ format: 'html', body: html })).toEqual({
    listed: ['https://old.example/1'],
    asked: ['https://old.example/1'],
    isCut: false,
  })
  const changed = await changeText({ format: 'html', body: html }, 'markdown', links)
  expect(changed).toEqual(
    convertText({ format: 'html', body: html.replaceAll('old.example/1', 'new.example/9') }, 'markdown'),
  )
})

test('a text of unlimited size is not parsed', async () => {
  const body = '<p>word</p>'.repeat(3_200_000)
  const changed = await changeText({ format: 'html', body }, 'plain', none)
  expect(changed.losses).toEqual({ too_complex: 1 })
  expect(changed.body).toHaveLength(body.length)
})

test('threads keep working after one of them was ended', async () => {
  const [first, second, third] = await Promise.all([
    changeText({ format: 'textile', body: '('.repeat(4_000) }, 'html', none),
    changeText({ format: 'html', body: '<b>x</b>' }, 'markdown', none),
    changeText({ format: 'html', body: '<i>y</i>' }, 'markdown', none),
  ])
  expect([first.losses, second.body, third.body]).toEqual([{ too_complex: 1 }, '**x**', '_y_'])
})
