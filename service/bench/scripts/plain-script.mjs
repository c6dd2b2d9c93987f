// What people write for a move: pages, a limit of requests at once, retries, and a file with the position. Run as:
//   node plain-script.mjs <desk> <destination> <position file> <p-limit's folder> <requests at once>
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const [desk, destination, positionFile, folder, atOnce] = process.argv.slice(2)
const { default: pLimit } = await import(pathToFileURL(`${folder}/index.js`).href)
const limit = pLimit(Number(atOnce))

async function call(url, options = {}, read = 'json') {
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await fetch(url, options)
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
      return await answer[read]()
    } catch (error) {
      if (attempt === 5) throw error
      await sleep(200 * 2 ** attempt)
    }
  }
}
const post = (path, body) =>
  call(`${destination}/plain${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function copyTicket({ id, subject, description }) {
  const ticket = await post('/tickets', { source: `tickets/${id}`, subject, description })
  const { data } = await call(`${desk}/api/v1/tickets/${id}/comments`)
  for (const { id: number, body, attachments } of data) {
    const comment = await post(`/tickets/${ticket.id}/comments`, { source: `comments/${number}`, body })
    for (const file of attachments) {
      const bytes = await call(`${desk}/api/v1/attachments/${file.id}/content`, {}, 'arrayBuffer')
      const source = encodeURIComponent(`attachments/${file.id}`)
      await call(`${destination}/plain/comments/${comment.id}/files?source=${source}`, { method: 'POST', body: bytes })
    }
  }
}

let after = ''
try {
  after = readFileSync(positionFile, 'utf8')
} catch {
  // The first start has no position yet.
}
while (after !== 'end') {
  const { data, next } = await call(`${desk}/api/v1/tickets?limit=100&after=${after}`)
  await Promise.all(data.map((ticket) => limit(() => copyTicket(ticket))))
  after = next ?? 'end'
  writeFileSync(positionFile, after)
}
