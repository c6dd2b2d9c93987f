import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Account, Reader, Wanted } from '../../service/src/connectors/contract/contract.ts'
import { redmine } from '../../service/src/connectors/project/redmine/index.ts'
import { openRedmineReader } from '../../service/src/connectors/project/redmine/reader.ts'
import { openRedmineWriter } from '../../service/src/connectors/project/redmine/writer.ts'
import { entityOf, type Family } from '../../service/src/families/index.ts'
import type { RecordRef } from '../../service/src/families/record.ts'
import { startRedmine } from './redmine.ts'
import { readEntity } from './redmine-copying.ts'
import { outbound } from './redmine-live.ts'
import { seedRedmine } from './redmine-seed.ts'

// Renews service/src/connectors/project/redmine/recordings from a real Redmine: `node test/live/record-redmine.ts`.

interface Recording {
  request: string
  status: number
  contentType: string
  body: unknown
}

const pageSize = 6
const shownAs = 'http://redmine.example'

const tool = await startRedmine('recorded')
await seedRedmine(tool, 8)
const recorded = new Map<string, Recording>()
const proxy = createServer(async (request, response) => {
  const path = String(request.url)
  const answer = await fetch(`${tool.url}${path}`, { headers: { 'x-redmine-api-key': String(tool.access.token) } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const contentType = answer.headers.get('content-type') ?? ''
  recorded.set(path, {
    request: `GET ${path}`,
    status: answer.status,
    contentType,
    body: scrub(path, contentType, bytes),
  })
  response.writeHead(answer.status, { 'content-type': contentType, 'content-length': bytes.length }).end(bytes)
})
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
const account: Account = {
  access: { ...tool.access, instanceUrl: url },
  outbound,
  signal: AbortSignal.timeout(600_000),
}

/**
 * Removes keys and addresses of the machine, which must not be in a repository. Of a page for people, it keeps one
 * line.
 */
function scrub(path: string, contentType: string, bytes: Buffer): unknown {
  if (path === '/news') return /wiki_syntax_\w+/.exec(bytes.toString())?.[0] ?? ''
  if (path.startsWith('/attachments/download/')) return bytes.toString('base64')
  if (!contentType.includes('json') || bytes.length === 0) return ''
  const text = bytes
    .toString()
    .replaceAll(tool.url, shownAs)
    .replace(/"api_key":"[0-9a-f]+"/g, '"api_key":"(removed)"')
  return JSON.parse(text)
}

async function readSome(reader: Reader, entity: string, wanted: Wanted): Promise<void> {
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    cursor = (await reader.readSome?.(entity, wanted, cursor))?.next ?? null
  }
}

await redmine.source?.checkAccount(account)
const entities: Partial<Record<Family, string[]>> = {
  project: [
    'projects',
    'memberships',
    'milestones',
    'components',
    'issues',
    'comments',
    'time_entries',
    'wiki_pages',
    'attachments',
  ],
  helpdesk: ['groups', 'contacts', 'tickets', 'comments', 'attachments'],
}
for (const [family, names] of Object.entries(entities) as [Family, string[]][]) {
  const reader = openRedmineReader(account, family, pageSize)
  await reader.count()
  await reader.countSkipped?.()
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    cursor = (await reader.users(cursor)).next
  }
  for (const name of names) {
    const records = await readEntity(reader, name)
    const times = records.flatMap(({ updatedAt }) => updatedAt ?? []).sort()
    const since = times[Math.floor(times.length / 2)]
    for (
      let cursor: string | null = null, isFirst = true;
      since !== undefined && (isFirst || cursor !== null);
      isFirst = false
    ) {
      cursor = (await reader.read(name, cursor, { since })).next
    }
    const ids = records.map(({ sourceId }) => sourceId)
    await readSome(reader, name, { ids: [...ids, 'no-such-record'] })
    const { parent } = entityOf(family, name)
    const above = records.flatMap(({ fields }) => (parent ? ((fields[parent] as RecordRef | null) ?? []) : []))
    const parents = [...new Map(above.map((ref) => [JSON.stringify(ref), ref])).values()]
    if (parents.length > 0) await readSome(reader, name, { parents })
    for (const record of name === 'attachments' ? records : []) (await reader.openFile(record)).body.resume()
  }
  await openRedmineWriter(account, family).describe()
}
const recordings = [...recorded.values()].sort((a, b) => (a.request < b.request ? -1 : 1))
const about = { tool: 'Redmine 5.0.4', date: new Date().toISOString().slice(0, 10), pageSize }
const folder = join(import.meta.dirname, '../../service/src/connectors/project/redmine/recordings')
await writeFile(join(folder, 'small-account.json'), `${JSON.stringify({ ...about, recordings }, null, 1)}\n`)
console.log(`${recordings.length} answers recorded`)
proxy.closeAllConnections()
proxy.close()
await outbound.close()
await tool.stop()
