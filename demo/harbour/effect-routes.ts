import { createHash, timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { FastifyInstance } from 'fastify'
import { HarbourError } from './errors.ts'
import type { EffectRow } from './rows.ts'

const MAX_EFFECTS = 10_000

/**
 * Lists every effect in order: a row for each record that was created, updated, deleted or edited by hand, and a row
 * for each upsert that changed nothing (`repeat`). Tests count these rows.
 */
export function addEffectRoutes(app: FastifyInstance, db: DatabaseSync, adminKey: string): void {
  app.get<{ Querystring: { after?: string; external_id?: string } }>('/effects', ({ headers, query }) => {
    const sent = digest(headers.authorization ?? '')
    if (!timingSafeEqual(sent, digest(`Bearer ${adminKey}`))) {
      throw new HarbourError(401, 'unauthorized', 'Send the admin key as "Authorization: Bearer <key>".')
    }
    const after = Number(query.after ?? 0) || 0
    const externalId = typeof query.external_id === 'string' ? query.external_id : null
    const rows = db
      .prepare('SELECT * FROM effects WHERE id > ? AND (? IS NULL OR external_id = ?) ORDER BY id LIMIT ?')
      .all(after, externalId, externalId, MAX_EFFECTS) as unknown as EffectRow[]
    return { data: rows, next: rows.length === MAX_EFFECTS ? String(rows.at(-1)?.id) : null }
  })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
