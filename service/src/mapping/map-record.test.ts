import { expect, test } from 'vitest'
import type { DestinationDescription } from '../connectors/contract/contract.ts'
import { entityOf } from '../families/index.ts'
import { mapRecord } from './map-record.ts'
import { createTextMapper } from './map-texts.ts'

test('a destination with room for one address gets the primary one', () => {
  const rule = { type: 'email', many: false, required: false, maxLength: null, options: [] }
  const destination = {
    textFormat: 'html',
    entities: { contacts: { fields: { emails: rule }, customFields: [] } },
  } as unknown as DestinationDescription
  const emails = [{ address: 'old@example.com' }, { address: 'new@example.com', isPrimary: true }]
  const mapped = mapRecord(
    { entity: 'contacts', sourceId: '1', fields: { emails } },
    {
      entity: entityOf('crm', 'contacts'),
      mapping: { destination, changes: {} },
      resolveRecord: () => 'lost',
      resolveUser: () => null,
      mapText: createTextMapper({ from: null, follow: () => ({ url: null }) }, new Map()).mapText,
    },
  )
  expect(mapped).toMatchObject({ fields: { emails: 'new@example.com' }, warnings: ['only_first_kept'] })
  expect(mapped?.causes).toMatchObject([{ value: { address: 'old@example.com' } }])
})
