// A source with long and odd texts, and Harbour, in their own process, so that their work is not measured as the
// engine's.
import Fastify from 'fastify'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import type { FamilyRecord, RichText } from '../../service/src/families/record.ts'

const megabyte = 1024 * 1024
const fill = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length))
const sentence = 'The quick brown fox jumps over the lazy dog, and nobody knows why — naïve as it is. '

const texts: Record<string, RichText> = {
  'long-html': { format: 'html', body: `<p>${fill(sentence, 10 * megabyte)}</p>` },
  'long-markdown': { format: 'markdown', body: fill(`${fill(sentence, 20_000)}\n\n`, 10 * megabyte) },
  'long-plain': { format: 'plain', body: fill(`${sentence}1 < 2 & 3 > 2 "so"\n`, 10 * megabyte) },
  'other-script': { format: 'html', body: `<p>${fill('Быстрая лиса 日本語 😀 ', 6 * megabyte)}</p>` },
  'many-tags': { format: 'html', body: fill('<b>bold</b> <i>it</i><br>', megabyte) },
  'open-tags': { format: 'html', body: fill('<', megabyte) },
  'many-links': { format: 'html', body: links((url) => `<a href="${url}">there</a> `) },
  'markdown-links': { format: 'markdown', body: links((url) => `[there](${url}) `) },
  'endless-links': { format: 'html', body: links((url) => `<a href="${new URL(url).pathname}">x</a> `, 100_000) },
  'long-address': { format: 'html', body: `<img src="data:image/png;base64,${fill('A', 3 * megabyte)}">` },
  endless: { format: 'markdown', body: fill('**a_', 100_000) },
  'endless-and-short': { format: 'textile', body: '('.repeat(4_000) },
  'many-quotes': { format: 'markdown', body: fill('>', 100_000) },
}

function links(write: (url: string) => string, length = 5_000): string {
  return Array.from({ length }, (_, index) => write(`https://texts.example/tickets/${index}`)).join('')
}

const tickets = Object.entries(texts).map(
  ([sourceId, description]): FamilyRecord => ({
    entity: 'tickets',
    sourceId,
    sourceUrl: `https://texts.example/tickets/${sourceId}`,
    createdAt: '2024-01-01T00:00:00.000Z',
    fields: {
      subject: sourceId,
      description,
      priority: fill('no such choice ', megabyte),
      channel: fill('no option of anyone ', 20_000),
    },
  }),
)
// Enough additional tickets that a sample has something to choose from.
const more = Array.from(
  { length: 300 },
  (_, index): FamilyRecord => ({
    entity: 'tickets',
    sourceId: `short-${index}`,
    fields: { subject: `Short ${index}`, description: { format: 'html', body: '<p>Hello</p>' } },
  }),
)
const all = [...tickets, ...more]

const app = Fastify({ forceCloseConnections: true })
app.get('/count', async () => ({ tickets: all.length }))
app.get<{ Querystring: { from: string } }>('/tickets', async ({ query }) => {
  // Long texts come one per page, because no tool returns a hundred megabytes at once.
  const from = Number(query.from)
  const to = from < tickets.length ? from + 1 : from + 100
  return { items: all.slice(from, to), warnings: [], next: to < all.length ? String(to) : null }
})
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as { port: number }
const harbour = await startHarbour({ port: 0, dataFile: ':memory:', token: 'harbour-token', adminKey: 'admin-key' })
process.stdout.write(`ready ${JSON.stringify({ source: `http://127.0.0.1:${port}`, harbour: harbour.baseUrl })}\n`)
