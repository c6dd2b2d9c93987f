import { beforeAll, expect, test } from 'vitest'
import { listSetAside, setAside } from '../../service/src/engine/set-aside.ts'
import { describeInBrowser } from '../support/browser.ts'
import { startTestService } from '../support/service.ts'
import { codeOf, goodPassword, setUpOperator } from './console-client.ts'

const start = () => startTestService({ config: { rateLimit: 0 } })

describeInBrowser('a connector that was set aside', start, (setup) => {
  let secret = ''
  beforeAll(async () => {
    await setAside(setup.service.db, { tool: 'acme', code: 'a hash' }, 'it kept a process busy for 40 seconds')
    secret = (await setUpOperator(setup.service, 'Ana', 'owner')).secret
    await setup.service.db.updateTable('operators').set({ totp_step: null }).execute()
  })

  test('is shown to an owner, who admits it after a question', async () => {
    const { page, expectClean, close } = await setup.visit('/console')
    await page.getByLabel('Name').fill('Ana')
    await page.getByLabel('Password').fill(goodPassword)
    await page.getByLabel('Code').fill(codeOf(secret))
    await page.getByLabel('Code').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.goto(`${setup.service.origin}/console#/tools`)
    const notice = page.getByText('The connector for acme is set aside')
    await notice.waitFor()
    await page.getByText('it kept a process busy for 40 seconds').waitFor()
    await page.getByRole('button', { name: 'Use it as it is' }).click()
    await page.getByRole('button', { name: 'Yes, use it as it is' }).click()
    await notice.waitFor({ state: 'detached' })
    expect(await listSetAside(setup.service.db)).toEqual([])
    expectClean()
    await close()
  })
})
