import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHelpscout } from '../../../service/src/connectors/helpdesk/helpscout/reader.ts'
import { minuteMs } from '../../twins/clock.ts'
import { seedDesk } from '../../twins/helpscout/seed.ts'
import { changeAnswers } from '../change-answers.ts'
import { openTwin } from './open-helpscout.ts'

// Values that are easily overlooked, because Help Scout has them beside others.

let open: Awaited<ReturnType<typeof openTwin>>
beforeEach(async () => {
  open = await openTwin({ searchLagMs: 0 })
})
afterEach(() => open.close())

test('people to whom agents wrote or forwarded a message are named, the customer and the inbox are not', async () => {
  const { rich } = seedDesk(open.twin.account, open.twin.staff, open.twin.files)
  open.twin.clock.advance(minuteMs)
  const account = open.account()
  const outbound = changeAnswers(account.outbound, `/v2/conversations/${rich.id}/threads`, (json) => {
    for (const thread of json._embedded.threads) {
      const isCustomers = thread.createdBy?.type === 'customer'
      thread.to = isCustomers ? ['help@desk.example'] : ['VERA@acme.example', `${thread.type}@partner.example`]
    }
  })
  const page = await openHelpscout({ ...account, outbound }).read('tickets', null, {})
  const one = page.items.find(({ sourceId }) => sourceId === rich.id)
  expect(one?.customFields?.forwarded_to?.value).toEqual(['forwardparent@partner.example'])
  const to = one?.customFields?.to?.value as string[]
  expect(to.length).toBeGreaterThan(0)
  expect(to.filter((address) => /vera|help@|note|lineitem|forward/i.test(address))).toEqual([])
})
