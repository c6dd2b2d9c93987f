import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }

describeInBrowser('private records that the destination cannot protect', startWholeService, (setup) => {
  test('are counted in the plan and copied only if the customer allows it', { timeout: 900_000 }, async () => {
    const { db } = setup.service
    const portal = await setup.service.openPortal()
    await portal.connect()
    await portal.look('/plan')
    // The plan says that Harbour cannot restrict files to the team, and that the desk has seven such files.
    await sql`update plans set destination = destination #- '{entities,attachments,fields,is_private}' where import_id = ${portal.id}`.execute(
      db,
    )
    const audiences = JSON.stringify({ '{"is_private":true}': 7, '{"is_private":false}': 20 })
    await sql`update plan_entities set audiences = ${audiences}, total = greatest(total, 1) where import_id = ${portal.id} and entity = 'attachments'`.execute(
      db,
    )

    const { page, expectClean, close } = await setup.visit('/imports/none')
    // A new plan, which the page requests when the mapping has changed, would see the real Harbour.
    await page.route('**/runs', (route) => route.abort())
    await page.goto(`${setup.service.origin}/imports/${portal.id}/${portal.token}`)
    await page.getByRole('heading', { name: 'Private records' }).waitFor(patient)
    await page.getByText(/7 are private/).waitFor(patient)
    await page.getByText(/They are not copied unless you allow it/).waitFor(patient)
    const allow = page.getByRole('checkbox', { name: /all the same/ })
    await expect.poll(() => allow.isChecked(), patient).toBe(false)
    await inspectScreen(page, '32-private-records')

    const readChanges = async () => {
      const rows = await db
        .selectFrom('mappings')
        .select('changes')
        .where('import_id', '=', portal.id)
        .orderBy('version', 'desc')
        .execute()
      return rows[0]?.changes
    }
    await allow.click()
    await vi.waitFor(
      async () => expect(await readChanges()).toEqual({ entities: { attachments: { send_unprotected: true } } }),
      patient,
    )
    await page.reload()
    await allow.waitFor(patient)
    await expect.poll(() => allow.isChecked(), patient).toBe(true)
    await allow.click()
    await vi.waitFor(async () => expect(await readChanges()).toEqual({}), patient)
    expectClean()
    await close()
  })
})
