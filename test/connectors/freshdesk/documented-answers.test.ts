import { expect, test } from 'vitest'
import { openFreshdesk } from '../../../service/src/connectors/helpdesk/freshdesk/reader.ts'
import type { Answers } from '../answer-server.ts'
import { json, readAnswers, withAnswers } from '../read-answers.ts'

// Answers in the forms that Freshdesk documents, and in forms that its accounts are known to send.

const usual: Answers = {
  '/api/v2/ticket_fields': json([]),
  '/api/v2/contact_fields': json([]),
  '/api/v2/company_fields': json([]),
  '/api/v2/agents': json([]),
}

test('spam and deleted tickets are counted beforehand', async () => {
  const answers: Answers = {
    ...usual,
    '/api/v2/tickets': ({ query }) =>
      json({ deleted: [{ id: 1 }], spam: [{ id: 2 }, { id: 3 }] }[String(query.get('filter'))] ?? []),
  }
  const skipped = await withAnswers(openFreshdesk, answers, async (reader) => reader.countSkipped?.())
  expect(skipped).toMatchObject({ deleted_tickets: 1, spam_tickets: 2 })
})

test('null in a full page of companies does not end the list', async () => {
  const page = (number: number) => Array.from({ length: 25 }, (_, index) => ({ id: number * 100 + index, name: 'One' }))
  const { ids } = await readAnswers(openFreshdesk, 'organizations', {
    ...usual,
    '/api/v2/companies': ({ query }) =>
      json(
        query.get('page') === '1' ? [null, ...page(1).slice(1)] : query.get('page') === '2' ? page(2).slice(0, 2) : [],
      ),
  })
  expect(ids).toHaveLength(26)
})

test('phone numbers that come as numbers are read', async () => {
  const { items } = await readAnswers(openFreshdesk, 'contacts', {
    ...usual,
    '/api/v2/contacts': ({ query }) =>
      json(query.has('state') ? [] : [{ id: 3, name: 'Rachel', phone: 12_345, mobile: '', other_emails: null }]),
  })
  expect(items[0]?.fields.phones).toEqual([{ number: '12345' }])
})
