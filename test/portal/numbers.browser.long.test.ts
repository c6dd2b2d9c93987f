import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { general } from '../../web/texts/en/general.ts'
import { deleteInDesk } from '../engine/delete-in-desk.ts'
import { type Portal, startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser, expectTitle, patienceMs } from '../support/browser.ts'

const patient = { timeout: patienceMs }
type Counts = Record<string, number>

// If several entities share a name, the first is that of the help desk.
const labels = new Map(
  Object.entries(general.items.entity)
    .reverse()
    .map(([entity, label]) => [label, entity]),
)
const numberIn = (text: string) => Number(text.replaceAll(',', ''))
const sumOf = (counts: Counts) => Object.values(counts).reduce((sum, one) => sum + one, 0)

/** The numbers in a sentence such as "5 found = 3 copied + 2 waiting". */
function readSentence(sentence: string): { found: number; parts: Counts } {
  const [found = '', parts = ''] = sentence.split(' found = ')
  const read = parts.split(' + ').map((part) => [part.replace(/^\S+ /, ''), numberIn(part.split(' ')[0] ?? '')])
  return { found: numberIn(found), parts: Object.fromEntries(read) }
}

describeInBrowser('the numbers on the screen', startWholeService, (setup) => {
  let portal: Portal
  beforeAll(async () => {
    portal = await setup.service.openPortal()
    await portal.connect()
    await portal.look('/plan')
  })

  /** The numbers on Harbour's own first page. */
  async function inHarbour(): Promise<Counts> {
    const { page, close } = await setup.browser.visitAt(`${setup.service.harbour.url}/`)
    const cards = await page
      .locator('ul.cards a')
      .evaluateAll((all) =>
        all.map((one) => [one.getAttribute('href')?.slice(1), one.querySelector('strong')?.textContent]),
      )
    await close()
    return Object.fromEntries(cards.map(([entity, count]) => [String(entity), numberIn(String(count))]))
  }

  /** The numbers in the section "Results": the total, and each kind of record. */
  async function onScreen(page: Page) {
    const results = page.locator('section', { has: page.getByRole('heading', { name: 'Results', exact: true }) })
    await results
      .getByText(/ found = /)
      .first()
      .waitFor(patient)
    const [hero = ''] = await results.getByText(/ found = /).allTextContents()
    const rows = await results
      .locator('ul')
      .last()
      .locator('> li')
      .evaluateAll((all) =>
        all.map((one) => {
          const [label, large] = [...one.querySelectorAll('span')].map((span) => span.textContent ?? '')
          return { label: label ?? '', large: large ?? '', sentence: one.lastElementChild?.textContent ?? '' }
        }),
      )
    return {
      hero: readSentence(hero),
      rows: rows.map(({ label, large, sentence }) => ({
        entity: String(labels.get(label)),
        large: numberIn(large),
        ...readSentence(sentence),
      })),
    }
  }

  /** The downloaded report: the number of records of each kind with each result. */
  async function inReport(): Promise<{ found: number; written: Counts }> {
    const answer = await fetch(`${setup.service.origin}/portal/imports/${portal.id}/report.csv`, {
      headers: { cookie: portal.cookie },
    })
    const cells = [...(await answer.text()).matchAll(/^"([a-z_]+)","([^"]+)","[^"]*","([a-z]+)",/gm)]
    const results = new Map(cells.map(([, entity, sourceId, state]) => [`${entity} ${sourceId}`, { entity, state }]))
    const written: Counts = {}
    for (const { entity = '', state } of results.values()) {
      if (state === 'written') written[entity] = (written[entity] ?? 0) + 1
    }
    return { found: results.size, written }
  }

  async function expectOneTruth(page: Page) {
    const there = await inHarbour()
    const { hero, rows } = await onScreen(page)
    const copied = rows
      .map(({ entity, parts }) => [entity, parts.copied ?? 0] as const)
      .filter(([, count]) => count > 0)
    expect(Object.fromEntries(copied)).toEqual(there)
    expect(hero.parts.copied).toBe(sumOf(there))
    expect(hero.found).toBe(rows.reduce((sum, { found }) => sum + found, 0))
    for (const { found, parts, large } of rows) {
      expect(sumOf(parts)).toBe(found)
      expect(large).toBe((parts.copied ?? 0) + (parts['already there'] ?? 0))
    }
    const report = await inReport()
    expect(report).toEqual({ found: hero.found, written: there })
    return hero
  }

  test('match those of Harbour and of the report, after the sample, the full migration, the changes and the undo', {
    timeout: 900_000,
  }, async () => {
    await portal.run('sample', 'sample_migration_completed')
    const { page, close } = await setup.visitImport(portal)
    await expectTitle(page, 'The sample is in Acme')
    await expectOneTruth(page)

    await portal.sponsor()
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    await page.route('**/sums', async (route) => {
      await held
      await route.continue()
    })
    await portal.run('full', 'migration_completed')
    await expectTitle(page, 'Your data is in Acme')
    // Until the results of this run arrive, those of the sample are not shown.
    expect(await page.getByText(/ found = /).count()).toBe(0)
    letGo()
    const full = await expectOneTruth(page)

    await deleteInDesk(setup.service, 'tickets', '3')
    await portal.run('delta', 'migration_completed')
    await page.reload()
    await expectTitle(page, 'Your data is in Acme')
    expect((await expectOneTruth(page)).parts.copied).toBe(full.parts.copied)

    await portal.run('undo', 'migration_cleaned')
    await expectTitle(page, 'The import was undone')
    await page.getByText(`${full.parts.copied?.toLocaleString('en-GB')} removed again`).waitFor(patient)
    expect(await inHarbour()).toEqual({})
    await close()
  })
})
