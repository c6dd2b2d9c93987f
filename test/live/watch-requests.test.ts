import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProgram } from '../support/program.ts'

test('a request of a worker that a tool does not know is written down, and one that it knows is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-watch-'))
  const wrong = join(folder, 'wrong')
  // Nobody listens there: the request is checked before it leaves.
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
