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

test('a field that only some records have is left out of the others, with a warning', () => {
  const rule = { many: false, required: false, maxLength: null, options: [] }
  const due_at = { ...rule, type: 'datetime', onlyWith: { field: 'type', value: 'task' } }
  const fields = { type: { ...rule, type: 'option', options: ['question', 'task'] }, due_at }
  const destination = { textFormat: 'html', entities: { tickets: { fields, customFields: [] } } }
  const mapped = ['task', 'question'].map((type) =>
    mapRecord(
      { entity: 'tickets', sourceId: '1', fields: { type, due_at: '2020-05-05T10:00:00.000Z' } },
      {
        entity: entityOf('helpdesk', 'tickets'),
        mapping: { destination: destination as unknown as DestinationDescription, changes: {} },
        resolveRecord: () => 'lost',
        resolveUser: () => null,
        mapText: createTextMapper({ from: null, follow: () => ({ url: null }) }, new Map()).mapText,
      },
    ),
  )
  expect(mapped).toMatchObject([
    { fields: { type: 'task', due_at: '2020-05-05T10:00:00.000Z' }, warnings: [], causes: [] },
    {
      fields: { type: 'question' },
      warnings: ['value_does_not_fit'],
      causes: [{ field: 'due_at', value: '2020-05-05T10:00:00.000Z' }],
    },
  ])
  expect(mapped[1]?.fields).not.toHaveProperty('due_at')
})

test.each([
  ['en', ['de', 'en-us', 'en-gb'], 'en-us'],
  ['EN_us', ['de', 'en-us'], 'en-us'],
  ['pt-BR', ['de', 'pt'], 'pt'],
  ['zh-TW', ['de', 'zh-CN'], null],
  ['eng', ['de', 'en-us'], null],
])('an article in %s among %j arrives in %s', (locale, options, to) => {
  const rule = { type: 'option', many: false, required: false, maxLength: null, options }
  const destination = {
    textFormat: 'html',
    entities: {
      articles: { fields: { locale: rule, title: { ...rule, type: 'text', options: [] } }, customFields: [] },
    },
  } as unknown as DestinationDescription
  const mapped = mapRecord(
    { entity: 'articles', sourceId: '1', fields: { locale, title: 'en' } },
    {
      entity: entityOf('helpdesk', 'articles'),
      mapping: { destination, changes: {} },
      resolveRecord: () => 'lost',
      resolveUser: () => null,
      mapText: createTextMapper({ from: null, follow: () => ({ url: null }) }, new Map()).mapText,
    },
  )
  expect(mapped?.fields).toEqual(to === null ? { title: 'en' } : { title: 'en', locale: to })
  expect(mapped?.warnings).toEqual(to === null ? ['option_not_offered'] : [])
})
