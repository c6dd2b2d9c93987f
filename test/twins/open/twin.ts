import { FAMILIES, type Family } from '../../../demo/harbour/entities.ts'
import { startHarbour } from '../../../demo/harbour/harbour.ts'
import type { Twin } from '../../connectors/twin-contract.ts'

const proved = 'it is a fact of the bytes, which are proved by their digest'

export const families: readonly Family[] = FAMILIES

/** Harbour, which implements the pages of the open protocol. */
export async function startTwin(family: Family = 'helpdesk'): Promise<Twin> {
  const harbour = await startHarbour({
    port: 0,
    dataFile: ':memory:',
    token: 'token',
    adminKey: 'admin',
    families: [family],
  })
  const byteFacts = ['attachments', 'media'].flatMap((entity) =>
    ['size', 'content_type'].map((field) => [`${entity}.${field}`, proved] as const),
  )
  return {
    access: { instanceUrl: harbour.baseUrl, token: 'token' },
    destination: {
      family,
      users: ['u1', 'u7', 'u8'],
      async editByHand(entity, destinationId) {
        const answer = await fetch(`${harbour.url}/${entity}/${destinationId}`, {
          method: 'POST',
          redirect: 'manual',
          headers: { 'sec-fetch-site': 'same-origin' },
          body: new URLSearchParams({ value: 'Edited by hand' }),
        })
        if (answer.status !== 303) throw new Error(`the edit was answered ${answer.status}`)
      },
      async countAll() {
        const answer = await fetch(`${harbour.url}/effects`, { headers: { authorization: 'Bearer admin' } })
        const { data, next } = (await answer.json()) as { data: { action: string }[]; next: string | null }
        if (next !== null) throw new Error('more effects than one page holds')
        const count = (action: string) => data.filter((effect) => effect.action === action).length
        return count('create') - count('delete')
      },
      async readFile(_entity, destinationId) {
        const answer = await fetch(`${harbour.url}/files/${destinationId}`)
        if (answer.status !== 200) throw new Error(`the file was answered ${answer.status}`)
        return Buffer.from(await answer.arrayBuffer())
      },
      indifferent: Object.fromEntries(byteFacts),
    },
    close: () => harbour.close(),
  }
}
