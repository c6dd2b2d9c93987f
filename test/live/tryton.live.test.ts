import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tryton } from '../../service/src/connectors/crm/tryton/index.ts'
import { AccountRefusedError } from '../../service/src/errors.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { describeReader } from '../connectors/reader-contract.ts'
import { createLiveTryton } from './tryton-accounts.ts'
import { describeHardCases } from './tryton-hard-cases.ts'
import { entities } from './tryton-move.ts'
import { describeMove } from './tryton-moving.ts'
import { describeReading } from './tryton-reading.ts'
import { describeSingleRecords } from './tryton-records.ts'

// "start", or {"source": access, "destination": access} of two Trytons that tests may write to.
const given = process.env.WHERRY_LIVE_TRYTON
const outbound = createLoopbackOutbound()
const live = createLiveTryton(given ?? '', outbound)

describe.skipIf(!given)('Tryton itself (runs only if WHERRY_LIVE_TRYTON is "start" or two accounts as JSON)', () => {
  beforeAll(() => live.start(), 900_000)
  afterAll(async () => {
    await outbound.close()
    await live.stop()
  }, 120_000)

  describeReader('Tryton', async () => ({
    reader: live.reader(20),
    family: 'crm',
    entities: entities.filter((entity) => entity !== 'activities'),
    // Rules of Tryton hide opportunities of other companies, so a missing one may only be hidden.
    missing: {
      tags: '9999999',
      accounts: '9999999',
      contacts: '9999999',
      notes: '9999999',
      attachments: '9999999',
      deals: '9999999',
    },
    inDoubt: ['deals'],
  }))

  describeReading(live)
  describeMove(live)
  describeSingleRecords(live)
  describeHardCases(live)

  test('a wrong password is refused, and is tried once', async () => {
    expect(await tryton.destination?.checkAccount(live.accountOf(live.destination()))).toEqual({
      name: 'Werft',
      id: expect.stringMatching(/^[^/]+\/\d*$/),
    })
    const wrong = tryton.source?.checkAccount(live.accountOf({ ...live.source(), username: 'nobody', token: 'wrong' }))
    await expect(wrong).rejects.toThrow(AccountRefusedError)
    const elsewhere = tryton.source?.checkAccount(
      live.accountOf({ ...live.source(), instanceUrl: `${live.source().instanceUrl}x` }),
    )
    await expect(elsewhere).rejects.toThrow('database')
  })

  test('missing conditions are reported in words', async () => {
    const checks = (await live.writer().preflight?.()) ?? []
    expect(checks.map(({ code, isFine }) => [code, isFine])).toEqual([
      ['may_write', true],
      ['opportunities_installed', true],
      ['relations_installed', true],
      ['company_chosen', true],
      ['employees_there', true],
      ['countries_loaded', true],
      ['numbers_free', true],
    ])
  })

  test('no mail was sent', async ({ skip }) => {
    if (live.started.length === 0) skip('only a Tryton that was started here has a mail trap')
    for (const tool of live.started) expect(await tool.mails()).toBe(0)
  })
})
