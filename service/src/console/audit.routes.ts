import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import { addRoute, type ConsoleParts } from './console-parts.ts'
import { readQuery, readRows } from './read-query.ts'

/** The audit log, newest first. */
export function registerAuditRoutes(app: FastifyInstance, { db }: ConsoleParts): void {
  addRoute(app, 'GET', '/audit', 'read', async ({ query }) => {
    const { subject, before, limit } = readQuery(query, ['subject', 'before', 'limit'])
    if (before !== null && !/^\d{1,18}$/.test(before))
      throw new ValidationError({ before: ['must be the id of a line'] })
    return { lines: await listLines(db, { subject, before, limit: readRows(limit) }) }
  })
}

async function listLines(
  db: Db,
  { subject, before, limit }: { subject: string | null; before: string | null; limit: number },
) {
  return db
    .selectFrom('audit_log as a')
    .leftJoin('operators as o', (join) => join.on(sql<boolean>`o.id = a.details->>'operator'`))
    .select(['a.id', 'a.at', 'a.actor', 'a.act', 'a.subject', 'a.details', 'o.name as operator'])
    .$if(subject !== null, (query) => query.where('a.subject', '=', String(subject)))
    .$if(before !== null, (query) => query.where('a.id', '<', String(before)))
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute()
}
