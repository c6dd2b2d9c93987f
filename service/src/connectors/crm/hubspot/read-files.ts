import type { Family } from '../../../families/index.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { inTurn } from '../../kit/nested-pages.ts'
import type { Walk } from '../../kit/pages.ts'
import { alone, type List, type Listed, listed, type Which } from '../../kit/read-lists.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import type { Filter, HubObject, HubspotApi, ObjectType } from './api.ts'
import { attachments, changedIn } from './entities.ts'
import { entityOf, toObjectId, toRecordId } from './objects.ts'

interface Around {
  api: HubspotApi
  family: Family
  toRaws(type: ObjectType, some: readonly HubObject[]): Promise<RawRecord[]>
  searched(type: ObjectType, names: readonly string[], filters: readonly Filter[]): Walk<HubObject>
  changedSince(type: ObjectType, since: string): Filter
}

/** Lists files as records. */
export function listFiles({ api, family, toRaws, searched, changedSince }: Around): Listed {
  const isHeld = family === 'helpdesk'
  // An activity can have several files. A file's id combines the id of the activity and the id of the file.
  const holderTypes = isHeld
    ? (['notes', 'emails'] as const)
    : (['notes', 'calls', 'meetings', 'tasks', 'emails'] as const)
  const filesIn = async (type: ObjectType, some: readonly HubObject[]): Promise<RawRecord[]> => {
    const holders = isHeld ? new Set((await toRaws(type, some)).map(({ id }) => String(id))) : null
    const entity = entityOf(family, type)
    const all = some.flatMap((object) => {
      const sourceId = toRecordId(family, entity, type, object.id)
      if (holders && !holders.has(sourceId)) return []
      return fileIdsOf(object).map((fileId) => ({ object, fileId, parent: { entity, sourceId } }))
    })
    return sideBySide(all, 4, async ({ object, fileId, parent }) => {
      const file = await api.file(fileId)
      return {
        id: `${type}-${object.id}-${fileId}`,
        parent,
        // A missing file is reported when its bytes are requested.
        fileName: file ? fileNameOf(file) : `file ${fileId}`,
        size: file?.size ?? null,
        isPrivate: isHeld ? type === 'notes' : null,
        createdAt: file?.createdAt ?? null,
        updatedAt: object.properties[changedIn(type)] ?? null,
      }
    })
  }
  const fileWalk =
    (type: ObjectType, { since, ids }: Which): Walk<RawRecord> =>
    async (cursor, size) => {
      const names = ['hs_attachment_ids', 'hs_email_direction', changedIn(type)]
      if (ids) return { items: await filesIn(type, await api.byIds(type, names, ids)), next: null }
      const has: Filter = { propertyName: 'hs_attachment_ids', operator: 'HAS_PROPERTY' }
      const filters = since === undefined ? [has] : [has, changedSince(type, since)]
      const { items, next } = await searched(type, names, filters)(cursor, size)
      return { items: await filesIn(type, items), next }
    }
  const fileList: List =
    ({ since, ids }) =>
    (cursor, size) => {
      if (!ids) return inTurn(holderTypes, cursor, size, (type) => fileWalk(type, { since }))
      const asked = ids.flatMap((id) => partsOfFile(id) ?? [])
      return inTurn(holderTypes, cursor, size, (type) => async (at) => {
        const holders = asked.filter((one) => one.type === type).map(({ id }) => id)
        if (holders.length === 0) return { items: [], next: null }
        const { items, next } = await fileWalk(type, { ids: [...new Set(holders)] })(at, size)
        return { items: items.filter(({ id }) => ids.includes(String(id))), next }
      })
    }
  const filesUnder =
    (entity: string) =>
    (parentId: string): Walk<RawRecord> => {
      const holder = toObjectId(family, entity, parentId)
      return holder ? fileWalk(holder.type, { ids: [holder.id] }) : nothing
    }
  return listed(isHeld ? attachments.helpdesk : attachments.crm, fileList, alone, {
    ...Object.fromEntries(['notes', 'activities', 'comments'].map((entity) => [entity, filesUnder(entity)])),
  })
}

const nothing: Walk<RawRecord> = async () => ({ items: [], next: null })

export const fileIdsOf = ({ properties }: HubObject): string[] =>
  (properties.hs_attachment_ids ?? '')
    .split(';')
    .map((id) => id.trim())
    .filter((id) => /^\d+$/.test(id))

export function partsOfFile(id: string): { type: ObjectType; id: string; fileId: string } | null {
  const [, type, holder, fileId] = /^(notes|calls|meetings|tasks|emails)-(\d{1,18})-(\d{1,18})$/.exec(id) ?? []
  return type && holder && fileId ? { type: type as ObjectType, id: holder, fileId } : null
}

export const fileNameOf = ({ id, name, extension }: { id: string; name?: string | null; extension?: string | null }) =>
  name ? `${name}${extension && !name.endsWith(`.${extension}`) ? `.${extension}` : ''}` : `file ${id}`
