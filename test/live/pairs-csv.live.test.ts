import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AccountAccess } from '../../service/src/connectors/contract.ts'
import type { Family } from '../../service/src/families/index.ts'
import { zipOf } from '../connectors/csv-upload.ts'
import { compareDesks } from './compare-desks.ts'
import { csvDesk, csvDeskZip } from './csv-desk.ts'
import { deskOfRedmine } from './desk-of-redmine.ts'
import { csvToRedmine, csvToRt } from './desk-rules.ts'
import { newFacts, ofTable } from './facts.ts'
import { readRedmine } from './facts-redmine.ts'
import { onlyInUse, readRt } from './facts-rt.ts'
import { readTryton } from './facts-tryton.ts'
import { expectClosed, type PairService, type Portal, patienceMs, startPairService } from './pair-service.ts'
import { readPlaces } from './place.ts'
import { prepareRedmine } from './prepare-redmine.ts'
import { takeAll, takeBack, takeSample } from './walk.ts'
import { callAs } from './wordpress-seed.ts'

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const { redmine, rt, tryton, wordpress } = readPlaces()

let service: PairService
beforeAll(async () => {
  service = await startPairService()
})
afterAll(() => service.close())

/** Uploads the files and brings everything over. */
async function bring(to: string, family: Family, destination: AccountAccess, zip: Buffer): Promise<Portal> {
  const portal = await service.openPortal({ from: 'csv', to, family })
  const { id } = await portal.act('POST', '/uploads', { file_name: 'export.zip', size: zip.length })
  await portal.act('PUT', `/uploads/${id}/content?offset=0`, new Uint8Array(zip))
  await portal.wait('the files to be read', async () => {
    const { status, json } = await portal.send('POST', `/uploads/${id}/finish`, {})
    if (status > 202) throw new Error(JSON.stringify(json))
    return status === 200 ? json : null
  })
  await portal.act('PUT', '/accounts/source', { upload: id })
  await portal.connect('destination', destination)
  await portal.plan()
  await takeSample(portal, { from: 'csv', to, family })
  await takeAll(portal)
  return portal
}

describe.skipIf(!redmine)('from files to Redmine (npm run live -- redmine)', () => {
  test('every ticket and message comes over and can be taken back', async ({ skip }) => {
    if (!redmine) return skip()
    const { destination } = redmine
    await prepareRedmine(destination)
    const before = await readRedmine(destination)
    const portal = await bring('redmine', 'helpdesk', destination.access, csvDeskZip())
    const records = await portal.records()
    expectClosed(records)
    const made = deskOfRedmine(newFacts(before, await readRedmine(destination)), 'destination')
    expect(compareDesks(csvDesk(), made, records, csvToRedmine)).toEqual([])
    await takeBack(portal)
    expect(await readRedmine(destination)).toEqual(before)
  })
})

describe.skipIf(!rt)('from files to Request Tracker (npm run live -- rt)', () => {
  test('every ticket and message comes over and can be taken back', async ({ skip }) => {
    if (!rt) return skip()
    const { destination } = rt
    const before = onlyInUse(await readRt(destination))
    const portal = await bring('rt', 'helpdesk', destination.access, csvDeskZip())
    const records = await portal.records()
    expectClosed(records)
    expect(compareDesks(csvDesk(), newFacts(before, await readRt(destination)), records, csvToRt)).toEqual([])
    await takeBack(portal)
    expect(onlyInUse(await readRt(destination))).toEqual(before)
  })
})

describe.skipIf(!tryton)('from files to Tryton (npm run live -- tryton)', () => {
  test('every party comes over and can be taken back', async ({ skip }) => {
    if (!tryton) return skip()
    const { destination } = tryton
    const names = ['Brücke & Söhne 🚀', 'שלום בע״מ', "O'Neil <script>"]
    const accounts = `id,name,email\r\n${names.map((name, index) => `a${index},"${name}",a${index}@export.example`).join('\r\n')}\r\n`
    const contacts = `id,name,email,account_id\r\n${Array.from({ length: 30 }, (_, index) => `c${index},Person ${index},c${index}@export.example,a${index % 3}`).join('\r\n')}\r\n`
    const zip = zipOf([
      { name: 'accounts.csv', content: accounts },
      { name: 'contacts.csv', content: contacts },
    ])
    const before = await readTryton(destination)
    const portal = await bring('tryton', 'crm', destination.access, zip)
    expectClosed(await portal.records())
    const made = newFacts(before, await readTryton(destination))
    const parties = ofTable(made, 'parties').map(([, { name, mechanisms }]) => {
      return `${name} ${JSON.parse((mechanisms as string[])[0] ?? '{}').value}`
    })
    const expected = [
      ...names.map((name, index) => `${name} a${index}@export.example`),
      ...Array.from({ length: 30 }, (_, index) => `Person ${index} c${index}@export.example`),
    ]
    expect(parties.sort()).toEqual(expected.sort())
    expect(ofTable(made, 'relations')).toHaveLength(30)
    await takeBack(portal)
    expect(await readTryton(destination)).toEqual(before)
  })
})

describe.skipIf(!wordpress)('from files to WordPress (npm run live -- wordpress)', () => {
  test('every post and comment comes over and can be taken back', async ({ skip }) => {
    if (!wordpress) return skip()
    const { access } = wordpress.destination
    const call = callAs(access)
    const list = async (route: string) =>
      (await call('GET', `${route}${route.includes('?') ? '&' : '?'}per_page=100&context=edit`)) as unknown as {
        title?: { raw: string }
        content: { raw: string }
        date_gmt: string
      }[]
    const posts = `id,title,body,status,published_at,created_at\r\n${Array.from({ length: 12 }, (_, index) => `p${index},"Same title 🚀","<p>Text ${index} &amp; שלום</p>",published,2015-05-0${(index % 9) + 1}T05:05:05Z,2015-05-0${(index % 9) + 1}T05:05:05Z`).join('\r\n')}\r\n`
    const comments = `id,post_id,author_name,author_email,body,status,created_at\r\n${Array.from({ length: 30 }, (_, index) => `k${index},p0,Guest ${index},g${index}@export.example,<p>Comment ${index}</p>,approved,2016-01-01T00:00:${String(index).padStart(2, '0')}Z`).join('\r\n')}\r\n`
    const before = [await list('/posts?status=any'), await list('/comments?status=all')]
    const zip = zipOf([
      { name: 'posts.csv', content: posts },
      { name: 'comments.csv', content: comments },
    ])
    const portal = await bring('wordpress', 'blog', access, zip)
    expectClosed(await portal.records())
    const there = (await list('/posts?status=any')).filter(({ title }) => title?.raw === 'Same title 🚀')
    const texts = there.map(
      ({ content, date_gmt }) => `${content.raw.replace(/<[^>]*>/g, '').trim()} ${date_gmt.slice(0, 10)}`,
    )
    const expected = Array.from({ length: 12 }, (_, index) => `Text ${index} &amp; שלום 2015-05-0${(index % 9) + 1}`)
    expect(texts.sort()).toEqual(expected.sort())
    expect((await list('/comments?status=all')).length).toBe(Number(before[1]?.length) + 30)
    await takeBack(portal)
    expect([await list('/posts?status=any'), await list('/comments?status=all')]).toEqual(before)
  })
})
