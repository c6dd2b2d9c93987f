// The code of the thread that `docs-page.ts` starts: makes the page that describes the API to people.
import { parentPort, workerData } from 'node:worker_threads'
import apiReference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import type { RenderedDocs } from './docs-page.ts'

const { docsPrefix } = workerData as { docsPrefix: `/${string}` }
const app = Fastify()
await app.register(apiReference, {
  routePrefix: docsPrefix,
  configuration: {
    url: '/api/openapi.json',
    metaData: { title: 'Wherry partner API' },
    // Everything is served by us: no fonts, statistics or services from elsewhere.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
  },
})
// Copied, because a small buffer shares its memory with others.
const read = async (path: string) => Uint8Array.from((await app.inject(`${docsPrefix}/${path}`)).rawPayload)
parentPort?.postMessage({ page: await read(''), script: await read('js/scalar.js') } satisfies RenderedDocs)
