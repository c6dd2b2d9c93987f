import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeAccess } from '../../service/src/accounts/sealed-access.ts'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { startRun } from '../../service/src/imports/start-run.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { brandPartner } from '../../service/src/partners/brand-partner.ts'
import type { PortalCredential } from '../../service/src/portal/contract.ts'
import { testKeys } from '../support/service.ts'
import { type PortalCall, type PortalService, startPortalService } from './portal-service.ts'
import { walkTo } from './walk-to.ts'

let service: PortalService
beforeAll(async () => {
  service = await startPortalService()
})
afterAll(() => service.close())

async function enter(to = service, input: Parameters<PortalService['createImport']>[0] = {}) {
  const imp = await to.createImport(input)
  const answer = await to.call('POST', '/portal/session', { body: { id: imp.id, token: imp.token } })
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  const base = `/portal/imports/${imp.id}`
  const act = (method: 'GET' | 'POST' | 'PUT', path: string, call: PortalCall = {}) =>
    to.call(method, `${base}${path}`, { ...call, headers: { cookie, ...call.headers } })
  return { ...imp, cookie, base, act }
}

type Entered = Awaited<ReturnType<typeof enter>>

/** Events as they arrive; `next` waits for one event. */
function readEvents(imp: { base: string; cookie: string }, to = service) {
  const stop = new AbortController()
  const open = fetch(`${to.origin}${imp.base}/events`, { headers: { cookie: imp.cookie }, signal: stop.signal })
  let rest = ''
  let reader: ReadableStreamDefaultReader<string> | null = null
  return {
    answer: open,
    stop: () => stop.abort(),
    async next(): Promise<string | null> {
      reader ??= (await open).body?.pipeThrough(new TextDecoderStream()).getReader() ?? null
      while (!rest.includes('\n\n')) {
        const piece = await reader?.read()
        if (!piece || piece.done) return null
        rest += piece.value
      }
      const end = rest.indexOf('\n\n')
      const event = rest.slice(0, end)
      rest = rest.slice(end + 2)
      // A keep-alive line is no event.
      return event.startsWith(':') ? this.next() : event
    },
  }
}
const bodyOf = (event: string | null) => JSON.parse(String(event).replace(/^data: /, ''))

/** A ledger with two records. One has a reason that a spreadsheet would read as a formula. */
async function fillLedger({ id }: Entered): Promise<void> {
  await walkTo(service.db, id, 'waiting_to_start_sample_migration')
  const { runId } = await startRun(service.db, { plan: planStages, enqueue: async () => {} }, id, 'plan')
  await service.db
    .insertInto('id_map')
    .values([
      {
        import_id: id,
        run_id: runId,
        entity: 'tickets',
        source_id: '7',
        state: 'written',
        destination_id: 'T-9',
        source_url: 'https://desk.example/7',
        warned: ['link_to_source', 'link_to_source:https://desk.example/a', 'link_to_source:https://desk.example/b'],
      },
      {
        import_id: id,
        run_id: runId,
        entity: 'tickets',
        source_id: 'a/b "c"',
        state: 'refused',
        code: 'blank',
        message: '=HYPERLINK("https://evil.example")',
      },
    ])
    .execute()
}

describe('live events', () => {
  test('the import arrives at once, and again after each change', async () => {
    const imp = await enter()
    const events = readEvents(imp)
    const answer = await events.answer
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    const asked = await imp.act('GET', '')
    expect(bodyOf(await events.next())).toEqual({ ...asked.json, read_at: expect.any(String) })
    await service.db.transaction().execute((tx) => moveImport(tx, imp.id, 'both accounts authorized'))
    expect(bodyOf(await events.next())).toMatchObject({ status_code: 'waiting_to_start_sample_migration' })
    events.stop()
  })

  test('everyone who has the import open is told, and a later visitor gets the known state', async () => {
    const imp = await enter()
    const first = readEvents(imp)
    await first.next()
    const second = readEvents(imp)
    expect(bodyOf(await second.next()).id).toBe(imp.id)
    await service.db.transaction().execute((tx) => moveImport(tx, imp.id, 'both accounts authorized'))
    for (const events of [first, second]) {
      expect(bodyOf(await events.next()).status_code).toBe('waiting_to_start_sample_migration')
      events.stop()
    }
  })

  test('an import that ends, and a link that is revoked, end the stream', async () => {
    const [ended, relinked] = [await enter(), await enter()]
    const streams = [readEvents(ended), readEvents(relinked)]
    for (const events of streams) await events.next()
    await endImport(service.db, ended.id, 'cancelled')
    await service.db.updateTable('imports').set({ link_version: 2 }).where('id', '=', relinked.id).execute()
    for (const events of streams) {
      expect(await events.next()).toBe('event: over\ndata: {}')
      expect(await events.next()).toBeNull()
    }
  })

  test('more windows than the limit are refused', async () => {
    const imp = await enter()
    const streams = Array.from({ length: 20 }, () => readEvents(imp))
    for (const events of streams) expect((await events.answer).status).toBe(200)
    expect((await imp.act('GET', '/events')).status).toBe(429)
    for (const events of streams) events.stop()
  })

  test('an open stream does not delay the end of the service', async () => {
    const own = await startPortalService()
    const imp = await enter(own)
    const events = readEvents(imp, own)
    await events.next()
    await own.close()
    expect(await events.next()).toBeNull()
  })
})

