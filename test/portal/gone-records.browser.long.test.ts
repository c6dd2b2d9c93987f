import { expect, test } from 'vitest'
import { deleteInDesk } from '../engine/delete-in-desk.ts'
import { openHarbour } from '../engine/harbour-client.ts'
import { startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }
const limit = { timeout: 900_000 }

describeInBrowser('records that were deleted in the source', startWholeService, (setup) => {
  async function migrated(...deleted: string[]) {
    const portal = await setup.service.openPortal({ start_full: true })
    await portal.connect()
    await portal.until('migration_completed')
    for (const id of deleted) await deleteInDesk(setup.service, 'tickets', id)
    await portal.run('delta', 'migration_completed')
    const harbour = openHarbour({ harbour: setup.service.harbour, importId: portal.id })
    return { portal, harbour }
  }

  test('are listed with their titles, and kept at a press', limit, async () => {
    const { portal, harbour } = await migrated('3')
    const subject = String((await harbour.fieldsOf('tickets', '3'))?.subject)
    const { page, expectClean, close } = await setup.visitImport(portal)
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'No longer in Fernhill Desk' }) })
    await section.getByText('They are still in').waitFor(patient)
    const tickets = section.getByRole('listitem').filter({ hasText: 'Tickets' })
    await tickets.getByRole('button', { name: 'Show which' }).click()
    await tickets.getByText(subject).waitFor(patient)
    expect(await tickets.getByRole('link', { name: /Fernhill/ }).count()).toBe(0)
    await inspectScreen(page, '33-gone-from-source')
    await section.getByRole('button', { name: 'Keep them' }).click()
    await section.waitFor({ ...patient, state: 'hidden' })
    expect(await harbour.fieldsOf('tickets', '3')).toBeDefined()
    expectClean()
    await close()
  })

  test('are removed at a press, and edited ones stay and are listed', limit, async () => {
    const { portal, harbour } = await migrated('4', '5')
    await harbour.change('tickets', '5', { subject: 'Changed by a person' })
    const before = (await portal.until('migration_completed')).items
    const { page, expectClean, close } = await setup.visitImport(portal)
    await page.getByRole('button', { name: /^Remove them from/ }).click()
    await page.getByText('These records were not removed').first().waitFor(patient)
    await page.getByRole('heading', { name: 'No longer in Fernhill Desk' }).waitFor({ ...patient, state: 'hidden' })
    await inspectScreen(page, '34-gone-removed')
    expect(await harbour.fieldsOf('tickets', '4')).toBeUndefined()
    expect(await harbour.fieldsOf('tickets', '5')).toMatchObject({ subject: 'Changed by a person' })
    expect((await portal.until('migration_completed')).items.tickets).toBe(Number(before.tickets) - 1)
    expectClean()
    await close()
  })
})
