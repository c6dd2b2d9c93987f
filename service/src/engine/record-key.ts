/** Characters that every destination can keep in a key. */
const plain = /^[A-Za-z0-9_.-]{1,120}$/

/**
 * Our name for a record in the destination: the same in every attempt of every run, and different for every record of
 * every import. Odd source ids travel as base64url, marked, so that two of them never become the same key.
 */
export function recordKey(importId: string, entity: string, sourceId: string): string {
  const id = plain.test(sourceId) ? sourceId : `:${Buffer.from(sourceId).toString('base64url')}`
  return `${importId}/${entity}/${id}`
}