describe('reading', () => {
  test('the report names every record, and no cell can run as a formula', async () => {
    const imp = await enter()
    await fillLedger(imp)
    const { status, headers, text } = await imp.act('GET', '/report.csv')
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers['content-disposition']).toBe(`attachment; filename="import-${imp.id}.csv"`)
    expect(text.split('\r\n')).toEqual([
      'entity,source_id,source_url,state,destination_id,destination_url,is_verified,code,message,old_links,warnings,corrected',
      '"tickets","7","https://desk.example/7","written","T-9","","false","","","https://desk.example/a https://desk.example/b","link_to_source",""',
      `"tickets","a/b ""c""","","refused","","","false","blank","'=HYPERLINK(""https://evil.example"")","","",""`,
      '',
    ])
  })

  test('a record is found by its old and by its new id', async () => {
    const imp = await enter()
    await fillLedger(imp)
    for (const id of ['7', 'T-9']) {
      const { json } = await imp.act('GET', `/records?id=${id}`)
      expect(json.records).toMatchObject([{ source_id: '7', destination_id: 'T-9' }])
    }
    expect((await imp.act('GET', '/records?id=8')).json.records).toEqual([])
  })

  test('the activity says who did what, newest first', async () => {
    const imp = await enter()
    await service.db.transaction().execute((tx) => moveImport(tx, imp.id, 'both accounts authorized'))
    const { json } = await imp.act('GET', '/activity')
    expect(json.activity).toMatchObject([
      { by: 'service', act: 'status', status_code: 'waiting_to_start_sample_migration' },
      { by: 'service', act: 'status', status_code: 'collecting_credentials' },
      { by: 'partner', act: 'import created', status_code: null },
    ])
  })

  test('an account shows its address, and never its key', async () => {
    const imp = await enter(service, { instanceUrl: 'https://acme.example', username: 'ann' })
    const valuesOf = (text: string) =>
      (JSON.parse(text).fields as PortalCredential[]).map(({ name, value }) => [name, value])
    const named = await imp.act('GET', '/accounts/destination')
    expect(valuesOf(named.text)).toEqual([
      ['instance_url', 'https://acme.example'],
      ['token', null],
    ])
    const access = { instanceUrl: 'https://desk.example', username: null, token: 'secret-key' }
    await service.db
      .transaction()
      .execute((tx) =>
        storeAccess(tx, parseKeyRing(testKeys), { importId: imp.id, role: 'source', access, isChecked: true }),
      )
    const { text } = await imp.act('GET', '/accounts/source')
    expect(valuesOf(text)).toEqual([
      ['instance_url', 'https://desk.example'],
      ['token', null],
    ])
    expect(text).not.toContain('secret-key')
    expect((await imp.act('GET', '/accounts/both')).status).toBe(404)
  })

  test('the partner’s logo and colour are shown, and the logo cannot run code', async () => {
    const imp = await enter()
    expect((await imp.act('GET', '/logo')).status).toBe(404)
    const { partner_id } = await service.db
      .selectFrom('imports')
      .select('partner_id')
      .where('id', '=', imp.id)
      .executeTakeFirstOrThrow()
    const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    await brandPartner(service.db, partner_id, { accent: '#FFE000', logo })
    expect((await imp.act('GET', '')).json.partner).toEqual({
      name: 'Harbour',
      accent: '#ffe000',
      has_logo: true,
      full_page: null,
    })
    const { status, headers, text } = await imp.act('GET', '/logo')
    expect([status, headers['content-type'], text]).toEqual([200, 'image/svg+xml', String(logo)])
    expect(headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
    for (const wrong of [{ accent: 'red' }, { logo: Buffer.from('<html>') }, { logo: Buffer.alloc(100_001) }, {}]) {
      await expect(brandPartner(service.db, partner_id, wrong)).rejects.toThrow(/--/)
    }
    await brandPartner(service.db, partner_id, { accent: null, logo: null })
    expect((await imp.act('GET', '')).json.partner).toMatchObject({ accent: null, has_logo: false })
  })
})

