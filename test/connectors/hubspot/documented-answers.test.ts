import { expect, test } from 'vitest'
import { openHubspot } from '../../../service/src/connectors/crm/hubspot/reader.ts'
import type { Answers, Asked } from '../answer-server.ts'
import { json, readAnswers, withAnswers } from '../read-answers.ts'

// Answers in the forms that HubSpot documents, and in forms that its accounts are known to send.

const property = (name: string, type: string) => ({ name, label: name, type, fieldType: type })
const usual: Answers = {
  '/account-info/v3/details': json({ portalId: 1, companyCurrency: 'USD' }),
  '/crm/v3/properties/contacts': json({ results: [property('born', 'date'), property('seen', 'datetime')] }),
  'POST /crm/v4/associations/contacts/companies/batch/read': {
    status: 207,
    json: { status: 'COMPLETE', results: [] },
  },
  'POST /crm/v4/associations/contacts/contacts/batch/read': {
    status: 207,
    json: { status: 'COMPLETE', results: [] },
  },
}
const noScope = {
  status: 403,
  json: {
    status: 'error',
    message: "This app hasn't been granted all required scopes to make this call.",
    errors: [
      {
        message: 'One or more of the following scopes are required.',
        context: { requiredGranularScopes: ['crm.objects.contacts.read', 'contacts'] },
      },
    ],
    category: 'MISSING_SCOPES',
  },
}

test('a missing scope is named', async () => {
  const answers = { ...usual, '/crm/v3/objects/contacts': noScope }
  const words = /no longer lets us in .* The token lacks the scopes crm\.objects\.contacts\.read, contacts\. Please add/
  await expect(readAnswers(openHubspot, 'contacts', answers)).rejects.toThrow(words)
})

test('moments in milliseconds are read', async () => {
  const properties = { hs_object_id: '1', firstname: 'Ann', born: '1570838400000', seen: '1570838400123' }
  const answers = { ...usual, '/crm/v3/objects/contacts': json({ results: [{ id: '1', properties }] }) }
  const { items, warnings } = await readAnswers(openHubspot, 'contacts', answers)
  expect(items[0]?.customFields).toMatchObject({
    born: { value: '2019-10-12' },
    seen: { value: '2019-10-12T00:00:00.123Z' },
  })
  expect(warnings).toEqual([])
})

test('records that are not copied are counted beforehand, unless the token may not see them', async () => {
  const fields = (sensitive: number, highly: number) => (asked: Asked) => {
    const counts: Record<string, number> = { sensitive, highly_sensitive: highly }
    const count = counts[asked.query.get('dataSensitivity') ?? '']
    return json({ results: Array.from({ length: count ?? 99 }, (_, at) => property(`passport_${at}`, 'string')) })
  }
  const answers: Answers = {
    '/crm/v3/properties/companies': fields(0, 0),
    '/crm/v3/properties/contacts': fields(2, 1),
    '/crm/v3/properties/deals': fields(4, 0),
    '/crm/v3/properties/tickets': noScope,
    '/crm-object-schemas/v3/schemas': json({
      results: [
        { objectTypeId: '2-7', name: 'boats' },
        { objectTypeId: '2-8', name: 'piers' },
      ],
    }),
    'POST /crm/v3/objects/2-7/search': json({ total: 20, results: [] }),
    'POST /crm/v3/objects/2-8/search': json({ total: 1, results: [] }),
    'POST /crm/v3/objects/tickets/search': json({ total: 7, results: [] }),
    'POST /crm/v3/objects/products/search': noScope,
    'POST /crm/v3/objects/communications/search': json({ total: 5, results: [] }),
    'POST /crm/v3/objects/postal_mail/search': json({ total: 2, results: [] }),
    'POST /crm/v3/objects/feedback_submissions/search': json({ total: 3, results: [] }),
    'POST /crm/v3/objects/quotes/search': json({ total: 4, results: [] }),
    'POST /crm/v3/objects/line_items/search': json({ total: 9, results: [] }),
    'POST /crm/v3/objects/leads/search': json({ total: 8, results: [] }),
    'POST /crm/v3/objects/invoices/search': json({ total: 6, results: [] }),
    'POST /crm/v3/objects/calls/search': json({ total: 3, results: [] }),
    'POST /crm/v3/objects/meetings/search': json({ total: 2, results: [] }),
    'POST /crm/v3/objects/tasks/search': json({ total: 1, results: [] }),
  }
  const skippedBy = (family: 'crm' | 'helpdesk') =>
    withAnswers(
      (account) => openHubspot(account, family),
      answers,
      async (reader) => reader.countSkipped?.(),
    )
  expect(await skippedBy('crm')).toEqual({
    ...{ custom_records: 21, messages: 7, satisfaction_ratings: 3, sensitive_fields: 7, tickets_elsewhere: 7 },
    ...{ invoices: 6, leads: 8, line_items: 9, quotes: 4 },
  })
  expect(await skippedBy('helpdesk')).toEqual({
    ...{ activities_elsewhere: 6, custom_records: 21, messages: 7, satisfaction_ratings: 3, sensitive_fields: 3 },
  })
})

const lacking = (...scopes: string[]) => ({
  status: 403,
  json: { ...noScope.json, errors: [{ message: 'Scopes are required.', context: { requiredGranularScopes: scopes } }] },
})
const searched = (results: unknown[]) => json({ results, total: results.length })
const mailWithFile: Answers = {
  ...usual,
  ...Object.fromEntries(
    ['notes', 'calls', 'meetings', 'tasks'].map((type) => [`POST /crm/v3/objects/${type}/search`, searched([])]),
  ),
  ...Object.fromEntries(
    ['companies', 'contacts', 'deals'].map((type) => [`/crm/v3/properties/${type}`, json({ results: [] })]),
  ),
  '/crm/v3/pipelines/deals': json({ results: [] }),
  'POST /crm/v3/objects/emails/search': searched([{ id: '1', properties: { hs_attachment_ids: '77' } }]),
}

test('a file of an e-mail that HubSpot hides from the token is listed, so that it is reported', async () => {
  const answers = { ...mailWithFile, '/files/v3/files/77': lacking('files.ui_hidden.read') }
  const { items } = await readAnswers(openHubspot, 'attachments', answers)
  expect(items).toMatchObject([{ sourceId: 'emails-1-77', fields: { file_name: 'file 77' } }])
})

test('a token that may not read files at all has lost its access', async () => {
  const answers = { ...mailWithFile, '/files/v3/files/77': lacking('files') }
  await expect(readAnswers(openHubspot, 'attachments', answers)).rejects.toMatchObject({ code: 'authorization_lost' })
})
