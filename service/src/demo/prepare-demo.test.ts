import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { connectors } from '../connectors/registry.ts'
import { disablePartner } from '../partners/disable-partner.ts'
import { listPartners, showPartner } from '../partners/find-partners.ts'
import { prepareDemo } from './prepare-demo.ts'
import { runProgram } from './run-program.ts'

let home: string
let service: TestService
let notices: string[]
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'wherry-demo-'))
  service = await startTestService()
  notices = []
})
afterEach(async () => {
  await service.close()
  rmSync(home, { recursive: true, force: true })
})
const held: Server[] = []
afterAll(() => {
  for (const server of held) server.close()
})

const prepare = (env: Record<string, string> = {}) =>
  prepareDemo(readConfig({ WHERRY_HOME: home, ...env }), {
    db: service.db,
    keyRing: service.keyRing,
    connectors,
    onNotice: (line) => notices.push(line),
  })

/** Reserves the port; another program may already hold it. */
const hold = (port: number) =>
  new Promise<void>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve())
    server.listen(port, '127.0.0.1', () => {
      held.push(server)
      resolve()
    })
  })

test('an empty database gets the partner once, and its secrets are kept for the owner only', async () => {
  const first = await prepare()
  const { partner, harbour, fernhill } = first?.settings ?? expect.fail('no demo')
  expect(statSync(join(home, 'demo/settings.json')).mode & 0o777).toBe(0o600)
  expect(await showPartner(service.db, partner.id)).toMatchObject({
    name: 'Harbour',
    destination_tool: 'open',
    families: ['helpdesk', 'project', 'blog', 'crm'],
    webhook_url: `http://127.0.0.1:${harbour.port}/webhooks/wherry`,
  })
  const brand = await service.db.selectFrom('partners').select(['accent', 'logo_type']).execute()
  expect(brand).toEqual([{ accent: '#0d6b57', logo_type: 'image/svg+xml' }])
  expect(first?.networks.map(({ address, prefixLength, port }) => [String(address), prefixLength, port])).toEqual([
    ['127.0.0.1', 32, fernhill.port],
    ['127.0.0.1', 32, harbour.port],
  ])
  expect((await prepare())?.settings).toEqual(first?.settings)
  expect(await listPartners(service.db)).toHaveLength(1)
})

test('a database in use, an external Postgres and WHERRY_DEMO=off get no demo; WHERRY_DEMO=on gets one', async () => {
  expect(await prepare({ WHERRY_DEMO: 'off' })).toBeNull()
  expect(await prepare({ DATABASE_URL: service.databaseUrl })).toBeNull()
  await service.createPartner()
  expect(await prepare()).toBeNull()
  expect(await listPartners(service.db)).toHaveLength(1)
  expect(await prepare({ WHERRY_DEMO: 'on', DATABASE_URL: service.databaseUrl })).not.toBeNull()
  // An existing demo is not set up again.
  expect(await prepare()).not.toBeNull()
  expect(await prepare({ WHERRY_DEMO: 'off' })).toBeNull()
})

test('a port in use is replaced on the first start, and stops the demo program on later starts', async () => {
  await hold(4001)
  const first = await prepare()
  const { fernhill, harbour } = first?.settings ?? expect.fail('no demo')
  expect(fernhill.port).not.toBe(4001)
  expect(notices).toContain(`Port 4001 is in use by another program, so Fernhill Desk takes ${fernhill.port}.`)
  await hold(harbour.port)
  const later = await prepare()
  expect(later?.settings).toEqual(first?.settings)
  expect(later?.blocked).toEqual(['harbour'])
  expect(later?.networks.map(({ port }) => port)).toEqual([fernhill.port])
})

test('a disabled partner ends the demo; a damaged file is named', async () => {
  const { partner } = (await prepare())?.settings ?? expect.fail('no demo')
  await disablePartner(service.db, partner.id)
  expect(await prepare()).toBeNull()
  const file = join(home, 'demo/settings.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"port"', '"port_"'))
  await expect(prepare()).rejects.toThrow(`${file} is damaged`)
})

test('a program that does not start is reported as missing, and nothing else fails', async () => {
  const program = { label: 'Fernhill Desk', script: 'demo/fernhill/main.ts', args: ['--port', 'x'], env: {} }
  expect(await runProgram(program, (line) => notices.push(line))).toBeNull()
  expect(notices).toEqual(['Fernhill Desk could not be started (exit code 1). The service runs without it.'])
})
