import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { describeWebhooks } from '../webhooks/describe-webhooks.ts'

export const liveApiPrefix = '/api/v2.1'
export const sandboxPrefix = '/api/sandbox'

/** Collects the description from the schemas of the routes registered after it. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Wherry partner API',
        version: '2.1',
        summary: 'Let your customers bring their data along from the tool they used before.',
        description: [
          'Create an import, redirect the customer to `redirect_url`, and follow the status here.',
          'Send your API token as the username of HTTP Basic Authentication; the password is ignored.',
          'A token may be limited to scopes, and may have an end: ask the operator.',
          'At most 10 requests per second are accepted over all endpoints.',
          'The sandbox takes the same requests without limit and stores nothing.',
        ].join('\n\n'),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [
        { url: liveApiPrefix, description: 'Live' },
        { url: sandboxPrefix, description: 'Sandbox' },
      ],
      tags: [
        { name: 'Tools', description: 'What data can be moved from' },
        { name: 'Imports', description: 'One import is one customer’s move' },
        { name: 'Sponsorship', description: 'Who pays for the full migration' },
        { name: 'Mappings', description: 'Mappings that you recommend to your customers' },
        { name: 'Webhooks', description: 'What we tell you: messages to your target' },
      ],
      components: {
        securitySchemes: {
          apiToken: { type: 'http', scheme: 'basic', description: 'API token as the username; any password' },
        },
      },
      security: [{ apiToken: [] }],
      webhooks: describeWebhooks(),
    },
    // The sandbox has the same routes; the description names it as a second server instead of listing all twice.
    transform: ({ schema, url }) => ({
      url,
      schema: url.startsWith(liveApiPrefix) ? { ...schema, ...withNulls(schema?.body) } : { hide: true },
    }),
  })
}

interface BodySchema {
  required?: string[]
  properties: Record<string, { type?: string; enum?: unknown[] }>
}

/** In a request null means "not given". A hook drops it before the schema applies, so the schemas do not know it. */
function withNulls(body: unknown): { body?: BodySchema } {
  if (typeof body !== 'object' || body === null) return {}
  const { required = [], properties, ...rest } = body as BodySchema
  const nullable = Object.entries(properties).map(([name, property]) => [
    name,
    required.includes(name)
      ? property
      : { ...property, type: [property.type, 'null'], ...(property.enum ? { enum: [...property.enum, null] } : {}) },
  ])
  return { body: { ...rest, required, properties: Object.fromEntries(nullable) } }
}
