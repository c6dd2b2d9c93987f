// A careful migration script: pages, batches, a limit of parallel requests, retries, and a file with the position.
// Run as:
//   node plain-script.mjs <desk> <destination> <position file> <p-limit's folder> <requests at once> <records in a
// batch>
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const [desk, destination, positionFile, folder, atOnce, batch] = process.argv.slice(2)
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
/** Creates records in batches. Returns their ids in the same order. */
async function create(path, records) {
  const lots = Array.from({ length: Math.ceil(records.length / batch) }, (_, lot) =>
    records.slice(lot * batch, (lot + 1) * batch),
  )
  const answers = await Promise.all(
    lots.map((lot) =>
      limit(() =>
        call(`${destination}/plain${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ records: lot }),
        }),
      ),
    ),
  )
  return answers.flatMap(({ ids }) => ids)
}

async function copyFile(file, comment) {
  const bytes = await call(`${desk}/api/v1/attachments/${file.id}/content`, {}, 'arrayBuffer')
  const source = encodeURIComponent(`attachments/${file.id}`)
  await call(`${destination}/plain/comments/${comment}/files?source=${source}`, { method: 'POST', body: bytes })
}

async function copyPage(tickets) {
  const ids = await create(
    '/tickets',
    tickets.map(({ id, subject, description }) => ({ source: `tickets/${id}`, subject, description })),
  )
  const threads = await Promise.all(tickets.map(({ id }) => limit(() => call(`${desk}/api/v1/tickets/${id}/comments`))))
  const comments = threads.flatMap(({ data }, index) => data.map((comment) => ({ ...comment, ticket: ids[index] })))
  const made = await create(
    '/comments',
    comments.map(({ id, body, ticket }) => ({ source: `comments/${id}`, body, ticket })),
  )
  const files = comments.flatMap(({ attachments }, index) => attachments.map((file) => [file, made[index]]))
  await Promise.all(files.map(([file, comment]) => limit(() => copyFile(file, comment))))
}

let after = ''
try {
  after = readFileSync(positionFile, 'utf8')
} catch {
  // At the first start there is no position file yet.
}
while (after !== 'end') {
  const { data, next } = await call(`${desk}/api/v1/tickets?limit=100&after=${after}`)
  await copyPage(data)
  after = next ?? 'end'
  writeFileSync(positionFile, after)
}
