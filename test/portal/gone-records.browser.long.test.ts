import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteInDesk } from '../engine/delete-in-desk.ts'
import { openHarbour } from '../engine/harbour-client.ts'
import { startWholeService, type WholeService } from '../engine/whole-service.ts'
import { inspectScreen } from './inspect-screen.ts'
import { hasChromium, launchBrowser, type TestBrowser } from './portal-browser.ts'

const patient = { timeout: 300_000 }
const limit = { timeout: 900_000 }

describe.skipIf(!hasChromium)('records that were deleted in the source', () => {
  let service: WholeService
  let browser: TestBrowser
  beforeAll(async () => {
    service = await startWholeService()
    browser = await launchBrowser(service.origin)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  async function migrated(...deleted: string[]) {
    const portal = await service.openPortal({ start_full: true })
    await portal.connect()
    await portal.until('migration_completed')
    for (const id of deleted) await deleteInDesk(service, 'tickets', id)
    await portal.run('delta', 'migration_completed')
    const harbour = openHarbour({ harbour: service.harbour, importId: portal.id })
    return { portal, harbour }
  }

  test('are listed with their titles, and kept at a press', limit, async () => {
    const { portal, harbour } = await migrated('3')
    const subject = String((await harbour.fieldsOf('tickets', '3'))?.subject)
    const { page, expectClean, close } = await browser.visit(`/imports/${portal.id}/${portal.token}`)
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

  test('are removed at a press, and what people changed stays and is told', limit, async () => {
    const { portal, harbour } = await migrated('4', '5')
    await harbour.change('tickets', '5', { subject: 'Changed by a person' })
    const before = (await portal.until('migration_completed')).items
    const { page, expectClean, close } = await browser.visit(`/imports/${portal.id}/${portal.token}`)
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
