import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type PortalService, startPortalService } from './portal-service.ts'

let service: PortalService
beforeAll(async () => {
  service = await startPortalService()
})
afterAll(() => service.close())

/** Follows an import on its own connection, and keeps everything it received. */
async function follow(imp: { id: string; token: string }) {
  const session = await service.call('POST', '/portal/session', { body: { id: imp.id, token: imp.token } })
  const cookie = String(session.headers['set-cookie']).split(';')[0]
  const { hostname, port } = new URL(service.origin)
  const socket: Socket = connect(Number(port), hostname)
  const seen = new Set<string>()
  let carried = ''
  socket.on('data', (chunk: Buffer) => {
    const text = carried + chunk.toString()
    for (const [, done = ''] of text.matchAll(/"done":(\d+),/g)) seen.add(done)
    carried = text.slice(-50)
  })
  socket.write(
    `GET /portal/imports/${imp.id}/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  )
  return { socket, has: (done: number) => seen.has(String(done)) }
}

test('a slow reader gets the newest state when it continues, though nothing changes any more', async () => {
  const imp = await service.createImport()
  const setProgress = (done: number) =>
    service.db
      .updateTable('imports')
      .set({ progress: JSON.stringify({ done, total: 9_999 }) })
      .where('id', '=', imp.id)
      .execute()
  // More data than the buffers in between can hold.
  await service.db
    .insertInto('warnings')
    .values(
      Array.from({ length: 90 }, (_, index) => ({
        import_id: imp.id,
        code: `code_${index}`,
        entity: 'tickets',
        message: 'x'.repeat(200_000),
        count: 1,
      })),
    )
    .execute()
  const [quick, slow] = [await follow(imp), await follow(imp)]
  slow.socket.pause()
  await vi.waitFor(() => expect(quick.has(0)).toBe(true), { timeout: 300_000 })
  for (const done of [111, 222]) {
    await setProgress(done)
    await vi.waitFor(() => expect(quick.has(done)).toBe(true), { timeout: 300_000 })
  }
  // From here on the state is small, and the slow reader has read nothing yet.
  await service.db.deleteFrom('warnings').where('import_id', '=', imp.id).execute()
  await setProgress(333)
  await vi.waitFor(() => expect(quick.has(333)).toBe(true), { timeout: 300_000 })
  expect(slow.has(333)).toBe(false)
  slow.socket.resume()
  await vi.waitFor(() => expect(slow.has(333)).toBe(true), { timeout: 300_000 })
  quick.socket.destroy()
  slow.socket.destroy()
})
