import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import type { PartnerApiBackend } from './backend.ts'
import { callerOf } from './caller.ts'
import { presentTool } from './presenters.ts'
import { commonAnswers, FieldErrors, Tool, ToolsQuery } from './schemas.ts'

export function registerToolRoutes(app: FastifyInstance, { backend }: { backend: PartnerApiBackend }): void {
  app.get<{ Querystring: Static<typeof ToolsQuery> }>(
    '/tools',
    {
      config: { scope: 'tools:read' },
      schema: {
        operationId: 'listTools',
        summary: 'List the tools that data can be moved from',
        description: 'Tools that share a family with your destination, sorted by label.',
        tags: ['Tools'],
        querystring: ToolsQuery,
        response: {
          200: { ...Type.Array(Tool), description: 'The tools' },
          422: { ...FieldErrors, description: 'A query parameter breaks a rule' },
          ...commonAnswers,
        },
      },
    },
    async (request) => {
      const { family } = request.query
      const tools = backend.listTools(callerOf(request))
      return tools.filter(({ families }) => family === undefined || families.includes(family)).map(presentTool)
    },
  )
}
