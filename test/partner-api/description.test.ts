import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import spectralCore from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { publicErrors } from '../../service/src/errors.ts'
import { lifecycleDiagram } from '../../service/src/lifecycle.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const readDoc = (name: string) => readFileSync(join(checkoutDir, 'docs', name), 'utf8')

test('the description is served without a token and Spectral finds nothing in it', async () => {
  const { status, json } = await service.call('GET', '/api/openapi.json')
  expect(status).toBe(200)
  expect(json.openapi).toMatch(/^3\.1\./)
  const spectral = new spectralCore.Spectral()
  // Each installation has its own contact, so this rule is off.
  spectral.setRuleset({ extends: [oas], rules: { 'info-contact': 'off' } } as never)
  const findings = await spectral.run(json)
  expect(findings.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([])
})

test('the description has the ten endpoints and no other', async () => {
  const { json } = await service.call('GET', '/api/openapi.json')
  const operations = Object.entries(json.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(operations.sort()).toEqual([
    'DELETE /mappings/{mapping_id}',
    'GET /imports',
    'GET /imports/{id}',
    'GET /mappings',
    'GET /tools',
    'POST /imports',
    'POST /imports/{id}/link',
    'POST /imports/{id}/payment/accept',
    'POST /imports/{id}/payment/reject',
    'POST /mappings',
  ])
  expect(json.servers.map(({ url }: { url: string }) => url)).toEqual(['/api/v2.1', '/api/sandbox'])
})

test('the readable page loads everything from the service', async () => {
  const page = await service.call('GET', '/docs/')
  expect(page.status).toBe(200)
  expect(page.text).not.toMatch(/(src|href)="https?:/)
  const script = /src="([^"]+)"/.exec(page.text)?.[1]
  const bundle = await service.call('GET', new URL(script ?? '', `${service.origin}/docs/`).pathname)
  expect(bundle.status).toBe(200)
  expect(bundle.text.length).toBeGreaterThan(100_000)
})

test('docs/errors.md lists every error code with its status and meaning', () => {
  const rows = [...readDoc('errors.md').matchAll(/^\| `([a-z_]+)` \| (\d+) \| (.+) \|$/gm)]
  const listed = rows.map(([, code, status, meaning]) => ({ code, status: Number(status), meaning }))
  const defined = Object.entries(publicErrors).map(([code, error]) => ({ code, ...error }))
  expect(listed).toEqual(defined)
})

test('docs/architecture.md shows the life cycle in the code', () => {
  expect(readDoc('architecture.md')).toContain(`\`\`\`mermaid\n${lifecycleDiagram()}\n\`\`\``)
})

test('every other version, path and method is a 404 with a JSON body', async () => {
  const partner = await service.createPartner()
  const paths = ['/api/v2/tools', '/api/v3/tools', '/api', '/api/v2.1', '/api/v2.1/', '/api/v2.1/tools/', '/nothing']
  for (const path of paths) {
    const answer = await partner.call('GET', path)
    expect([path, answer.status, answer.json?.error]).toEqual([path, 404, 'not_found'])
  }
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const answer = await partner.call(method, '/api/sandbox/imports')
    expect([method, answer.status, answer.json?.error]).toEqual([method, 404, 'not_found'])
  }
})
