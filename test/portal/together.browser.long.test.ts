import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Fault } from '../../demo/harbour/faults.ts'
import { deskKey, harbourToken, startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser, expectTitle } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }
const limit = { timeout: 900_000 }

let isDown = false
const start = () =>
  startWholeService({
    onRequest: async (): Promise<Fault> => (isDown ? { status: 503 } : 'ok'),
  })

describeInBrowser('several people, several windows, and only a keyboard', start, (setup) => {
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
  const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true }).first().click()

  test(
    'an account that the partner gave, and that could not be checked, only needs a confirmation',
    limit,
    async () => {
      isDown = true
      const portal = await setup.service.openPortal({
        destination_instance_url: setup.service.harbour.baseUrl,
        destination_username: 'maeve@fernhill.example',
        destination_token: harbourToken,
      })
      const { page, expectClean, close } = await setup.visitImport(portal)
      await expectTitle(page, 'Connect both accounts')
      await page.getByText('Acme has given us this account along with the import.').waitFor()
      await page.getByText('Needs your confirmation').waitFor()
      await inspectScreen(page, '60-given-account')
      await press(page, 'Yes, connect it')
      await page.getByText('We could not sign in').waitFor(patient)
      isDown = false
      await press(page, 'Yes, connect it')
      await page.getByText('Fernhill at Harbour').first().waitFor(patient)
      await expectTitle(page, 'Connect Fernhill Desk')
      expectClean()
      await close()
    },
  )

  test('two people who change the mapping at once lose nothing', limit, async () => {
    const portal = await setup.service.openPortal()
    await portal.connect()
    await portal.look('/plan')
    const [ann, ben] = [await setup.visitImport(portal), await setup.visitImport(portal)]
    for (const { page } of [ann, ben]) {
      await expectTitle(page, 'Your plan for Acme')
      await follow(page, 'Fields of Tickets')
      await page.getByLabel('What Channel becomes').waitFor()
    }
    const leaveOut = (page: Page, field: string) =>
      page.getByLabel(`What ${field} becomes`, { exact: true }).selectOption({ label: 'Leave it out' })
    await leaveOut(ann.page, 'Channel')
    await leaveOut(ben.page, 'Priority')
    await press(ann.page, 'Save')
    await ann.page.getByText('Saved. The next run works with this.').waitFor()
    await press(ben.page, 'Save')
    await ben.page.getByText('Another mapping was saved in the meantime').waitFor()
    await inspectScreen(ben.page, '61-mapping-conflict')
    await press(ben.page, 'Put mine on top')
    for (const field of ['Channel', 'Priority']) {
      const choice = ben.page.getByLabel(`What ${field} becomes`, { exact: true })
      await expect.poll(() => choice.inputValue(), patient).toBe('')
    }
    await press(ben.page, 'Save')
    await ben.page.getByText('Saved. The next run works with this.').waitFor()
    const { changes } = (await portal.act('GET', '/mapping')).json
    expect(changes.entities.tickets.fields).toEqual({ channel: { to: null }, priority: { to: null } })
    await ann.close()
    await ben.close()
  })

  test('two windows show the same, the back button works, and an edited record survives an undo', limit, async () => {
    const portal = await setup.service.openPortal()
    await portal.connect()
    await portal.look('/plan')
    const { page, expectClean, close } = await setup.visitImport(portal)
    await expectTitle(page, 'Your plan for Acme')
    const other = await page.context().newPage()
    await other.goto(`${setup.service.origin}/imports/${portal.id}`)
    await expectTitle(other, 'Your plan for Acme')
    await press(page, 'Start the free sample')
    for (const window of [page, other]) await expectTitle(window, 'The sample is in Acme')
    await portal.sponsor()
    await follow(page, 'Go on to the full migration')
    await expectTitle(page, 'The full migration')
    await page.goBack()
    await expectTitle(page, 'The sample is in Acme')
    await page.goForward()
    await expectTitle(page, 'The full migration')
    await follow(other, 'Go on to the full migration')
    await expectTitle(other, 'The full migration')
    await press(page, 'Start the full migration')
    for (const window of [page, other]) await expectTitle(window, 'Your data is in Acme')
    // In neither window does the back button open an outdated screen.
    await page.goBack()
    await expectTitle(page, 'Your data is in Acme')

    const [one] = (await portal.act('GET', '/records?entity=tickets&limit=1&compare=true')).json.records
    const edit = await fetch(one.destination_url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ value: 'Edited by hand' }),
    })
    expect(edit.status).toBe(303)
    await page.goto(`${setup.service.origin}/imports/${portal.id}#undo`)
    await press(page, 'See what would be removed')
    await page.getByText('Edited there since').waitFor(patient)
    await press(page, 'Show the edited ones')
    await page.getByText(`(#${one.number})`).waitFor(patient)
    await inspectScreen(page, '62-undo-edited')
    await page.getByLabel('Type "undo" to confirm').fill('undo')
    await press(page, /^Remove .* records$/)
    for (const window of [page, other]) await expectTitle(window, 'The import was undone')
    await page.getByText('Records that stayed').waitFor()
    await press(page, 'Show which')
    await page.getByText(`(#${one.number})`).waitFor(patient)
    await inspectScreen(page, '63-cleaned-kept')
    expectClean()
    await close()
  })

  test('the whole walk works without a mouse', limit, async () => {
    const portal = await setup.service.openPortal({ destination_username: 'maeve@fernhill.example' })
    const { page, expectClean, close } = await setup.visitImport(portal)
    const { keyboard } = page
    const focused = () =>
      page.evaluate(`(() => {
        const element = document.activeElement
        const label = element.labels?.[0]?.textContent ?? ''
        const box = element.getBoundingClientRect()
        const isSeen = box.bottom > 0 && box.top < innerHeight
        return [element.tagName, (label || element.textContent || '').trim(), isSeen]
      })()`) as Promise<[string, string, boolean]>
    /** The words of the focused element, which must be on the screen, at the latest when the focus returns to it. */
    const landed = async () => {
      let words = ''
      for (let tries = 0; tries < 5; tries += 1) {
        const [, text, isSeen] = await focused()
        if (isSeen) return text
        words = text
        // On a slow machine, content that arrived above the element has pushed it down.
        await keyboard.press('Shift+Tab')
        await keyboard.press('Tab')
      }
      return expect.fail(`not on the screen when it has the focus: ${words}`)
    }
    /** Presses Tab until this element has the focus. Every focused element on the way must be on the screen. */
    const tabTo = async (name: string | RegExp) => {
      await page.locator('[data-working]').first().waitFor({ state: 'detached' })
      for (let presses = 0; presses < 250; presses += 1) {
        await keyboard.press('Tab')
        const text = await landed()
        if (typeof name === 'string' ? text === name : name.test(text)) return
      }
      throw new Error(`no way to ${name} by Tab`)
    }
    const activate = async (name: string | RegExp) => {
      await tabTo(name)
      await keyboard.press('Enter')
    }
    await expectTitle(page, 'Connect both accounts')
    await tabTo('Address')
    await keyboard.type(setup.service.fernhill.url)
    await tabTo('API key')
    await keyboard.type(deskKey)
    await keyboard.press('Enter')
    await expectTitle(page, 'Connect Acme')
    await tabTo('Address')
    await keyboard.type(setup.service.harbour.baseUrl)
    await tabTo('Access token')
    await keyboard.type(harbourToken)
    await keyboard.press('Enter')
    await expectTitle(page, 'Your plan for Acme')
    await page.getByText('Everything can be undone.').waitFor(patient)
    await activate('Fields of Tickets')
    await expectTitle(page, 'Match your fields')
    await activate('Back to the plan')
    await expectTitle(page, 'Your plan for Acme')
    await activate('Start the free sample')
    await expectTitle(page, 'The sample is in Acme')
    await page.getByRole('button', { name: 'Something is off' }).waitFor(patient)
    await activate('Go on to the full migration')
    await expectTitle(page, 'The full migration')
    await activate('Ask Acme to pay')
    await page.getByText(/You asked Acme/).waitFor()
    await portal.sponsor()
    await page.getByText('Acme pays. It costs you nothing.').waitFor()
    await page.getByText(/This service sends no mail\. Come back/).waitFor()
    expect(await page.getByLabel('Your e-mail address').count()).toBe(0)
    await activate('Start the full migration')
    await expectTitle(page, 'Your data is in Acme')
    await activate('Messages')
    await expectTitle(page, 'Messages')
    await page.getByText('This service sends no mail, so there are no messages.').waitFor()
    await inspectScreen(page, '64-messages')
    await activate('Back to the import')
    await expectTitle(page, 'Your data is in Acme')
    await activate('Undo the import')
    await expectTitle(page, 'Remove everything from Acme?')
    await activate('See what would be removed')
    await page.getByText('Will be removed').waitFor(patient)
    await tabTo('Type "undo" to confirm')
    await keyboard.type('undo')
    await activate(/^Remove .* records$/)
    await expectTitle(page, 'The import was undone')
    expectClean()
    await close()
  })

  test('the first screen has at most 120 kB, compressed', limit, async () => {
    const portal = await setup.service.openPortal()
    const { page, close } = await setup.visit('/imports/none')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const addresses = new Set<string>()
    page.on('request', (request) => {
      // Requests about the import come after the screen, and are small.
      if (!request.url().includes('/portal/')) addresses.add(request.url())
    })
    await page.goto(`${setup.service.origin}/imports/${portal.id}/${portal.token}`)
    await expectTitle(page, 'Connect both accounts')
    const sizes = await Promise.all(
      [...addresses].map(async (address) => gzipSync(await (await fetch(address)).arrayBuffer()).length),
    )
    expect(sizes.length).toBeGreaterThan(3)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000)
    await close()
  })
})
