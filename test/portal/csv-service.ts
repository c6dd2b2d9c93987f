import { randomBytes } from 'node:crypto'
import { expect, vi } from 'vitest'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import { type Config, readConfig } from '../../service/src/config.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { families } from '../../service/src/families/index.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { type Role, startService } from '../../service/src/main.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import type { PortalUpload } from '../../service/src/portal/upload-contract.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { testKeys } from '../support/service.ts'

export interface Answer<T> {
  status: number
  json: T
}

/** The whole service as in production, with a destination, for customers who upload files. */
export async function startCsvService(
  options: { config?: Partial<Config>; role?: Role; database?: TestDatabase } = {},
) {
  await using cleanup = new AsyncDisposableStack()
  const own = options.database ?? (await createTestDatabase())
  cleanup.defer(() => own.drop())
  const harbourToken = randomBytes(8).toString('hex')
  const harbour = await startHarbour({ port: 0, dataFile: ':memory:', token: harbourToken })
  cleanup.defer(() => harbour.close())
  const environment = {
    WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
    WHERRY_LOG_LEVEL: 'silent',
    PORT: '0',
  }
  const config = {
    ...readConfig({ ...environment, WHERRY_RATE_LIMIT: '0' }),
    databaseUrl: own.url,
    keys: testKeys,
    ...options.config,
  }
  const start = (role: Role) => startService(config, { role, onePerFolder: false, onNotice: () => {} })
  const service = await start(options.role ?? 'all')
  cleanup.defer(() => service.stop())
  const database = openDatabase(own.url, { poolSize: 4 })
  cleanup.defer(() => database.close())
  const keyRing = parseKeyRing(testKeys)
  const partner = await createPartner(
    database.db,
    { connectors, keyRing },
    { name: 'Acme', destination: 'open', families: [...families] },
  )
  const origin = String(service.origin).replace('localhost', '127.0.0.1')
  const authorization = `Basic ${btoa(`${partner.api_token}:`)}`
  const asPartner = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${origin}/api/v2.1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return text === '' ? null : JSON.parse(text)
  }

  /** Opens the portal as the customer's browser does. */
  const openPortal = async (body: object = {}) => {
    const created = await asPartner('POST', '/imports', { source_tool: 'csv', family: 'helpdesk', ...body })
    const session = await fetch(`${origin}/portal/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: created.id, token: created.token }),
    })
    const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
    const base = `${origin}/portal/imports/${created.id}`
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    const act = async <T = any>(method: string, path: string, payload?: unknown, headers = {}): Promise<Answer<T>> => {
      const isRaw = payload instanceof Uint8Array
      const type = isRaw ? 'application/octet-stream' : 'application/json'
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { cookie, ...(payload === undefined ? {} : { 'content-type': type }), ...headers },
        ...(payload === undefined ? {} : { body: isRaw ? Buffer.from(payload) : JSON.stringify(payload) }),
      })
      const text = await answer.text()
      return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
    }
    const begin = async (fileName: string, size: number): Promise<PortalUpload> => {
      const started = await act<PortalUpload>('POST', '/uploads', { file_name: fileName, size })
      expect(started.status, JSON.stringify(started.json)).toBe(201)
      return started.json
    }
    const look = async (id: string) => (await act<PortalUpload>('GET', `/uploads/${id}`)).json
    const sendPart = (id: string, offset: number, bytes: Uint8Array) =>
      act('PUT', `/uploads/${id}/content?offset=${offset}`, bytes)
    /** The answer once the files are read. The service itself waits for that only for a short time. */
    const whenRead = async <T>(id: string, answer: Answer<T>): Promise<Answer<T>> => {
      if (answer.status !== 202) return answer
      return vi.waitFor(
        async () => {
          const again = await act<T>('POST', `/uploads/${id}/finish`, {})
          expect(again.status).not.toBe(202)
          return again
        },
        { timeout: 300_000, interval: 200 },
      )
    }
    const finish = async (id: string) => whenRead(id, await act<PortalUpload>('POST', `/uploads/${id}/finish`, {}))
    return {
      id: created.id as string,
      cookie,
      base,
      act,
      begin,
      look,
      sendPart,
      finish,
      chooseTables: async (id: string, ...tables: object[]) =>
        whenRead(id, await act('PUT', `/uploads/${id}/tables`, { tables })),
      removeFile: async (id: string, file: number) =>
        whenRead(id, await act<PortalUpload>('DELETE', `/uploads/${id}/files/${file}`)),
      /** Uploads a whole file, in parts as large as allowed. */
      async upload(fileName: string, content: string | Buffer) {
        const bytes = Buffer.from(content)
        const { id, part_bytes: most } = await begin(fileName, bytes.length)
        for (let at = 0; at < bytes.length; at += most) {
          const sent = await sendPart(id, at, bytes.subarray(at, at + most))
          expect([sent.status, sent.json]).toEqual([200, { received: Math.min(at + most, bytes.length) }])
        }
        return { id, ...(await finish(id)) }
      },
      connectSource: (upload: string) => act('PUT', '/accounts/source', { upload }),
      connectDestination: () =>
        act('PUT', '/accounts/destination', { instance_url: harbour.baseUrl, token: harbourToken }),
      until: (status: string) =>
        vi.waitFor(
          async () => {
            const imp = await asPartner('GET', `/imports/${created.id}`)
            expect(imp.status_code).toBe(status)
            return imp
          },
          { timeout: 300_000, interval: 200 },
        ),
    }
  }
  const running = cleanup.move()
  return {
    db: database.db,
    databaseUrl: own.url,
    keyRing,
    harbour,
    harbourToken,
    origin,
    start,
    asPartner,
    openPortal,
    close: () => running.disposeAsync(),
  }
}

export type CsvService = Awaited<ReturnType<typeof startCsvService>>
export type CsvPortal = Awaited<ReturnType<CsvService['openPortal']>>

/** The stored parts of an upload. */
export async function chunksOf(service: CsvService, uploadId: string) {
  return await service.db
    .selectFrom('upload_chunks')
    .select(['file', 'sealed_bytes'])
    .where('upload_id', '=', uploadId)
    .execute()
}

/** A table of tickets, about 260 bytes each. */
export const tickets = (count: number) =>
  `id,subject,description\n${Array.from({ length: count }, (_, n) => `${n},Ticket ${n},"${'lorem ipsum '.repeat(20)}"`).join('\n')}`
