import Type from 'typebox'
import { runBeside } from '../../../threads/run-beside.ts'
import { eachItem } from '../../kit/each-item.ts'
import { chunksOf } from '../../kit/find.ts'
import { inSteps } from '../../kit/nested-pages.ts'
import type { Walk } from '../../kit/pages.ts'
import { fixed } from '../../kit/shape-walks.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { takeFields } from '../../kit/take-fields.ts'
import { askable, type GhostApi, quote, type Raw } from './api.ts'
import type { UsedMedium } from './list-media.ts'
import * as media from './list-media.ts'

// Ghost has no list of files, so we read them from the texts that use them: posts first, then pages. A file belongs to
// the first text that uses it.

const kinds = ['posts', 'pages'] as const
type Kind = (typeof kinds)[number]

const onlyMedia = { fields: 'id,html,feature_image,feature_image_alt,feature_image_caption', include: null }
const mayUseMedia = "html:~'/content/',feature_image:-null"

const beside = runBeside(new URL('./list-media.ts', import.meta.url).href, media)
const parts = ['html', 'feature_image', 'feature_image_alt', 'feature_image_caption']
const shapes = Object.fromEntries(parts.map((name) => [name, Type.String()]))
const mediaOf = async (record: Raw): Promise<UsedMedium[]> => beside('listMedia', takeFields(shapes, record))

/** A page needs many requests, so it is short. */
const largestPage = 25

export const walkMedia =
  (api: GhostApi): Walk<UsedMedium> =>
  (cursor, size) =>
    inSteps(kinds, ':', cursor, async (kind, after) => {
      const { items: records, next } = await api.walk(kind, mayUseMedia, onlyMedia)(after, Math.min(size, largestPage))
      const here = new Map<string, UsedMedium>()
      for (const record of records) {
        for (const medium of await mediaOf(record)) if (!here.has(medium.id)) here.set(medium.id, medium)
      }
      const before = new Set<string>()
      if (kind === 'pages') await noteUsed(api, 'posts', "id:>'0'", [...here.keys()], before)
      if (after !== null) await noteUsed(api, kind, `id:<=${quote(after)}`, [...here.keys()], before)
      return { items: [...here.values()].filter(({ id }) => !before.has(id)), next }
    })

/** Number of addresses in one filter. */
const atOnce = 20

/** Notes those of the files that texts within the limit already use. */
async function noteUsed(api: GhostApi, kind: Kind, limit: string, ids: string[], used: Set<string>): Promise<void> {
  for (const some of chunksOf(ids, atOnce)) {
    let open = some.filter((id) => !used.has(id))
    // A file that was found is not requested again, so the loop ends.
    for (let asked = 0; open.length > 0 && open.length !== asked; ) {
      asked = open.length
      const filter = `(${open.map(filterOf).join(',')})+${limit}`
      const { records } = await api.list(kind, { ...onlyMedia, filter, order: 'id asc', limit: 20 })
      for (const record of records) for (const { id } of await mediaOf(record)) used.add(id)
      open = open.filter((id) => !used.has(id))
    }
  }
}

/** A filter for texts that may use the file. Texts contain addresses without the site's name. */
function filterOf(id: string): string {
  const path = quote(askable(id.replace(/^.*\/content\/(images|media|files)\//, '').replace(/^https?:\/\//, '')))
  return `html:~${path},feature_image:~${path}`
}

/** These files, each from the first text that uses it. Unused files are left out. */
export const findMedia = (api: GhostApi, ids: readonly string[]): Walk<UsedMedium> =>
  fixed(async () => {
    const found = await sideBySide([...new Set(ids)], 1, (id) => findFirstUse(api, id))
    return found.filter((medium) => medium !== null)
  })

async function findFirstUse(api: GhostApi, id: string): Promise<UsedMedium | null> {
  if (!URL.canParse(id)) return null
  for (const kind of kinds) {
    for await (const record of eachItem(api.walk(kind, filterOf(id), onlyMedia), 10)) {
      const use = (await mediaOf(record)).find((medium) => medium.id === id)
      if (use) return use
    }
  }
  return null
}
