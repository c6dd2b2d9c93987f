import { Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'vitest'
import { limitCalls } from '../../../service/src/connectors/kit/limit-calls.ts'
import { sayThrown } from '../../../service/src/connectors/kit/say-thrown.ts'
import { placeIn } from '../../../service/src/connectors/kit/to-fault.ts'
import { loadConnector } from '../../../service/src/connectors/load-connectors.ts'
import { homeOf } from '../../../service/src/connectors/locate-connector.ts'
import { describeConnector } from '../connector-contract.ts'
import type { Twin } from '../twin-contract.ts'
import { blameTwin, vetTwin } from './vet-twin.ts'

const folder = String(process.env.WHERRY_CHECKED_CONNECTOR)
const home = homeOf(folder) ?? folder
const connector = limitCalls(await loadConnector(folder), { home })

const nameOf = (error: unknown): string => {
  const place = error instanceof Error ? placeIn(home, String(error.stack).split('\n')) : null
  return `${place ?? 'twin.ts'}: ${sayThrown(error)}`
}

/** What the twin's own code threw while it answered requests. */
const failures: string[] = []
const unanswered = new Set<ServerResponse>()
const emit = Server.prototype.emit
// A request whose handler throws would otherwise stay without an answer for a minute, and the connector seem to fail.
Server.prototype.emit = function (this: Server, ...args: [event: string | symbol, ...unknown[]]): boolean {
  const passOn = () => Reflect.apply(emit, this, args) as boolean
  if (args[0] !== 'request') return passOn()
  const response = args[2] as ServerResponse
  unanswered.add(response)
  response.once('close', () => unanswered.delete(response))
  try {
    return passOn()
  } catch (error) {
    failures.push(nameOf(error))
    response.destroy()
    return true
  }
}
process.on('unhandledRejection', (error) => {
  failures.push(nameOf(error))
  for (const response of unanswered) response.destroy()
})

let hasViolations = false
const twin = await start()
const { source, destination, skips } = twin

describeConnector(connector, connector.label, {
  start: async () => twin,
  // A new connector neither reads nor writes yet.
  reads: source !== undefined && source.entities.length > 0,
  writes: destination !== undefined,
  ...(skips && { skips }),
})

const unchecked = [
  ...(connector.source && !source?.entities.length
    ? ['reading: source.entities of the twin names no entity']
    : [
        ...(connector.source && !source?.fields ? ['whether all fields are read: the twin has no source.fields'] : []),
        ...(connector.source?.tellsDeleted ?? [])
          .filter((entity) => source?.missing?.[entity] === undefined)
          .map((entity) => `deletions of ${entity}: source.missing of the twin has no id for it`),
      ]),
  ...(connector.destination && !destination ? ['writing: the twin has no destination'] : []),
  ...(destination && !destination.fields ? ['whether all fields are written: the twin has no destination.fields'] : []),
  ...(hasViolations ? [] : ['whether the tool has the requests: the twin has no expectNoViolations']),
]
for (const told of unchecked) {
  const [what = '', why = ''] = told.split(': ')
  test(`NOT CHECKED: ${what}`, ({ skip }) => skip(why))
}

async function start(): Promise<Twin> {
  const file = join(folder, 'twin.ts')
  const { startTwin } = (await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new Error(`The twin cannot be loaded: ${nameOf(error)}`, { cause: error })
  })) as { startTwin?: () => Promise<Twin> }
  if (typeof startTwin !== 'function') throw new Error('twin.ts exports no function startTwin')
  const started: unknown = await (async () => startTwin())().catch((error: unknown) => {
    throw new Error(`The twin does not start: ${nameOf(error)}`, { cause: error })
  })
  const problems = vetTwin(started, connector)
  if (problems.length > 0) throw new Error(`The answer of startTwin in twin.ts is wrong:\n${problems.join('\n')}`)
  const own = started as Twin
  hasViolations = own.expectNoViolations !== undefined
  return {
    ...blameTwin(own, nameOf),
    close: () => own.close(),
    expectNoViolations() {
      const failed = [...new Set(failures.splice(0))]
      if (failed.length > 0) throw new Error(`The twin failed, not the connector: ${failed.join('; ')}`)
      own.expectNoViolations?.()
    },
  }
}
