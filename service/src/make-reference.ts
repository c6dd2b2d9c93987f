import apiReference from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { type ReferencePage, referencePath, referenceScriptPath } from './reference-page.ts'

/** Runs in a thread: the package holds its script twice, 17 MB that a process would keep for ever. */
export async function makeReference(descriptionUrl: string, title: string): Promise<ReferencePage> {
  const app = fastify()
  await app.register(apiReference, {
    routePrefix: referencePath,
    configuration: {
      url: descriptionUrl,
      metaData: { title },
      // Everything is served by us: no fonts, statistics or services from elsewhere.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
    },
  })
  try {
    const page = await app.inject(`${referencePath}/`)
    const script = await app.inject(referenceScriptPath)
    if (page.statusCode !== 200 || script.statusCode !== 200) throw new Error('the page of the API could not be made')
    return { html: page.body, script: script.rawPayload }
  } finally {
    await app.close()
  }
}
