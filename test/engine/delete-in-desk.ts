import { expect } from 'vitest'
import type { Journey } from './journey.ts'
import type { Tamper } from './tampering-proxy.ts'

export const keyOf = (entity: string, id: string) => `${entity}/${id}`

/** Deletes a record in Fernhill Desk permanently. */
export async function deleteInDesk(
  { fernhill }: Pick<Journey, 'fernhill'>,
  entity: 'tickets' | 'comments',
  id: string,
): Promise<void> {
  const answer = await fetch(`${fernhill.url}/api/v1/${entity}/${id}`, {
    method: 'DELETE',
    headers: { authorization: 'Bearer desk-key' },
  })
  expect(answer.status).toBe(204)
}

/** Records, as `entity/id`, that the desk does not show, and its answer for each single one. */
export interface Hiding {
  ids: ReadonlySet<string>
  status: 403 | 404
}

/** Fernhill Desk, which hides some records from the account. */
export const hideRecords =
  (hiding: Hiding): Tamper =>
  async ({ path, method }, pass) => {
    const [, entity = '', id] = /^\/api\/v1\/(\w+)(?:\/(\d+))?$/.exec(path) ?? []
    if (method !== 'GET' || entity === '') return pass()
    if (id !== undefined && hiding.ids.has(keyOf(entity, id))) {
      return { status: hiding.status, headers: { 'content-type': 'application/json' }, body: '{}' }
    }
    const answer = await pass()
    if (id !== undefined || answer.status !== 200) return answer
    const page = JSON.parse(String(answer.body)) as { data?: { id: number }[] }
    if (!page.data) return answer
    const data = page.data.filter((record) => !hiding.ids.has(keyOf(entity, String(record.id))))
    return { ...answer, body: JSON.stringify({ ...page, data }) }
  }
