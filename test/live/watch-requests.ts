import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { checkLeaving } from '../twins/check-outbound.ts'
import { knownRequests } from './known-requests.ts'

// Loaded into a process of the service by `--import`. It records every request to a real tool that the tool does not
// have. The service is the production one, with nothing replaced.

/** A request as undici reports it. */
interface Announced {
  origin: string | URL
  method: string
  path: string
  /** Alternating names and values. */
  headers: readonly string[]
  body: unknown
}

const { LIVE_TOOLS = '{}', WRONG_REQUESTS = '' } = process.env
const toolAt: Partial<Record<string, string>> = JSON.parse(LIVE_TOOLS)
const told = new Set<string>()

subscribe('undici:request:create', (message) => {
  const { origin, method, path, headers, body } = (message as { request: Announced }).request
  const url = new URL(path, origin)
  const known = knownRequests[toolAt[url.origin] ?? '']
  if (!known) return
  const contentType = headers[headers.findIndex((name) => /^content-type$/i.test(name)) + 1] ?? ''
  for (const wrong of checkLeaving(known, { method, url, contentType, body })) {
    if (!told.has(wrong)) appendFileSync(WRONG_REQUESTS, `${wrong}\n`)
    told.add(wrong)
  }
})
