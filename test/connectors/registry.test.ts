import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectors } from '../../service/src/connectors/registry.ts'
import type { Family } from '../../service/src/families/index.ts'
import { tools as liveTools } from '../live/start-tools.ts'
import { describeConnector } from './connector-contract.ts'
import type { Twin } from './twin-contract.ts'

// Every tool that customers can choose is tested: with its twin here, or with a real server in `npm run live`.

const checkout = join(import.meta.dirname, '../..')
const twinOf = (tool: string) => join(checkout, 'test/twins', tool, 'twin.ts')
const textsOf = (pattern: string) =>
  globSync(pattern, { cwd: checkout }).map((file) => readFileSync(join(checkout, file), 'utf8'))

describe.each(connectors.map((connector) => [connector.tool, connector] as const))(
  '%s',
  (tool, { source, destination }) => {
    test('has a twin, or a real server whose tests run the suites', () => {
      if (existsSync(twinOf(tool))) return
      if (source?.intake) {
        // CSV has no server: the suite reads uploaded files.
        expect(textsOf(`test/connectors/${tool}*.test.ts`).some((text) => text.includes('describeReader('))).toBe(true)
        expect(destination).toBeUndefined()
        return
      }
      expect(Object.keys(liveTools), `there is neither test/twins/${tool}/twin.ts nor a real ${tool}`).toContain(tool)
      const live = textsOf(`test/live/${tool}*.live.test.ts`)
      if (source) expect(live.some((text) => text.includes('describeReader('))).toBe(true)
      if (destination) expect(live.some((text) => text.includes('.write('))).toBe(true)
    })
  },
)

interface TwinModule {
  /** The families that the twin supports, for tools where one account has one family. */
  families?: readonly Family[]
  skips?: Readonly<Record<string, string>>
  startTwin(family?: Family): Promise<Twin>
}

for (const connector of connectors) {
  if (!existsSync(twinOf(connector.tool))) continue
  const { families = [undefined], skips, startTwin } = (await import(twinOf(connector.tool))) as TwinModule
  for (const family of families) {
    const name = family === undefined ? connector.label : `${connector.label} (${family})`
    describeConnector(connector, name, {
      start: () => startTwin(family),
      reads: connector.source !== undefined,
      writes: connector.destination !== undefined,
      ...(skips && { skips }),
    })
  }
}
