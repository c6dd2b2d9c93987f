import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkLeaving } from '../twins/check-outbound.ts'
import { knownRequests } from './known-requests.ts'

const connectors = join(import.meta.dirname, '../../service/src/connectors')

interface Recorded {
  method: string
  path: string
  body?: unknown
}

/** The recorded requests to real tools. */
const read = (folder: string) =>
  readdirSync(join(connectors, folder, 'recordings')).map((file) =>
    JSON.parse(readFileSync(join(connectors, folder, 'recordings', file), 'utf8')),
  )
const recorded: Record<string, () => Recorded[]> = {
  ghost: () =>
    read('blog/ghost').map(({ request: { method, path, query, body } }) => ({
      method,
      path: `${path}?${new URLSearchParams(query)}`,
      // Uploads are sent as forms, so they have no JSON body.
      body: body === null || typeof body !== 'object' || path.includes('/upload/') ? '' : JSON.stringify(body),
    })),
  redmine: () =>
    read('project/redmine').flatMap(({ recordings }) =>
      recordings.map(({ request }: { request: string }) => {
        const [method = '', path = ''] = request.split(' ')
        return { method, path }
      }),
    ),
  rt: () => read('helpdesk/rt').flatMap(({ recordings }) => recordings),
}

test.each(Object.entries(recorded))('every recorded request to a real tool is in the list for %s', (tool, requests) => {
  const known = knownRequests[tool] ?? { operations: [] }
  const wrong = requests().flatMap(({ method, path, body }) => {
    const isJson = /^[{[]/.test(String(body ?? ''))
    const url = new URL(path, 'http://tool.invalid')
    return checkLeaving(known, { method, url, contentType: isJson ? 'application/json' : '', body })
  })
  expect(wrong).toEqual([])
})
