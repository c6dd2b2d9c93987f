import { badRequest, notFound } from './errors.ts'

export interface ListQuery {
  afterId: number
  limit: number
  updatedSince: string | undefined
  /** Lists only these records. */
  ids: number[] | undefined
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100
const ID = /^[1-9][0-9]{0,14}$/
// A date, or a date with a time. A time without an offset is in UTC.
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

export function parseListQuery(query: Record<string, unknown>): ListQuery {
  const limit = single(query, 'limit')
  const after = single(query, 'after')
  const since = single(query, 'updated_since')
  const ids = single(query, 'ids')
  if (limit !== undefined && (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT)) {
    throw badRequest(`limit must be a whole number from 1 to ${MAX_LIMIT}.`)
  }
  const updatedSince = since === undefined ? undefined : parseMoment(since)
  if (updatedSince === null) throw badRequest('updated_since must be an ISO 8601 date or time.')
  return {
    afterId: after === undefined ? 0 : decodeCursor(after),
    limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
    updatedSince,
    ids: ids === undefined ? undefined : parseIds(ids),
  }
}

function parseIds(text: string): number[] {
  const ids = text.split(',')
  if (ids.length > MAX_LIMIT || !ids.every((id) => ID.test(id))) {
    throw badRequest(`ids must be up to ${MAX_LIMIT} ids with commas between them.`)
  }
  return ids.map(Number)
}

/** An id that is no number gives "not found". */
export function parseId(text: string, what: string): number {
  if (!ID.test(text)) throw notFound(what)
  return Number(text)
}

/** Returns the moment in UTC with milliseconds, or null if the text is no moment. */
export function parseMoment(text: string): string | null {
  if (!MOMENT.test(text)) return null
  const hasTime = text.includes('T')
  const hasZone = /(Z|[+-]\d{2}:\d{2})$/.test(text) && hasTime
  const date = new Date(hasTime && !hasZone ? `${text}Z` : text)
  if (Number.isNaN(date.getTime())) return null
  const iso = date.toISOString()
  return isDay(text.slice(0, 10)) && iso.length === 24 ? iso : null
}

export function encodeCursor(id: number): string {
  return Buffer.from(`id:${id}`).toString('base64url')
}

function decodeCursor(cursor: string): number {
  const match = /^id:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (!match) throw badRequest('after must be a value of "next" from an earlier answer.')
  return Number(match[1])
}

/** JavaScript would read 2025-02-31 as 3 March. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
}

function single(query: Record<string, unknown>, name: string): string | undefined {
  const value = query[name]
  if (value === undefined || typeof value === 'string') return value
  throw badRequest(`${name} must be given once.`)
}
