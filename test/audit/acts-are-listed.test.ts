import type { Command } from 'commander'
import type { HTTPMethods } from 'fastify'
import { expect, test } from 'vitest'
import { buildProgram } from '../../service/src/operator/cli.ts'
import { startPayingService } from '../payments/paying-service.ts'
import { acts, commands } from './acts.ts'

test('every request that can change something declares its line in the audit log, or why it has none', async () => {
  const service = await startPayingService()
  try {
    // Fastify's tree omits wildcard routes.
    const [open, listed] = [true, false].map((isOpen) =>
      Object.keys(acts).filter((one) => one.endsWith('*') === isOpen),
    )
    expect(mutatingRoutes(service.app.printRoutes({ commonPrefix: false }))).toEqual(listed?.sort())
    for (const one of open ?? []) {
      const [method, url] = one.split(' ') as [HTTPMethods, string]
      expect(service.app.hasRoute({ method, url }), one).toBe(true)
    }
  } finally {
    await service.close()
  }
})

test('every command declares its line in the audit log, or why it has none', () => {
  expect(leaves(buildProgram({})).sort()).toEqual(Object.keys(commands).sort())
})

function leaves(command: Command, path: string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')]
  return command.commands.flatMap((one) => leaves(one, [...path, one.name()]))
}

/** Reads Fastify's tree of routes. The sandbox changes nothing, so it has no acts. */
function mutatingRoutes(tree: string): string[] {
  const path: string[] = []
  const found: string[] = []
  for (const line of tree.split('\n')) {
    const [, indent, part, methods] = /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (indent === undefined || part === undefined) continue
    path.length = indent.length / 4
    path.push(part)
    const url = path.join('')
    const changing = (methods ?? '').split(', ').filter((method) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    if (!url.startsWith('/api/sandbox')) found.push(...changing.map((method) => `${method} ${url}`))
  }
  return [...new Set(found)].sort()
}
