import { createHash } from 'node:crypto'

const longest = 160
/** Characters that every destination can keep in a key. */
const plain = /^[A-Za-z0-9_.-]{1,120}$/

/**
 * Our name for a record in the destination: the same in every attempt of every run, and different for every record of
 * every import. Odd source ids travel as base64url, marked, so that two of them never become the same key.
 */
export function recordKey(importId: string, entity: string, sourceId: string): string {
  const encoded = plain.test(sourceId) ? sourceId : `:${Buffer.from(sourceId).toString('base64url')}`
  // Keys have 255 characters at most; two long ids with one digest do not happen.
  const id = encoded.length <= longest ? encoded : `::${createHash('sha256').update(sourceId).digest('base64url')}`
  return `${importId}/${entity}/${id}`
}

/** The source id within one of our keys; null for another key, and for one that holds only a digest. */
export function sourceIdOf(key: string, importId: string, entity: string): string | null {
  const prefix = `${importId}/${entity}/`
  if (!key.startsWith(prefix)) return null
  const id = key.slice(prefix.length)
  if (id.startsWith('::')) return null
  return id.startsWith(':') ? Buffer.from(id.slice(1), 'base64url').toString() : id
}
