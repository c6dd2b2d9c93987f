import { askable, type GhostApi, lostAccess } from './api.ts'
import { takeWhole, type Whole } from './schema.ts'

/** Labels that we made are told by their slug, which only filters show. */
const ownSlug = 'wherry-'

async function listLabels(api: GhostApi): Promise<Whole<'labels'>[]> {
  const labels: Whole<'labels'>[] = []
  let after: string | null = null
  do {
    const { records, next } = await api.listAfter('labels', after, null, 100)
    labels.push(...records.map((record) => takeWhole('labels', record)))
    after = next
  } while (after !== null)
  return labels
}

/** Makes those that the site does not have, so that an undo can take them away again. */
export async function addLabels(api: GhostApi, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const known = new Set((await listLabels(api)).map(({ name }) => name.toLowerCase()))
  for (const name of new Set(names)) {
    if (known.has(name.toLowerCase())) continue
    known.add(name.toLowerCase())
    const slug = `${ownSlug}${askable(name).toLowerCase()}`
    const answer = await api.send('POST', '/labels/', { json: { labels: [{ name, slug }] } })
    // One that it does not take is refused with the member who has it.
    if (answer.result === 'refused' && answer.status === 403) throw lostAccess(403)
  }
}

/** Those that we made, and nobody has any more. */
export async function removeOwnLabels(api: GhostApi): Promise<void> {
  for (const { id, slug, count } of await listLabels(api)) {
    if (slug.startsWith(ownSlug) && count.members === 0) await api.send('DELETE', `/labels/${id}/`, null)
  }
}
