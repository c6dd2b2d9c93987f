import { afterAll, expect, test } from 'vitest'
import { startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser, expectTitle, formAsking, patienceMs } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'
import { appKey, loadKeyedDesk, startKeyedDesk, userToken } from './keyed-desk.ts'

const patient = { timeout: patienceMs }

let desk: Awaited<ReturnType<typeof startKeyedDesk>>
const start = async () => {
  desk = await startKeyedDesk()
  return startWholeService({ connectors: [await loadKeyedDesk(desk.url)] })
}
afterAll(() => desk?.close())

describeInBrowser('the form of a tool from outside', start, (setup) => {
  test('asks in the tool’s words, refuses at the field, and connects', { timeout: 900_000 }, async () => {
    const portal = await setup.service.openPortal({ source_tool: 'keyed' })
    const { page, expectClean, close } = await setup.visitImport(portal, '', {
      locale: 'de-DE',
    })
    await expectTitle(page, 'Verbinden Sie beide Konten')
    const form = formAsking(page, 'User token')
    await form.getByLabel('App-Schlüssel').fill('short')
    await form.getByText(`Beispiel: ${'0123'.repeat(8)}`).waitFor()
    await form.getByLabel('User token').fill(userToken)
    await form.getByLabel('Adresse').fill('desk.example')
    await expect.poll(() => form.getByRole('link').count(), patient).toBe(1)
    await form.getByRole('button', { name: 'Verbinden' }).click()
    await form.getByText('Ein App-Schlüssel hat 32 Zeichen.').waitFor()
    await form.getByText('Bitte geben Sie die ganze Adresse ein.').waitFor()
    await inspectScreen(page, '90-de-mismatch')
    // No request was sent, neither to the service nor to the desk.
    expect(desk.asked).toEqual([])

    await form.getByLabel('Adresse').fill(desk.url)
    const links = () => form.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    await expect.poll(links, patient).toEqual([`${desk.url}/settings/apps`, 'https://keyed.example/tokens'])
    expect(await form.getByLabel('App-Schlüssel').getAttribute('type')).toBe('password')
    await page.getByRole('button', { name: 'English', exact: true }).click()
    await expect.poll(() => form.getByLabel('App key').inputValue(), patient).toBe('short')
    await form.getByLabel('App key').fill(appKey)
    await form.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('Garden support', { exact: true }).first().waitFor(patient)
    expectClean()
    await close()
  })
})
