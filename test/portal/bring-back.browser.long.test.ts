import { expect, test } from 'vitest'
import { openHarbour } from '../engine/harbour-client.ts'
import { startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }

describeInBrowser('records that people deleted in the destination', startWholeService, (setup) => {
  test('are counted as such, and are restored at a press', { timeout: 900_000 }, async () => {
    const portal = await setup.service.openPortal({ start_full: true })
    await portal.connect()
    await portal.until('migration_completed')
    const harbour = openHarbour({ harbour: setup.service.harbour, importId: portal.id })
    for (const id of ['3', '4']) await harbour.remove('tickets', id)
    const after = await portal.run('delta', 'migration_completed')
    expect(after.items.tickets).toBe(117)
    const { page, expectClean, close } = await setup.visitImport(portal)
    await page.getByRole('heading', { name: 'Bring deleted records back' }).waitFor(patient)
    await page.getByText('2 deleted there by someone').first().waitFor(patient)
    await inspectScreen(page, '31-deleted-by-people')
    await page.getByRole('button', { name: 'Bring the 2 back' }).click()
    await page.getByRole('heading', { name: 'Bring deleted records back' }).waitFor({ ...patient, state: 'hidden' })
    expect((await portal.until('migration_completed')).items.tickets).toBe(119)
    expect(await harbour.fieldsOf('tickets', '3')).toBeDefined()
    expectClean()
    await close()
  })
})