describe('acting', () => {
  test('a mark on a record is stored, removed, and refused for an unknown record', async () => {
    const imp = await enter()
    await fillLedger(imp)
    const mark = (body: object) => imp.act('PUT', '/verdicts', { body })
    expect((await mark({ entity: 'tickets', source_id: '7', verdict: 'flagged' })).status).toBe(204)
    expect((await imp.act('GET', '/records?verdict=flagged')).json.records).toMatchObject([{ source_id: '7' }])
    expect((await mark({ entity: 'tickets', source_id: '7', verdict: null })).status).toBe(204)
    expect((await imp.act('GET', '/records?verdict=flagged')).json.records).toEqual([])
    expect((await mark({ entity: 'tickets', source_id: '8', verdict: 'fine' })).status).toBe(404)
    const wrong = await mark({ entity: 'tickets', source_id: '7', verdict: 'great' })
    expect([wrong.status, Object.keys(wrong.json)]).toEqual([422, ['verdict']])
  })

  test('records that the source no longer has can be kept or removed only after a migration, and only if there are any', async () => {
    const imp = await enter()
    await fillLedger(imp)
    const keep = () => imp.act('POST', '/keep-gone', { body: {} })
    const early = await keep()
    expect([early.status, Object.keys(early.json)]).toEqual([422, ['status']])
    const run = await imp.act('POST', '/runs', { body: { kind: 'removal' } })
    expect(run.status).toBe(422)
    const many = await imp.act('GET', '/records?titles=true&limit=51')
    expect([many.status, Object.keys(many.json)]).toEqual([422, ['limit']])
    // The accounts are not connected, so there are no titles.
    const { json } = await imp.act('GET', '/records?titles=true&limit=50')
    expect(json.records.map(({ source_id }: { source_id: string }) => source_id)).toEqual(['7', 'a/b "c"'])
  })

  test('an account that was not given cannot be confirmed', async () => {
    const imp = await enter()
    const answer = await imp.act('PUT', '/accounts/destination', { body: { confirm: true } })
    expect([answer.status, Object.keys(answer.json)]).toEqual([422, ['destination']])
  })

  test('a cancelled import is gone, and its access to both accounts is deleted', async () => {
    const imp = await enter(service, { instanceUrl: 'https://acme.example', token: 'secret' })
    expect((await imp.act('POST', '/cancel', { body: {} })).status).toBe(204)
    const again = await imp.act('POST', '/cancel', { body: {} })
    expect(again.status).toBe(404)
    expect((await imp.act('GET', '')).json.ended.as).toBe('cancelled')
    const kept = await service.db.selectFrom('authorizations').select('role').where('import_id', '=', imp.id).execute()
    expect(kept).toEqual([])
  })

  test('another site cannot do any of this, nor can another import’s cookie', async () => {
    const [imp, other] = [await enter(), await enter()]
    const acts = [
      ['POST', '/cancel'],
      ['PUT', '/verdicts'],
      ['PUT', '/accounts/source'],
    ] as const
    for (const [method, path] of acts) {
      const headers = { 'sec-fetch-site': 'cross-site' }
      expect((await imp.act(method, path, { body: {}, headers })).status).toBe(400)
      expect((await imp.act(method, path, { body: {}, headers: { cookie: other.cookie } })).status).toBe(401)
    }
    for (const path of ['/events', '/report.csv', '/activity', '/logo', '/accounts/source']) {
      expect((await imp.act('GET', path, { headers: { cookie: other.cookie } })).status).toBe(401)
      expect((await imp.act('GET', path, { headers: { cookie: '' } })).status).toBe(401)
    }
  })
})
