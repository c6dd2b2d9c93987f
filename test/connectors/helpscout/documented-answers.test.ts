import { expect, test } from 'vitest'
import type { Account } from '../../../service/src/connectors/contract/contract.ts'
import { openHelpscout } from '../../../service/src/connectors/helpdesk/helpscout/reader.ts'
import { openHelpscoutWriter } from '../../../service/src/connectors/helpdesk/helpscout/writer.ts'
import { RetryableError } from '../../../service/src/errors.ts'
import type { Answers } from '../answer-server.ts'
import { json, readAnswers, withAnswers } from '../read-answers.ts'

// Answers in the forms that Help Scout documents, and in forms that its accounts are known to send.

const list = (name: string, items: unknown[]) =>
  json({
    ...(items.length > 0 && { _embedded: { [name]: items } }),
    _links: {},
    page: { size: 50, totalElements: items.length, totalPages: items.length > 0 ? 1 : 0, number: 1 },
  })
const usual: Answers = {
  '/v2/oauth2/token': json({ token_type: 'bearer', access_token: 'x', expires_in: 172_800 }),
  '/v2/users': list('users', []),
  '/v2/teams': list('teams', []),
  '/v2/mailboxes': list('mailboxes', [{ id: 85, name: 'Inbox' }]),
  '/v2/mailboxes/85/fields': list('fields', []),
  '/v2/customer-properties': json({ _links: {} }),
  '/v2/conversations/10/threads': list('threads', []),
}
const read = (entity: string, answers: Answers) => readAnswers(openHelpscout, entity, { ...usual, ...answers })

test.each([
  ['no pages', { page: { size: 50, totalElements: 0, totalPages: 0, number: 1 } }],
  ['one page', { page: { size: 50, totalElements: 0, totalPages: 1, number: 1 } }],
  ['only links', { _links: { self: { href: 'https://api.helpscout.net/v2/organizations' } } }],
])('an empty list with %s is empty', async (_name, answer) => {
  expect((await read('organizations', { '/v2/organizations': json(answer) })).ids).toEqual([])
})

test.each([
  ['nothing', { body: '' }],
  ['an object without a list', json({ status: 'ok' })],
])('an answer with %s does not count as an empty list', async (_name, answer) => {
  await expect(read('organizations', { '/v2/organizations': answer })).rejects.toThrow(/unknown shape/)
})

test.each([404, 502])('%i for all collections of Docs does not mean that there are none', async (status) => {
  const withDocs = (account: Account) => {
    const more = { docs_api_key: 'key', docs_url: String(account.access.instanceUrl) }
    return openHelpscout({ ...account, access: { ...account.access, more } })
  }
  const page = { status, headers: { 'content-type': 'text/html' }, body: '<html>No such page</html>' }
  await expect(readAnswers(withDocs, 'articles', { ...usual, '/v1/collections': page })).rejects.toThrow(RetryableError)
})

test('a written customer without notes, organization and job title is found again', async () => {
  const bare = { id: 7, firstName: 'Ann', lastName: 'Lee', gender: 'Unknown', photoType: 'default', photoUrl: '' }
  const answers: Answers = {
    ...usual,
    '/v2/users/me': json({ id: 1, companyId: 2 }),
    '/v2/customers/7': json({ ...bare, _embedded: { emails: [{ id: 1, value: 'ann@x.example.com', type: 'work' }] } }),
  }
  const found = await withAnswers(openHelpscoutWriter, answers, (writer) =>
    writer.find('contacts', [{ key: 'k', destinationId: '7', parent: null }]),
  )
  expect(found[0]?.fields).toMatchObject({ name: 'Ann Lee', notes: null, organization: null })
})

test('a choice that was deleted keeps its text', async () => {
  const customFields = [{ id: 104, name: 'Account Type', value: '8518', text: 'Administrator' }]
  const { items } = await read('tickets', {
    '/v2/mailboxes/85/fields': list('fields', [
      { id: 104, type: 'dropdown', name: 'Account Type', options: [{ id: 166, order: 1, label: 'Free' }] },
    ]),
    '/v2/conversations': ({ query }) =>
      list(
        'conversations',
        query.get('status') === 'spam' ? [] : [{ id: 10, number: 12, subject: 'Help', customFields }],
      ),
  })
  expect(items[0]?.customFields?.['104']).toMatchObject({ value: 'Administrator' })
})

test('a customer with only the name of an organization keeps the name', async () => {
  const customer = { id: 500, firstName: 'Vernon', organization: 'Blue Sombrero', createdAt: '', updatedAt: null }
  const linked = { id: 501, firstName: 'Ann', organization: 'Acme', organizationId: 7 }
  const { items, warnings } = await read('contacts', { '/v2/customers': list('customers', [customer, null, linked]) })
  expect(items.map(({ customFields }) => customFields?.organization_name?.value)).toEqual(['Blue Sombrero', undefined])
  // An empty time is no unreadable time.
  expect(warnings).toEqual([])
})
