import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startWholeService, type WholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'

/** The limit for unprompted movement on a screen, as browsers measure it. */
const mostShift = 0.02
const limit = { timeout: 900_000 }

interface Shift {
  value: number
  /** The first words of each element that moved, with its old and new position. */
  moved: string[]
}

/** All shifts so far, including those from before this call. */
const readShifts = `new Promise((done) => {
  const shifts = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect, currentRect }) =>
        [node?.textContent?.slice(0, 30), previousRect.y, currentRect.y].join(' '))
      if (!hadRecentInput) shifts.push({ value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => done(shifts), 100)
})`

type Portal = Awaited<ReturnType<WholeService['openPortal']>>

describeInBrowser('nothing jumps while a screen loads', startWholeService, (setup) => {
  const prepare: Record<string, { heading: string; walk: (portal: Portal) => Promise<unknown> }> = {
    connect: { heading: 'Connect both accounts', walk: async () => {} },
    plan: {
      heading: 'Your plan for Acme',
      walk: async (portal) => {
        await portal.connect()
        await portal.look('/plan')
      },
    },
    review: {
      heading: 'The sample is in Acme',
      walk: async (portal) => {
        await portal.connect()
        await portal.look('/plan')
        await portal.run('sample', 'sample_migration_completed')
      },
    },
    done: {
      heading: 'Your data is in Acme',
      walk: async (portal) => {
        await portal.connect()
        await portal.look('/plan')
        await portal.run('sample', 'sample_migration_completed')
        await portal.sponsor()
        await portal.run('full', 'migration_completed')
      },
    },
  }

  /** The shifts of a screen until everything on it has arrived. */
  const shiftsOf = async (page: Page, heading: string) => {
    await page.getByRole('heading', { level: 1, name: heading }).waitFor({ timeout: 300_000 })
    await page.waitForLoadState('networkidle').catch(() => {})
    // The browser draws everything after the last answer within two frames.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const shifts = await page.evaluate<Shift[]>(readShifts)
    const sum = shifts.reduce((total, { value }) => total + value, 0)
    return sum <= mostShift ? 'calm' : shifts
  }
  const visit = ({ id, token }: Portal, width: number) =>
    setup.visit(`/imports/${id}/${token}`, { viewport: { width, height: 800 } })

  for (const [name, { heading, walk }] of Object.entries(prepare)) {
    for (const width of [360, 1440]) {
      test(`${name} at ${width} px, cold and warm`, limit, async () => {
        const portal = await setup.service.openPortal()
        await walk(portal)
        const { page, close } = await visit(portal, width)
        const cold = await shiftsOf(page, heading)
        await page.reload()
        expect({ cold, warm: await shiftsOf(page, heading) }).toEqual({ cold: 'calm', warm: 'calm' })
        await close()
      })
    }
  }

  const places = {
    mapping: 'Match your fields',
    people: 'Match people',
    full: 'The full migration',
    undo: 'Remove everything from Acme?',
    activity: 'What happened so far',
    messages: 'Messages',
    cancel: 'Cancel this import?',
  }
  for (const width of [360, 1440]) {
    test(`the other screens that the customer can open, at ${width} px`, limit, async () => {
      const portal = await setup.service.openPortal()
      await prepare.review?.walk(portal)
      const { page, close } = await visit(portal, width)
      const seen: Record<string, unknown> = { review: await shiftsOf(page, 'The sample is in Acme') }
      for (const [place, heading] of Object.entries(places)) {
        await page.goto(`${setup.service.origin}/imports/${portal.id}#${place}`)
        await page.reload()
        seen[place] = await shiftsOf(page, heading)
      }
      expect(seen).toEqual(Object.fromEntries(['review', ...Object.keys(places)].map((place) => [place, 'calm'])))
      await close()
    })
  }
})
