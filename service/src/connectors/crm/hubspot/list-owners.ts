import Type from 'typebox'
import type { ToolUser } from '../../../families/record.ts'
import type { Page } from '../../contract/contract.ts'
import { recordsIn } from '../../kit/records-in.ts'
import { toUser } from '../../kit/to-user.ts'
import { afterIn, type HubspotApi, largestPage } from './api.ts'
import { paging } from './schema.ts'

const ownersShape = Type.Object({
  results: Type.Array(Type.Unknown()),
  paging,
})
const withId = Type.Object({ id: Type.String() })

/** Lists active owners first, then owners who left: they still own their records. */
export async function listOwners(api: HubspotApi, cursor: string | null): Promise<Page<ToolUser>> {
  const [, state = 'active', after = ''] = /^(active|left):(.*)$/s.exec(cursor ?? 'active:') ?? []
  const query = { limit: largestPage, after: after || null, archived: state === 'left' }
  const { results, paging: more } = await api.http.get('/crm/v3/owners', ownersShape, query)
  const items = recordsIn('HubSpot', results, withId).map(({ id, email, firstName, lastName }) => {
    const name = [firstName, lastName].filter((part) => typeof part === 'string' && part !== '').join(' ')
    return toUser(id, name || email || id, email, state === 'active')
  })
  const next = afterIn(more)
  if (next !== null) return { items, next: `${state}:${next}` }
  return { items, next: state === 'active' ? 'left:' : null }
}
