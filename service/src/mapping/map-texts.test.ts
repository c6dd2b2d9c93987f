import { afterAll, expect, test } from 'vitest'
import { endIdleThreads } from '../threads/run-in-thread.ts'
import { createTextMapper, type FollowedLink, type Links } from './map-texts.ts'

afterAll(endIdleThreads)

const follow = (address: string, attachment?: string): FollowedLink => {
  if (attachment !== undefined) return { url: `https://new.example/files/${attachment}` }
  if (address.startsWith('/later')) return { url: `https://old.example${address}`, isOpen: true }
  if (address.startsWith('/old')) return { url: `https://old.example${address}`, end: 'old' }
  return address.startsWith('/') ? { url: null, end: 'nowhere' } : { url: null }
}
const links: Links = { from: 'https://old.example/', follow }

test('a text reports which of its links are unresolved, point to the source, or are broken', () => {
  const mapper = createTextMapper(links, new Map())
  const body =
    '<p><a href="/later">a</a><a href="/old">b</a><a href="/stray">c</a><a href="https://x.example/">d</a></p>'
  expect(mapper.mapText({ format: 'html', body }, 'html')).toMatchObject({
    body: body.replace('/later', 'https://old.example/later').replace('/old"', 'https://old.example/old"'),
    hasOpenLinks: true,
    oldLinks: ['https://old.example/old'],
    strayLinks: ['/stray'],
  })
})

test('a file that the text refers to by id is found by that id', () => {
  const mapper = createTextMapper(links, new Map())
  const text = {
    format: 'html' as const,
    body: '<p><img src="/old.png" alt="x"></p>',
    inlineFiles: [{ url: '/old.png', attachment: '7' }],
  }
  expect(mapper.mapText(text, 'html')).toMatchObject({ body: expect.stringContaining('https://new.example/files/7') })
})

test('a long text gives the same result, and reports a limited number of addresses', async () => {
  const mapper = createTextMapper(links, new Map())
  const body = Array.from({ length: 500 }, (_, index) => `<p><a href="/old/${index}">there it is</a></p>`).join('\n')
  expect(mapper.mapText({ format: 'html', body }, 'html')).toBeNull()
  await mapper.catchUp()
  const mapped = mapper.mapText({ format: 'html', body }, 'html')
  expect(mapped?.body).toBe(body.replaceAll('href="', 'href="https://old.example'))
  expect(mapped).toMatchObject({ hasOpenLinks: false, strayLinks: [] })
  expect(mapped?.oldLinks).toHaveLength(10)
})
