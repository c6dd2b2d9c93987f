import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { openDatabase } from '../src/db/open-database.ts'
import type { ImportDetail, ImportEntry } from '../src/imports/import-rows.ts'
import { loadInstallation } from '../src/installation.ts'
import { parseKeyRing } from '../src/key-ring.ts'
import { presentDetail, presentEntry } from '../src/partner-api/presenters.ts'
import { findImportStatement, listImportsStatement } from './find-import.ts'
import { answerParent } from './run-child.ts'

export interface ServeBare {
  databaseUrl: string
  keys: string
  poolSize: number
}

const listQuery = '?destination_username='

/**
 * The baseline: node:http and pg without a framework. Paths are /partner/import and /partner/?destination_username=…,
 * without authentication.
 */
answerParent(async ({ databaseUrl, keys, poolSize }: ServeBare, cleanup) => {
  const database = openDatabase(databaseUrl, { poolSize: 1 })
  const { links } = await loadInstallation(database.db, parseKeyRing(keys))
  await database.close()
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize })
  cleanup.defer(() => pool.end())

  const read = async (partnerId: string, importId: string) => {
    const { rows } = await pool.query<ImportDetail>({ ...findImportStatement, values: [importId, partnerId] })
    return rows[0] && presentDetail(rows[0], links)
  }
  const list = async (partnerId: string, query: string) => {
    const username = decodeURIComponent(query.replace(listQuery, ''))
    const { rows } = await pool.query<ImportEntry>({ ...listImportsStatement, values: [partnerId, username] })
    return rows.map((imp) => presentEntry(imp, links))
  }
  const answer = async (url: string, response: ServerResponse) => {
    const [, partnerId = '', rest = ''] = url.split('/')
    const found = await (rest.startsWith(listQuery) ? list(partnerId, rest) : read(partnerId, rest))
    if (!found) return void response.writeHead(404).end()
    const body = JSON.stringify(found)
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  }
  const server = createServer((request, response) => {
    answer(request.url ?? '', response).catch(() => response.destroy())
  })
  cleanup.defer(async () => server.closeAllConnections())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
