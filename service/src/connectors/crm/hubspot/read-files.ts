import type { Family } from '../../../families/index.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { inTurn } from '../../kit/nested-pages.ts'
import type { Walk } from '../../kit/pages.ts'
import { alone, type List, type Listed, listed } from '../../kit/read-lists.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { attached, type Filter, type HubObject, type HubspotApi, type ObjectType } from './api.ts'
import { fileIdsIn } from './custom-properties.ts'
import { attachments, changedIn, type HubEntity } from './entities.ts'
import { entityOf, toObjectId, toRecordId } from './objects.ts'

interface Around {
  api: HubspotApi
  family: Family
  toRaws(type: ObjectType, some: readonly HubObject[]): Promise<RawRecord[]>
  declaration(type: ObjectType): Promise<Pick<HubEntity, 'made'>>
  searched(type: ObjectType, names: readonly string[], filters: readonly Filter[]): Walk<HubObject>
  changedSince(type: ObjectType, since: string): Filter
}

export const isActivity = (type: ObjectType) => !['companies', 'contacts', 'deals', 'tickets'].includes(type)

/** Lists files as records: those that activities name, and those in properties of other records. */
export function listFiles({ api, family, toRaws, declaration, searched, changedSince }: Around): Listed {
  const isHeld = family === 'helpdesk'
  const holderTypes: readonly ObjectType[] = isHeld
    ? ['notes', 'emails', 'tickets']
    : ['notes', 'calls', 'meetings', 'tasks', 'emails', 'companies', 'contacts', 'deals']
  /** The properties of a type that hold files, with the labels that people see. */
  const placesOf = async (type: ObjectType): Promise<Map<string, string | null>> => {
    if (isActivity(type)) return new Map([[attached, null]])
    const fields = [...(await declaration(type)).made].filter(([, { property }]) => property.fieldType === 'file')
    return new Map(fields.map(([name, { label }]) => [name, label]))
  }
  const idsIn = (type: ObjectType, object: HubObject, place: string) =>
    isActivity(type) ? fileIdsOf(object) : fileIdsIn({ fieldType: 'file' }, object.properties[place])
  /** A file that several properties of a record name belongs to the first of them. */
  const partsOf = (type: ObjectType, object: HubObject, places: ReadonlyMap<string, string | null>) => {
    const first = new Map<string, string>()
    for (const place of places.keys()) {
      for (const fileId of idsIn(type, object, place)) if (!first.has(fileId)) first.set(fileId, place)
    }
    return [...first].map(([fileId, place]) => ({ object, fileId, place }))
  }
  // A record can have several files. A file's id combines the id of the record and the id of the file.
  const filesIn = async (type: ObjectType, some: readonly HubObject[], only?: string): Promise<RawRecord[]> => {
    const isComment = isHeld && isActivity(type)
    const holders = isComment ? new Set((await toRaws(type, some)).map(({ id }) => String(id))) : null
    const entity = entityOf(family, type)
    const places = await placesOf(type)
    const all = some
      .filter(({ id }) => !holders || holders.has(toRecordId(family, entity, type, id)))
      .flatMap((object) => partsOf(type, object, places))
      .filter(({ place }) => only === undefined || place === only)
    return sideBySide(all, 4, async ({ object, fileId, place }) => {
      const file = await api.file(fileId)
      return {
        id: `${type}-${object.id}-${fileId}`,
        parent: { entity, sourceId: toRecordId(family, entity, type, object.id) },
        // A missing file is reported when its bytes are requested.
        fileName: file ? fileNameOf(file) : `file ${fileId}`,
        size: file?.size ?? null,
        property: places.get(place) ?? null,
        // Customers see e-mails only.
        isPrivate: isHeld ? type !== 'emails' : null,
        createdAt: file?.createdAt ?? null,
        updatedAt: object.properties[changedIn(type)] ?? null,
      }
    })
  }
  const namesOf = async (type: ObjectType) => {
    return [...(await placesOf(type)).keys(), ...(isActivity(type) ? ['hs_email_direction'] : []), changedIn(type)]
  }
  const byIds = async (type: ObjectType, ids: readonly string[]) => ({
    items: await filesIn(type, await api.byIds(type, await namesOf(type), ids)),
    next: null,
  })
  const fileWalk =
    (type: ObjectType, place: string, since: string | undefined): Walk<RawRecord> =>
    async (cursor, size) => {
      const has: Filter = { propertyName: place, operator: 'HAS_PROPERTY' }
      const filters = since === undefined ? [has] : [has, changedSince(type, since)]
      const { items, next } = await searched(type, await namesOf(type), filters)(cursor, size)
      return { items: await filesIn(type, items, place), next }
    }
  const fileList: List =
    ({ since, ids }) =>
    async (cursor, size) => {
      if (!ids) {
        const places: string[] = []
        for (const type of holderTypes)
          for (const place of (await placesOf(type)).keys()) places.push(`${type}/${place}`)
        return inTurn(places, cursor, size, (one) => {
          const [type, place = ''] = one.split('/')
          return fileWalk(type as ObjectType, place, since)
        })
      }
      const asked = ids.flatMap((id) => partsOfFile(id) ?? [])
      return inTurn(holderTypes, cursor, size, (type) => async () => {
        const holders = asked.filter((one) => one.type === type).map(({ id }) => id)
        if (holders.length === 0) return { items: [], next: null }
        const { items, next } = await byIds(type, [...new Set(holders)])
        return { items: items.filter(({ id }) => ids.includes(String(id))), next }
      })
    }
  const filesUnder =
    (entity: string) =>
    (parentId: string): Walk<RawRecord> =>
    async () => {
      const holder = toObjectId(family, entity, parentId)
      return holder ? byIds(holder.type, [holder.id]) : { items: [], next: null }
    }
  const parents = ['notes', 'activities', 'comments', 'tickets', ...(isHeld ? [] : ['accounts', 'contacts', 'deals'])]
  return listed(isHeld ? attachments.helpdesk : attachments.crm, fileList, alone, {
    ...Object.fromEntries(parents.map((entity) => [entity, filesUnder(entity)])),
  })
}

export const fileIdsOf = ({ properties }: HubObject): string[] =>
  (properties[attached] ?? '')
    .split(';')
    .map((id) => id.trim())
    .filter((id) => /^\d+$/.test(id))

export function partsOfFile(id: string): { type: ObjectType; id: string; fileId: string } | null {
  const [, type, holder, fileId] =
    /^(companies|contacts|deals|tickets|notes|calls|meetings|tasks|emails)-(\d{1,18})-(\d{1,18})$/.exec(id) ?? []
  return type && holder && fileId ? { type: type as ObjectType, id: holder, fileId } : null
}

export const fileNameOf = ({ id, name, extension }: { id: string; name?: string | null; extension?: string | null }) =>
  name ? `${name}${extension && !name.endsWith(`.${extension}`) ? `.${extension}` : ''}` : `file ${id}`
