import { expect, test } from 'vitest'
import type { Account, OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { createHubspotApi } from '../../../service/src/connectors/crm/hubspot/api.ts'
import { hubspot } from '../../../service/src/connectors/crm/hubspot/index.ts'
import { type Item, keyOf, send } from '../../../service/src/connectors/crm/hubspot/send-batch.ts'
import type { RetryableError } from '../../../service/src/errors.ts'
import type { Answer, Answers } from '../answer-server.ts'
import { json, withAnswers } from '../read-answers.ts'

// Refusals in the forms that HubSpot documents.

const contacts = '/crm/v3/objects/contacts'
const tooMany = (policyName: string): Answer => ({
  status: 429,
  json: { status: 'error', message: 'You have reached your limit.', errorType: 'RATE_LIMIT', policyName },
})
const read = (answer: Answer) =>
  withAnswers(createHubspotApi, { [contacts]: answer }, async (api) =>
    api.page('contacts', [], null, 1).then(
      () => null,
      (error: unknown) => error as RetryableError,
    ),
  )

test.each([tooMany('DAILY'), tooMany('TEN_SECONDLY_ROLLING')])(
  'a 429 without headers tells how long to wait: %j',
  async (answer) => {
    const error = await read(answer)
    const isDaily = JSON.stringify(answer).includes('DAILY')
    expect(error).toMatchObject({ name: 'RetryableError', retryAfterMs: isDaily ? expect.any(Number) : 10_000 })
    const leftMs = (error?.askedUntil?.getTime() ?? 0) - Date.now()
    if (!isDaily) return expect(error?.askedUntil).toBeNull()
    // People are told of the wait if it is longer than five minutes.
    if (error?.askedUntil) expect(leftMs).toBeGreaterThan(0)
    expect(leftMs).toBeLessThanOrEqual(86_400_000)
    return expect(error?.retryAfterMs).toBeLessThanOrEqual(3_600_000)
  },
)

test("the daily limit is renewed at midnight in the account's time zone", async () => {
  // Between these two zones it is never midnight within an hour in both.
  const waits = await Promise.all(
    ['Pacific/Kiritimati', 'Asia/Kolkata', 'Nowhere'].map((timeZone) =>
      withAnswers(
        createHubspotApi,
        { '/account-info/v3/details': json({ portalId: 1, timeZone }), [contacts]: tooMany('DAILY') },
        async (api) => {
          await api.account()
          const error = await api.page('contacts', [], null, 1).catch((thrown: unknown) => thrown as RetryableError)
          const until = 'askedUntil' in error ? error.askedUntil : null
          if (until === null) return null
          if (timeZone === 'Nowhere') return null
          const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
          return format.format(new Date(until.getTime() + 30_000))
        },
      ),
    ),
  )
  expect(waits.filter((one) => one !== null)).not.toEqual([])
  for (const one of waits) expect(['00:00', null]).toContain(one)
})

test.each([
  [423, {}, null],
  [477, { 'retry-after': '120' }, 120_000],
])('%i means that HubSpot has done nothing, and is tried again', async (status, headers, retryAfterMs) => {
  expect(await read({ status, headers, json: {} })).toMatchObject({ name: 'RetryableError', retryAfterMs })
})

test.each([502, 504])('%i with a page of a server in between is tried again', async (status) => {
  const page = { status, headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' }
  expect(await read(page)).toMatchObject({ name: 'RetryableError' })
})

test('a token that lacks only a scope is refused with the name of the scope', async () => {
  const context = { requiredGranularScopes: ['crm.objects.contacts.read'] }
  const answers = {
    '/account-info/v3/details': json({ portalId: 1 }),
    [contacts]: { status: 403, json: { category: 'MISSING_SCOPES', errors: [{ context }] } },
  }
  const check = (given: Answers) =>
    withAnswers(
      (account: Account) => account,
      given,
      async (account) => hubspot.source?.checkAccount(account),
    )
  await expect(check(answers)).rejects.toThrow(/^The token lacks the scopes crm\.objects\.contacts\.read\. Please add/)
  const other = { ...answers, [contacts]: { status: 403, json: { category: 'BANNED' } } }
  await expect(check(other)).rejects.toThrow('HubSpot does not accept this access token.')
})

test('a token of a wrong form, which a server before HubSpot answers with 530, is refused', async () => {
  const page = { status: 530, body: 'error code: 1016', headers: { 'content-type': 'text/plain' } }
  const check = withAnswers(
    (account: Account) => account,
    { '/account-info/v3/details': page },
    async (account) => hubspot.source?.checkAccount(account),
  )
  await expect(check).rejects.toThrow('HubSpot does not accept this access token.')
})

const item = (key: string, id: string | null = null): Item => ({
  record: { key } as OutgoingRecord,
  id,
  body: { properties: { name: key }, links: {} },
})
const sendAll = (action: 'upsert' | 'update' | 'create', items: Item[], answer: Answers[string]) =>
  withAnswers(createHubspotApi, { [`POST ${contacts}/batch/${action}`]: answer }, async (api, asked) => {
    const outcomes: Record<string, unknown>[] = []
    const failed = new Map<string, RetryableError>()
    await send(api, 'contacts', action, items, (_item, outcome) => outcomes.push({ ...outcome }), failed)
    return {
      outcomes,
      failed: Object.fromEntries([...failed].map(([key, { message }]) => [key, message])),
      faults: [...failed.values()],
      asked,
    }
  })
const traced = (key: string, category: string) => ({
  category,
  message: category,
  context: { objectWriteTraceId: [keyOf(key)] },
})

const passing: [string, object][] = [
  ['a limit', { category: 'RATE_LIMITS' }],
  ['a fault of HubSpot', { category: 'INTERNAL_ERROR' }],
  ['a fault that only its status tells', { category: 'OTHER', status: '503' }],
  ['another change at the same moment', { category: 'CONFLICT', message: 'The object was changed. Please try again.' }],
]
test.each(passing)('an item that only met %s is tried again, and the others are settled', async (_name, fault) => {
  let requests: string[][] = []
  const answer: Answers[string] = ({ json: sent }) => {
    const inputs = (sent as { inputs: { objectWriteTraceId: string }[] }).inputs
    const own = inputs.map((one) => one.objectWriteTraceId)
    requests = [...requests, own]
    const errors = [traced('b', 'VALIDATION_ERROR'), { ...traced('c', ''), ...fault }]
    return {
      status: 207,
      json: {
        results: own.includes(keyOf('a')) ? [{ id: '1', objectWriteTraceId: keyOf('a') }] : [],
        errors: errors.filter(({ context }) => own.includes(String(context.objectWriteTraceId[0]))),
      },
    }
  }
  for (const action of ['upsert', 'update', 'create'] as const) {
    requests = []
    const { outcomes, failed, faults } = await sendAll(action, [item('a'), item('b'), item('c')], answer)
    expect(outcomes).toMatchObject([
      { key: 'a', result: 'written' },
      { key: 'b', result: 'refused', code: 'VALIDATION_ERROR' },
    ])
    expect(failed).toEqual({ c: expect.stringMatching(/^HubSpot answered \w+$/) })
    const isLimit = _name === 'a limit'
    expect(faults).toMatchObject([{ isForAll: isLimit, retryAfterMs: isLimit ? 10_000 : null }])
    // What is created is looked for before it is sent again. After a limit nothing more is sent.
    expect(requests.slice(1)).toEqual(action === 'create' || isLimit ? [] : [[keyOf('c')]])
  }
})

test('a conflict that passes fails the record, even if HubSpot refuses the whole request for it', async () => {
  const conflict = { status: 409, json: { category: 'CONFLICT', message: 'Another change is under way.' } }
  const { outcomes, failed } = await sendAll('upsert', [item('a')], conflict)
  expect([outcomes, failed]).toEqual([[], { a: 'HubSpot answered CONFLICT' }])
  const taken = { status: 409, json: { category: 'CONFLICT', message: 'Contact already exists. Existing ID: 12' } }
  expect((await sendAll('upsert', [item('a')], taken)).outcomes).toMatchObject([{ result: 'matched' }])
})

test('a record that HubSpot does not find is deleted only if it existed', async () => {
  const answer = { status: 404, json: { category: 'OBJECT_NOT_FOUND', message: 'No object type tickets.' } }
  const changed = await sendAll('update', [item('a', '7')], answer)
  expect(changed.outcomes).toMatchObject([{ code: 'gone', message: expect.stringContaining('deleted') }])
  const made = await sendAll('create', [item('a')], answer)
  expect(made.outcomes).toMatchObject([{ code: 'OBJECT_NOT_FOUND', message: 'No object type tickets.' }])
})

test('a batch without an answer for a new record is tried again', async () => {
  const { failed } = await sendAll('create', [item('a')], { json: { results: [] } })
  expect(failed).toEqual({ a: 'HubSpot answered nothing for this record' })
})

test.each([404, 410])('links go to the dated version of the API once v4 answers %i', async (status) => {
  const results = [{ from: { id: '1' }, to: [{ toObjectId: 7, associationTypes: [] }] }]
  const answers = {
    'POST /crm/v4/associations/contacts/companies/batch/read': { status, json: { message: 'resource not found' } },
    'POST /crm/associations/2026-03/contacts/companies/batch/read': { json: { status: 'COMPLETE', results } },
  }
  await withAnswers(createHubspotApi, answers, async (api) => {
    for (const _time of [1, 2]) {
      expect(await api.linked('contacts', 'companies', ['1'])).toEqual(new Map([['1', ['7']]]))
    }
  })
})

test('a batch of reads is complete only if HubSpot itself failed for none of its items', async () => {
  const partly = (category: string, subCategory?: string) => ({
    status: 207,
    json: { status: 'COMPLETE', results: [], numErrors: 1, errors: [{ status: 'error', category, subCategory }] },
  })
  const [records, links] = [`POST ${contacts}/batch/read`, 'POST /crm/v4/associations/contacts/companies/batch/read']
  const ask = (answer: Answer) =>
    withAnswers(createHubspotApi, { [records]: answer, [links]: answer }, async (api) =>
      Promise.allSettled([api.byIds('contacts', [], ['1']), api.linked('contacts', 'companies', ['1'])]),
    )
  for (const answer of [
    partly('OBJECT_NOT_FOUND'),
    partly('OBJECT_NOT_FOUND', 'crm.associations.NO_ASSOCIATIONS_FOUND'),
  ]) {
    expect((await ask(answer)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  }
  for (const answer of [partly('INTERNAL_ERROR'), partly('RATE_LIMITS')]) {
    expect(await ask(answer)).toMatchObject(Array(2).fill({ status: 'rejected', reason: { name: 'RetryableError' } }))
  }
})
