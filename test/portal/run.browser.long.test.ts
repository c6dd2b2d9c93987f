import { resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Fault, SeenRequest } from '../../demo/harbour/faults.ts'
import { checkoutDir } from '../../service/src/config.ts'
import { harbourToken, startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'
import { type Program, startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }

/** How Harbour treats comments: it answers, lets one wait, or refuses our key. */
let mood: 'well' | 'waiting' | 'locked' = 'well'
const answer = async ({ method, path }: SeenRequest): Promise<Fault> => {
  if (mood === 'locked') return { status: 401 }
  while (mood === 'waiting' && method === 'PUT' && path === '/records/comments') {
    await new Promise((done) => setTimeout(done, 100))
  }
  return 'ok'
}
const start = () => startWholeService({ workers: 0, onRequest: (request) => answer(request) })

describeInBrowser('a run that is watched in a browser', start, (setup) => {
  const workers: Program[] = []
  afterAll(async () => {
    mood = 'well'
    for (const worker of workers) worker.child.kill('SIGKILL')
    await Promise.all(workers.map(({ finished }) => finished))
  })

  /** A separate worker process, which a test can kill. */
  function startWorker(): Program {
    const worker = startProgram(
      process.execPath,
      [resolve(checkoutDir, 'service/bin/wherry.mjs'), 'serve', '--role', 'worker'],
      {
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: String(setup.service.config.databaseUrl),
          WHERRY_KEYS: testKeys,
          WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
        },
      },
    )
    workers.push(worker)
    return worker
  }

  test('is paused, survives the death of its worker and a lost key, and ends', { timeout: 900_000 }, async () => {
    const first = startWorker()
    const portal = await setup.service.openPortal({ start_full: false })
    await portal.connect()
    await portal.look('/plan')
    await portal.run('sample', 'sample_migration_completed')
    await portal.sponsor()
    const { page, expectClean, close } = await setup.visitImport(portal, '#full')
    const titled = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor(patient)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await titled('The full migration')
    mood = 'waiting'
    await press('Start the full migration')
    await titled('Copying your data to Acme')
    await page.getByText('Now: Copying: Comments').waitFor(patient)
    await page.getByText('records are in Acme, those of earlier runs included.').waitFor(patient)
    await inspectScreen(page, '20-progress')
    await page.reload()
    await titled('Copying your data to Acme')
    await press('Pause')
    await page.getByText('Paused by you').waitFor()
    await inspectScreen(page, '21-paused')
    await press('Go on')
    await page.getByText('Paused by you').waitFor({ state: 'detached' })

    first.child.kill('SIGKILL')
    await first.finished
    // No progress is made, and the page still works.
    await page.reload()
    await titled('Copying your data to Acme')
    mood = 'locked'
    startWorker()
    await page.getByText('Acme no longer lets us in').waitFor(patient)
    await page.getByText('Needs your attention', { exact: true }).waitFor()
    await inspectScreen(page, '22-access-lost')
    mood = 'well'
    await page.getByRole('link', { name: 'Connect Acme again' }).click()
    await titled('Your two accounts')
    // The form is shown first; the earlier address arrives one request later.
    await expect.poll(() => page.getByLabel('Address').inputValue(), patient).toBe(setup.service.harbour.baseUrl)
    await inspectScreen(page, '23-connect-again')
    await page.getByLabel('Access token').fill(harbourToken)
    await press('Connect')
    await titled('Your data is in Acme')
    expectClean()
    await close()
  })
})
