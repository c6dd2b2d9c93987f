import { expect, test } from 'vitest'
import type { Connector, PreflightCheck, Writer } from '../../service/src/connectors/contract/contract.ts'
import { open } from '../../service/src/connectors/open/index.ts'
import { checkPreparation } from '../../service/src/connectors/project/redmine/preflight.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { languages } from '../../web/texts/languages.ts'
import { deskKey, harbourToken, startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'
import { testKeys } from '../support/service.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }
const limit = { timeout: 900_000 }

/** The preparation that a Redmine without our field needs, in the words of its connector. */
const unprepared = checkPreparation(
  {
    trackers: [],
    statuses: [],
    priorities: [],
    activities: [],
    roles: [],
    fields: [],
    bornWith: new Map(),
    textFormat: 'textile',
  },
  'helpdesk',
)

const said = 'There is a disabled queue of this name. Enable it, or give it another name.'

/**
 * Harbour with its own preflight checks. It refuses one ticket in the words of a connector, and a ticket without a
 * subject in its own words.
 */
function choosy(checks: PreflightCheck[]): Connector {
  const { destination } = open
  if (!destination) throw new Error('the open protocol has no destination')
  let refused: string | null = null
  const wrap = (writer: Writer): Writer => ({
    ...writer,
    preflight: async () => checks,
    async write(entity, records) {
      if (entity !== 'tickets') return writer.write(entity, records)
      refused ??= records.find(({ fields }) => fields.subject !== '')?.key ?? null
      const taken = records.filter(({ key }) => key !== refused)
      const outcomes = taken.length > 0 ? await writer.write(entity, taken) : []
      if (refused === null || taken.length === records.length) return outcomes
      return [...outcomes, { key: refused, result: 'refused' as const, code: 'queue', message: said }]
    },
  })
  return {
    ...open,
    tool: 'choosy',
    label: 'Acme',
    destination: { ...destination, open: async (account) => wrap(await destination.open(account)) },
  }
}

const checks = [...unprepared]
const tool = choosy(checks)
const start = () => startWholeService({ connectors: [tool] })

describeInBrowser('sentences of connectors and of the engine', start, (setup) => {
  test('is shown in German to a German customer, and the words of the tool stay unchanged', limit, async () => {
    const { texts } = await languages.de.first()
    const { laterTexts: later } = await languages.de.later()
    const { api_token: token } = await createPartner(
      setup.service.db,
      { connectors: [...connectors, tool], keyRing: parseKeyRing(testKeys) },
      { name: 'Acme', destination: 'choosy', families: ['helpdesk'] },
    )
    const portal = await setup.service.openPortal({}, token)
    await portal.act('PUT', '/accounts/source', { instance_url: setup.service.fernhill.url, token: deskKey })
    await portal.act('PUT', '/accounts/destination', {
      instance_url: setup.service.harbour.baseUrl,
      token: harbourToken,
    })
    await portal.look('/plan')
    const until = (status: string) =>
      expect.poll(async () => (await portal.act('GET', '')).json.status_code, patient).toBe(status)
    const { page, expectClean, close } = await setup.visitImport(portal, '', {
      locale: 'de-DE',
    })
    const says = (words: string | RegExp) => page.getByText(words).first().waitFor(patient)
    const english = () => page.locator('main span[lang=en]').allInnerTexts()

    await page.getByRole('heading', { level: 1, name: later.plan.title('Acme'), exact: true }).waitFor(patient)
    await says(/^Das benutzerdefinierte Feld „Wherry key“ für .* fehlt in Redmine\. Daran werden/)
    await says(/^Legen Sie unter Administration › Benutzerdefinierte Felder ein Feld für .* und jedem Tracker\.$/)
    await says(/^Redmine verschickt zu jedem importierten Ticket/)
    await page.getByText(later.plan.checksPassed('2')).click()
    await says(/^Redmine berechnet Priorität, Termine und Fortschritt/)
    expect(await english()).toEqual([])
    await inspectScreen(page, '84-de-plan-checks')

    // The run shows the same words as its obstacle.
    expect(await portal.act('POST', '/runs', { kind: 'sample' })).toMatchObject({ status: 201 })
    await says(
      /^Das benutzerdefinierte Feld „Wherry key“ für .* fehlt in Redmine\. Daran werden .* und jedem Tracker\.$/,
    )
    expect(await english()).toEqual([])
    await inspectScreen(page, '85-de-obstacle')

    checks.splice(0)
    await page.getByRole('button', { name: texts.shell.obstacle.resume }).click()
    await until('sample_migration_completed')
    await setup.service.asPartner('POST', `/imports/${portal.id}/payment/accept`, undefined, token)
    expect(await portal.act('POST', '/runs', { kind: 'full' })).toMatchObject({ status: 201 })
    await until('migration_completed')
    const refused = page.locator('li').filter({ hasText: 'Es gibt einen abgeschalteten Bereich dieses Namens.' }).last()
    await refused.waitFor(patient)
    await says("Subject can't be blank")
    await says('Die Datei hat 31,5 MB; das Ziel nimmt Dateien bis 21 MB an.')
    expect(await english()).toEqual(["Subject can't be blank"])
    await page.getByRole('button', { name: later.done.showRecords }).first().click()
    await says(/^Es gibt einen abgeschalteten Bereich dieses Namens\. Schalten Sie ihn ein/)
    await inspectScreen(page, '86-de-refused-record')
    expectClean()
    await close()
  })
})
