import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkoutDir, readConfig } from './config.ts'

test('an empty environment gives the documented defaults', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 4000,
    origin: null,
    databaseUrl: null,
    home: join(checkoutDir, '.wherry'),
    rateLimit: 10,
    allowedNetworks: [],
    logLevel: 'info',
    demo: 'auto',
  })
})

test('every problem is named at once, and no password is shown', () => {
  const env = {
    PORT: '99999',
    WHERRY_ORIGIN: 'example.com/path',
    DATABASE_URL: 'mysql://root:hunter2@db',
    WHERRY_RATE_LIMIT: '-1',
    WHERRY_ALLOWED_NETWORKS: '10.0.0.0/8, nonsense',
    WHERRY_TRUST_PROXY: 'proxy',
    WHERRY_LOG_LEVEL: 'loud',
    WHERRY_DEMO: 'perhaps',
  }
  const message = (() => {
    try {
      readConfig(env)
    } catch (error) {
      return (error as Error).message
    }
    throw new Error('the configuration was taken')
  })()
  for (const name of Object.keys(env)) expect(message).toContain(`- ${name} `)
  expect(message).not.toContain('hunter2')
})

test('networks may name one port', () => {
  const { allowedNetworks } = readConfig({ WHERRY_ALLOWED_NETWORKS: '10.0.0.0/8,127.0.0.1:4002,::1,[fd00::/8]:80' })
  expect(allowedNetworks.map(({ address, prefixLength, port }) => [String(address), prefixLength, port])).toEqual([
    ['10.0.0.0', 8, null],
    ['127.0.0.1', 32, 4002],
    ['::1', 128, null],
    ['fd00::', 8, 80],
  ])
})

test('docs/configuration.md lists every variable, and none that does not exist', () => {
  const source = readFileSync(join(checkoutDir, 'service/src/config.ts'), 'utf8')
  const docs = readFileSync(join(checkoutDir, 'docs/configuration.md'), 'utf8')
  const inCode = [...source.matchAll(/read\('([A-Z_]+)'/g)].map(([, name]) => name)
  const inDocs = [...docs.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name)
  expect(inDocs.sort()).toEqual(inCode.sort())
})

test('the metrics get their own listener, or none', () => {
  expect(readConfig({}).metrics).toBeNull()
  expect(readConfig({ WHERRY_METRICS: '127.0.0.1:9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
  expect(readConfig({ WHERRY_METRICS: '[::1]:9464' }).metrics).toEqual({ host: '::1', port: 9464 })
  for (const wrong of ['9464', 'localhost', '127.0.0.1:99999', ':9464', '::1:9464'])
    expect(() => readConfig({ WHERRY_METRICS: wrong }), wrong).toThrow('- WHERRY_METRICS must be a host and a port')
  expect(() => readConfig({ WHERRY_METRICS: '127.0.0.1:4000' })).toThrow('another port than PORT')
})

test('traces need a collector address, and errors do not quote it', () => {
  expect(readConfig({}).traces).toBeNull()
  const endpoint = 'http://collector:4318'
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).traces).toBe(endpoint)
  const wrong = () => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://me:hunter2@collector' })
  expect(wrong).toThrow('- OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://collector:4318')
  expect(wrong).not.toThrow('hunter2')
})
