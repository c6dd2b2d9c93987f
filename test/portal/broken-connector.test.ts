import { expect, onTestFinished, test } from 'vitest'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { limitCalls } from '../../service/src/connectors/kit/limit-calls.ts'
import { connectors as registry } from '../../service/src/connectors/registry.ts'
import { startTestService } from '../support/service.ts'

/** Fernhill's connector under another name, whose account check is replaced. */
function brokenDesk(checkAccount: unknown): Connector {
  const fernhill = registry.find(({ tool }) => tool === 'fernhill')
  const broken = { ...fernhill, tool: 'broken', label: 'Broken Desk', source: { ...fernhill?.source, checkAccount } }
  return limitCalls(broken as Connector, { home: import.meta.dirname })
}

test.each([
  [
    'makes a mistake',
    async () => (null as unknown as string).length,
    'checkAccount failed at broken-connector.test.ts:',
  ],
  ['answers nonsense', async () => ({ name: 7 }), 'checkAccount answered with a wrong value at name'],
])(
  'a connector that %s while it checks an account is named to the customer and in the log',
  async (_, check, fault) => {
    const service = await startTestService({ connectors: [...registry, brokenDesk(check)], config: { rateLimit: 0 } })
    onTestFinished(() => service.close())
    const partner = await service.createPartner()
    const { json: imp } = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'broken' })
    const ask = (method: string, path: string, body: object, cookie = '') =>
      fetch(`${service.origin}/portal${path}`, {
        method,
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      })
    const session = await ask('POST', '/session', { id: imp.id, token: imp.token })
    const cookie = String(session.headers.get('set-cookie')).split(';')[0]
    const account = { instance_url: 'https://desk.example', token: 'key' }
    const answer = await ask('PUT', `/imports/${imp.id}/accounts/source`, account, cookie)
    expect([answer.status, await answer.json()]).toEqual([
      422,
      {
        source: [
          'cannot be connected: our connector for Broken Desk failed. Nothing was changed. Please tell support.',
        ],
      },
    ])
    expect(service.log.filter((line) => line.includes(fault))).toHaveLength(1)
  },
)
