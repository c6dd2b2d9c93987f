import type { Obstacle } from '../../service/src/db/schema.ts'
import type { Journey } from './journey.ts'

/** Works without waiting until the run has an obstacle. */
export async function workUntilStuck({ db, slice }: Journey, runId: string): Promise<Obstacle> {
  for (let slices = 0; slices < 60; slices++) {
    const result = await slice(runId)
    const run = await db.selectFrom('runs').select('obstacle').where('id', '=', runId).executeTakeFirstOrThrow()
    if (run.obstacle) return run.obstacle
    if (result.next === 'nothing') throw new Error('the run ended without an obstacle')
  }
  throw new Error('the run never told of an obstacle')
}

/** Presses a button of the portal, with its own session. */
export async function pressInPortal({ origin, portalPath, importId }: Journey, route: string) {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body: JSON.stringify(body),
    })
  const session = await post('/portal/session', { id: importId, token: portalPath.split('/').at(-1) })
  const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
  const answer = await post(`/portal/imports/${importId}/${route}`, {}, { cookie })
  const text = await answer.text()
  return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
}
