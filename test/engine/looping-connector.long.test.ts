import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { loadConnectors } from '../../service/src/connectors/load-connectors.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { plainSettleMs } from './plain-connectors.ts'
import { startPlainTool } from './plain-tool.ts'
import { deskKey, startWholeService } from './whole-service.ts'

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** A connector that loops after the tool has stored the first ticket. */
const looping = `
  import { plainConnectors } from '${join(import.meta.dirname, 'plain-connectors.ts')}'
  const plain = plainConnectors.find(({ tool }) => tool === 'plain_c')
  export default () => ({
    ...plain, tool: 'looping', label: 'Looping',
    destination: { ...plain.destination, open: async (...asked) => {
      const writer = await plain.destination.open(...asked)
      return { ...writer, write: async (entity, records) => {
        const outcomes = await writer.write(entity, records)
        while (entity === 'tickets');
        return outcomes
      } }
    } },
  })`

test('a connector that loops ends one worker, its run waits for the operator, and other imports go on', {
  timeout: 900_000,
}, async () => {
  const place = await mkdtemp(join(tmpdir(), 'looping-'))
  cleanup.defer(() => rm(place, { recursive: true }))
  await writeFile(join(place, 'index.ts'), looping)
  const { connectors } = await loadConnectors([place])
  const service = await startWholeService({ workers: 0, connectors: connectors.slice(-1) })
  cleanup.defer(() => service.close())
  const plain = await startPlainTool({ settleMs: plainSettleMs })
  cleanup.defer(() => plain.close())
  const startWorker = () => {
    const worker = startProgram(process.execPath, ['service/bin/wherry.mjs', 'serve', '--role', 'worker'], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: String(service.config.databaseUrl),
        WHERRY_KEYS: testKeys,
        WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
        WHERRY_CONNECTORS: place,
        WHERRY_LOG_LEVEL: 'silent',
      },
    })
    cleanup.defer(async () => {
      worker.child.kill('SIGKILL')
      await worker.finished
    })
    return worker
  }
  const parts = { connectors, keyRing: parseKeyRing(testKeys) }
  const partner = await createPartner(service.db, parts, { name: 'L', destination: 'looping', families: ['helpdesk'] })
  const portal = await service.openPortal({}, partner.api_token)
  const source = { instance_url: service.fernhill.url, token: deskKey }
  expect(await portal.act('PUT', '/accounts/source', source)).toMatchObject({ status: 200 })
  expect(await portal.act('PUT', '/accounts/destination', { instance_url: plain.url })).toMatchObject({ status: 200 })
  const other = await service.openPortal()
  await other.connect()

  const first = startWorker()
  await Promise.all([portal.look('/plan'), other.look('/plan')])
  expect(await portal.act('POST', '/runs', { kind: 'sample' })).toMatchObject({ status: 201 })
  const { code, stderr } = await first.finished
  expect([code, stderr]).toEqual([
    null,
    expect.stringContaining('The connector for looping does not keep its contract'),
  ])
  const sample = () =>
    service.db
      .selectFrom('runs')
      .select(['state', 'obstacle'])
      .where('import_id', '=', portal.id)
      .where('kind', '=', 'sample')
      .executeTakeFirstOrThrow()
  const paused = {
    state: 'paused',
    obstacle: {
      code: 'connector_broken',
      must_act: 'operator',
      message: expect.stringMatching(/: it kept the process busy for 40 s at index\.ts:10:\d+\.$/),
    },
  }
  expect(await sample()).toEqual(paused)

  const second = startWorker()
  await other.run('sample', 'sample_migration_completed')
  expect(await sample()).toEqual(paused)
  expect(second.child.exitCode).toBe(null)
  // The ledger says nothing of the ticket without an outcome that could be false.
  const written = await service.db
    .selectFrom('id_map')
    .select('source_id')
    .where('import_id', '=', portal.id)
    .where('entity', '=', 'tickets')
    .where('state', '=', 'written')
    .execute()
  expect(written).toEqual([])
})
