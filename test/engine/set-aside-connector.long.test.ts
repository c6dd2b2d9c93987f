import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { loadConnectors } from '../../service/src/connectors/load-connectors.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { findFreePort } from '../support/free-port.ts'
import { run, startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { startPlainTool } from './plain-tool.ts'
import { startWholeService } from './whole-service.ts'

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** A connector that loops while an account is connected, as long as the file is there. */
const connectorWith = (loop: string) => `
  import { existsSync } from 'node:fs'
  import { plainConnectors } from '${join(import.meta.dirname, 'plain-connectors.ts')}'
  const plain = plainConnectors.find(({ tool }) => tool === 'plain_c')
  export default () => ({
    ...plain, tool: 'looping', label: 'Looping',
    destination: { ...plain.destination, checkAccount: async (account) => {
      await null
      ${loop}
      return plain.destination.checkAccount(account)
    } },
  })`

test('a connector that loops while an account is connected is set aside until it changes or the operator admits it', {
  timeout: 900_000,
}, async () => {
  const place = await mkdtemp(join(tmpdir(), 'set-aside-'))
  cleanup.defer(() => rm(place, { recursive: true }))
  const trap = join(place, 'trap')
  await writeFile(trap, '')
  await writeFile(join(place, 'index.ts'), connectorWith(`while (existsSync('${trap}'));`))
  const { connectors, leftOut } = await loadConnectors([place])
  expect(leftOut).toEqual([])
  const service = await startWholeService({ workers: 0, connectors: connectors.slice(-1) })
  cleanup.defer(() => service.close())
  const plain = await startPlainTool({ settleMs: 0 })
  cleanup.defer(() => plain.close())
  const parts = { connectors, keyRing: parseKeyRing(testKeys) }
  const partner = await createPartner(service.db, parts, { name: 'L', destination: 'looping', families: ['helpdesk'] })
  const portal = await service.openPortal({}, partner.api_token)
  const port = await findFreePort()
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    DATABASE_URL: String(service.config.databaseUrl),
    WHERRY_KEYS: testKeys,
    WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
    WHERRY_CONNECTORS: place,
    WHERRY_LOG_LEVEL: 'error',
  }
  const command = ['service/bin/wherry.mjs']
  const wherry = (...args: string[]) => run(process.execPath, [...command, 'connector', ...args], { env })
  const startApi = async () => {
    const api = startProgram(process.execPath, [...command, 'serve', '--role', 'api'], { env })
    cleanup.defer(async () => {
      api.child.kill('SIGKILL')
      await api.finished
    })
    await api.waitFor(/Wherry is ready/)
    return api
  }
  const connect = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/portal/imports/${portal.id}/accounts/destination`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', cookie: portal.cookie },
      body: JSON.stringify({ instance_url: plain.url }),
    })
    return { status: answer.status, json: await answer.json() }
  }

  const first = await startApi()
  await expect(connect()).rejects.toThrow('fetch failed')
  const { stderr } = await first.finished
  expect(stderr).toMatch(
    /it kept the process busy for 40 s at index\.ts:\d+:\d+\. Its runs are paused, the connector is set aside, and this process ends/,
  )

  // The process manager starts the service again, and the customer clicks again.
  const second = await startApi()
  expect(second.output()).toMatch(/The connector for looping is set aside since .*"wherry connector admit looping"/)
  expect(await connect()).toEqual({
    status: 422,
    json: {
      destination: ['cannot be connected: our connector for Looping failed. Nothing was changed. Please tell support.'],
    },
  })
  expect(second.child.exitCode).toBe(null)
  await second.waitFor(/it is set aside.*"a connector failed"/, 20_000)
  expect((await wherry('set-aside')).stdout).toMatch(/looping.*index\.ts:\d+:\d+/s)
  const admitted = await wherry('admit', 'looping')
  expect([admitted.stderr, admitted.code]).toEqual(['', 0])
  await rm(trap)
  expect(await connect()).toMatchObject({ status: 200 })
  expect(await wherry('admit', 'looping')).toMatchObject({ code: 1, stderr: expect.stringContaining('not set aside') })

  await writeFile(trap, '')
  await expect(connect()).rejects.toThrow('fetch failed')
  await second.finished
  await writeFile(join(place, 'index.ts'), connectorWith(''))
  const third = await startApi()
  expect(third.output()).not.toContain('set aside')
  expect(await connect()).toMatchObject({ status: 200 })
})
