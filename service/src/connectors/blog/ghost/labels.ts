import type { SideOutcome, SideRecord, SideRecords } from '../../contract/contract.ts'
import { digestOf } from '../../kit/keys.ts'
import { type GhostApi, lostAccess } from './api.ts'
import { deleteSide, keepSide } from './remove-side.ts'
import { takeWhole, type Whole } from './schema.ts'

type Label = Whole<'labels'>

export const labelKind = 'labels'

const listLabels = async (api: GhostApi): Promise<Label[]> =>
  (await api.listAll('labels', null)).map((record) => takeWhole('labels', record))

/** Makes the labels that the site lacks, each with a slug by which an undo finds it. */
export async function addLabels(
  api: GhostApi,
  names: readonly string[],
  sides: SideRecords | undefined,
): Promise<void> {
  if (names.length === 0) return
  const known = new Set((await listLabels(api)).map(({ name }) => name.toLowerCase()))
  for (const name of new Set(names)) {
    if (known.has(name.toLowerCase())) continue
    known.add(name.toLowerCase())
    const slug = `wherry-${digestOf(name).slice(0, 16)}`
    const side = { kind: labelKind, mark: slug, destinationId: null, version: digestOf(name) }
    await sides?.note(side)
    const answer = await api.send('POST', '/labels/', { json: { labels: [{ name, slug }] } })
    // If Ghost refuses a label, it will also refuse the member with this label.
    if (answer.result === 'done') await sides?.note({ ...side, destinationId: api.one('labels', answer.json).id })
    else await sides?.forget(side)
    if (answer.result === 'refused' && answer.status === 403) throw lostAccess(403)
  }
}

/** Removes our labels, unless somebody renamed them or a member still has them. */
export async function removeLabels(
  api: GhostApi,
  records: readonly SideRecord[],
  isForced: boolean,
): Promise<SideOutcome[]> {
  const labels = records.length === 0 ? [] : await listLabels(api)
  const outcomes: SideOutcome[] = []
  for (const side of records) {
    const label = labels.find(({ id, slug }) => id === side.destinationId || slug === side.mark)
    if (label && label.count.members > 0)
      outcomes.push(keepSide(side, label.id, 'Members of this site have this label.'))
    else if (label && !isForced && digestOf(label.name) !== side.version) {
      outcomes.push(keepSide(side, label.id, 'People have renamed this label.'))
    } else outcomes.push(await deleteSide(api, side, label && `/labels/${label.id}/`))
  }
  return outcomes
}
