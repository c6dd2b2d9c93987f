import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProgram } from '../support/program.ts'

test("a worker's request that a tool does not have is recorded, and a known request is not", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-watch-'))
  const wrong = join(folder, 'wrong')
  // Nobody listens at this address: the request is checked before it is sent.
  const origin = 'http://127.0.0.1:9'
  const send = (path: string, json: object) =>
    `await request('${origin}${path}', { method: 'POST', body: '${JSON.stringify(json)}',
      headers: { 'content-type': 'application/json' } }).catch(() => {})`
  const script = [
    "import { request } from 'undici'",
    send('/issues.json', { issue: { subject: 'x', project_id: 1 } }),
    send('/issues.json', { issue: { subject: 'x', created_on: 'now' } }),
    send('/issuez.json', {}),
  ]
  const watcher = join(import.meta.dirname, 'watch-requests.ts')
  const program = startProgram(
    process.execPath,
    [`--import=${watcher}`, '--input-type=module', '-e', script.join('\n')],
    { env: { PATH: process.env.PATH, LIVE_TOOLS: JSON.stringify({ [origin]: 'redmine' }), WRONG_REQUESTS: wrong } },
  )
  expect(await program.finished).toMatchObject({ code: 0 })
  expect((await readFile(wrong, 'utf8')).trim().split('\n')).toEqual([
    'POST /issues.json: /issue must not have additional properties: created_on',
    'POST /issuez.json: the tool has no such request',
  ])
  await rm(folder, { recursive: true })
})
