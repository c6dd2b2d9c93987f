import { expect, test } from 'vitest'
import type { OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { outcomeId } from './outgoing.ts'
import { openTwinBench } from './twin-bench.ts'

// Records of people at copied ones.

const bench = openTwinBench()
const { writer } = bench
let made = 0
const record = (fields: OutgoingRecord['fields']): OutgoingRecord => ({
  ...{ key: `imp/${++made}`, revision: 1, destinationId: null, createdBy: null, customFields: {} },
  ...{ createdAt: null, updatedAt: null, fields },
})
const send = async (method: string, path: string, body: object) => {
  const headers = { 'x-api-token': bench.twin.access.token, 'content-type': 'application/json' }
  const answer = await fetch(`${bench.twin.url}${path}`, { method, headers, body: JSON.stringify(body) })
  expect(answer.status).toBeLessThan(300)
  return ((await answer.json()) as { data: { id: string } }).data.id
}
const post = (path: string, body: object) => send('POST', path, body)

const removal = (key: string, destinationId: string) => ({ key, destinationId, parent: null, version: null })

test.each([
  ['accounts', 'org_id', { name: 'Acme' }, ['notes', 'persons', 'deals']],
  ['accounts', 'org_id', { name: 'Acme' }, ['leads']],
  ['contacts', 'person_id', { name: 'Ada' }, ['notes', 'notes', 'deals']],
  ['contacts', 'person_id', { name: 'Ada' }, ['leads', 'archived leads']],
  ['contacts', 'person_id', { name: 'Ada' }, ['participants']],
  ['deals', 'deal_id', { name: 'Boat' }, ['notes', 'activities']],
] as const)(
  '%s with records of people stay at an undo, and the reason counts them',
  async (entity, parent, fields, by) => {
    const [used, free] = [record({ ...fields }), record({ ...fields })]
    const [usedId = '', freeId = ''] = (await writer().write(entity, [used, free])).map(outcomeId)
    for (const kind of by) {
      const at = { [parent]: Number(usedId) }
      if (kind === 'notes') await post('/api/v1/notes', { content: 'By hand', ...at })
      else if (kind === 'participants')
        await post(`/api/v1/deals/${await post('/api/v2/deals', { title: 'T' })}/participants`, at)
      else if (kind.endsWith('leads')) {
        const holder = entity === 'accounts' ? { organization_id: Number(usedId) } : at
        const lead = await post('/api/v1/leads', { title: 'By hand', ...holder })
        if (kind === 'archived leads') await send('PATCH', `/api/v1/leads/${lead}`, { is_archived: true })
      } else if (kind === 'activities') await post('/api/v2/activities', { subject: 'By hand', type: 'task', ...at })
      else await post(`/api/v2/${kind}`, { [kind === 'deals' ? 'title' : 'name']: 'By hand', ...at })
    }
    // What the import itself left at a record is no reason.
    for (const destinationId of [usedId, freeId]) {
      const related = { entity, key: 'k', destinationId }
      await writer().write('notes', [record({ related, body: 'Ours' })])
    }
    expect(await writer().remove(entity, [removal(used.key, usedId), removal(free.key, freeId)])).toMatchObject([
      { result: 'kept', message: `Records of their own that people linked to it: ${by.length}.` },
      { result: 'removed' },
    ])
  },
)
