import { FileMissingError } from '../../../errors.ts'
import { entityOf } from '../../../families/index.ts'
import type { ToolUser } from '../../../families/record.ts'
import type { Account, Page, Reader } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach, uncounted } from '../../kit/count-skipped.ts'
import { chunksOf, eachById } from '../../kit/find.ts'
import { goneAmong, isNumberId } from '../../kit/find-ids.ts'
import { unreadable } from '../../kit/finish-record.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { inTurn } from '../../kit/nested-pages.ts'
import { once } from '../../kit/once.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import { alone, type List, type Listed, listed, readLists, type Which } from '../../kit/read-lists.ts'
import { customFieldsOf, type MappedRecord, readRecord } from '../../kit/read-record.ts'
import { fixed, onlyIds, through } from '../../kit/shape-walks.ts'
import { toUser } from '../../kit/to-user.ts'
import {
  archived,
  createPipedriveApi,
  dataIn,
  idsAtOnce,
  isThere,
  type Kind,
  label,
  largestPage,
  type PipedriveApi,
  soldProducts,
} from './api.ts'
import { readCustom } from './custom-values.ts'
import * as all from './entities.ts'
import { oddParents, oddTimes, parentFields, relatedOf, type Times, toFileRecord } from './places.ts'
import { followPipedrive, kindOf, openRecords } from './records.ts'
import { openVisibility } from './visibility.ts'

/** API path of each entity. */
export const pathOf: Readonly<Record<string, string>> = {
  pipelines: '/api/v2/pipelines',
  stages: '/api/v2/stages',
  accounts: '/api/v2/organizations',
  contacts: '/api/v2/persons',
  deals: '/api/v2/deals',
  activities: '/api/v2/activities',
  notes: '/api/v1/notes',
  attachments: '/api/v1/files',
}

/** Values that Pipedrive sends only on request. */
const includedIn: Readonly<Record<string, { include_fields: string }>> = {
  accounts: { include_fields: 'followers_count' },
  contacts: { include_fields: 'email_messages_count,followers_count' },
  deals: { include_fields: 'participants_count,products_count,email_messages_count,followers_count' },
  activities: { include_fields: 'attendees' },
}

/** The consent to marketing mails. Pipedrive refuses to send it to accounts without Campaigns. */
const consent = 'marketing_status,doi_status'

/** v2 takes no fractions of a second. Unchanged records that are read again are recognized by their hash. */
const sinceOf = (since: string | undefined) => since && `${since.slice(0, 19)}Z`
const nothing: Walk<RawRecord> = fixed(() => [])

export function openPipedrive(account: Account, pageSize = largestPage): Reader {
  const api = createPipedriveApi(account)
  const records = openRecords(api, openVisibility(api), api.activityFields)

  /**
   * Whether the participant count includes the deal's person. Pipedrive does not document it; the first deal with one
   * participant shows it.
   */
  let isPersonCounted: boolean | null = null
  const withParticipants = async (deals: readonly RawRecord[]): Promise<RawRecord[]> => {
    const found: RawRecord[] = []
    for (const deal of deals) {
      const count = Number(deal.participants_count ?? 0)
      const isOne = count === 1 && typeof deal.person_id === 'number'
      const people =
        count === 0 || (isOne && isPersonCounted === true)
          ? []
          : await readAll(api.list(pathOf.contacts ?? '', { deal_id: String(deal.id) }), largestPage)
      const others = people.flatMap(({ id }) => (id === deal.person_id ? [] : [Number(id)]))
      if (isOne) isPersonCounted = others.length === 0
      // Without a person of its own, a deal is its first participant's.
      const [first, ...rest] = typeof deal.person_id === 'number' ? [deal.person_id, ...others] : others
      // A value of another form is left to the lens, which reports it.
      const own = typeof deal.person_id === 'number' ? null : deal.person_id
      found.push({ ...deal, person_id: first ?? own ?? null, participants: rest })
    }
    return found
  }
  /** The products of many deals come in one request. */
  const withProducts = async (deals: readonly RawRecord[]): Promise<RawRecord[]> => {
    const found = new Map<unknown, RawRecord[]>()
    const sold = deals.filter(({ products_count }) => Number(products_count ?? 0) > 0)
    for (const some of chunksOf(sold, idsAtOnce)) {
      const lines = await readAll(api.list(soldProducts, { deal_ids: some.map(({ id }) => id) }), largestPage)
      for (const line of lines) found.set(line.deal_id, [...(found.get(line.deal_id) ?? []), line])
    }
    return deals.map((deal) => ({ ...deal, products: found.get(deal.id) ?? null }))
  }
  const withConsent = `${includedIn.contacts?.include_fields},${consent}`
  const hasConsent = once(async () => {
    const query = { limit: 1, include_fields: withConsent }
    return (await api.http.look(pathOf.contacts ?? '', uncounted, query)).status === 200
  })
  const includedOf = async (entity: string) =>
    entity === 'contacts' && (await hasConsent()) ? { include_fields: withConsent } : includedIn[entity]
  /** Archived deals are a separate list. */
  const listOf =
    (entity: string): List =>
    ({ since, ids }) => {
      const isDeal = entity === 'deals'
      const paths = isDeal ? [pathOf.deals, archived] : [pathOf[entity]]
      const walk =
        (path = ''): Walk<RawRecord> =>
        async (cursor, size) => {
          const more = await includedOf(entity)
          if (ids) return fixed(() => api.byIds(path, ids, more))(cursor, size)
          return api.list(path, { updated_since: sinceOf(since), ...more })(cursor, size)
        }
      const all: Walk<RawRecord> = (cursor, size) => inTurn(paths, cursor, size, walk)
      return isDeal ? through(all, async (page) => withProducts(await withParticipants(page))) : all
    }
  const each = (entity: string, ids: readonly string[]): Walk<RawRecord> =>
    fixed(() => eachById((id) => api.one(`${pathOf[entity]}/${id}`))(ids))
  const noteList: List = ({ since, ids }) =>
    ids ? each('notes', ids) : api.offsetList('/api/v1/notes', { sort: 'id ASC', updated_since: sinceOf(since) })
  const isShownAt = (entity: string, id: string) => (raw: RawRecord) => {
    const at = relatedOf(raw)
    return at?.entity === entity && at.sourceId === id
  }
  const sift = (walk: Walk<RawRecord>, isWanted: (raw: RawRecord) => boolean) =>
    through(walk, (page) => page.filter(isWanted))
  /** A record can name several parents. It is listed under one of them only. */
  const under = (list: (query: Record<string, string>) => Walk<RawRecord>) =>
    Object.fromEntries(
      ['accounts', 'contacts', 'deals'].map((entity) => [
        entity,
        (id: string) =>
          isNumberId(id) ? sift(list({ [parentFields[entity] ?? '']: id }), isShownAt(entity, id)) : nothing,
      ]),
    )
  const toRecords = (entity: string) => async (): Promise<(raw: RawRecord) => Promise<MappedRecord[]>> => {
    const declared = await records.declaration(entity)
    const kind = kindOf[entity]
    const fields = kind ? await api.fields(kind) : []
    return async (raw) => {
      const [shaped = raw] = await records.shape(entity, [raw])
      const { record, warnings } = readRecord(declared, shaped, undefined)
      const { read, odd } = readCustom(fields, raw.custom_fields)
      const known = kind ? all.labelsIn(fields) : new Map()
      const labels = Array.isArray(raw.label_ids) ? raw.label_ids : []
      if (labels.some((id) => !known.has(String(id))) || labels !== (raw.label_ids ?? labels)) odd.push('label_ids')
      if (entity === 'activities' || entity === 'notes') odd.push(...oddParents(raw))
      if (entity === 'activities') odd.push(...oddTimes(raw as Times))
      // The account may not be allowed to read the products.
      if (Number(raw.products_count ?? 0) > 0 && !raw.products) odd.push('products')
      record.customFields = { ...record.customFields, ...Object.fromEntries(read) }
      const { sourceId } = record
      warnings.push(
        ...odd.map((name) => ({ entity, sourceId, code: 'field_unreadable' as const, message: unreadable(name) })),
      )
      return [{ record, warnings }]
    }
  }
  const objects = (entity: string, list: List, below: Listed['under'] = {}): Listed => ({
    entity: { name: entity, definition: entityOf('crm', entity) },
    list,
    holders: null,
    under: below,
    toRecords: toRecords(entity),
    customFields: async () => customFieldsOf(await records.declaration(entity), undefined),
  })

  const changedSince =
    ({ since }: Which) =>
    (raw: RawRecord) =>
      since === undefined || typeof raw.update_time !== 'string' || raw.update_time >= String(sinceOf(since))
  const toFiles = (walk: Walk<RawRecord>) => through(walk, (page) => page.map(toFileRecord))
  // Pipedrive cannot list the files of one activity, so all files are read once.
  const ofActivities = once(async () =>
    (await readAll(allFiles(api), largestPage)).filter((raw) => relatedOf(raw)?.entity === 'activities'),
  )
  const filesAt = (entity: string, id: string): Walk<RawRecord> => {
    const kind = kindOf[entity]
    return kind ? filesUnder(api, kind, id) : fixed(ofActivities)
  }
  const fileList: List = (which) =>
    toFiles(which.ids ? each('attachments', which.ids) : sift(allFiles(api), changedSince(which)))
  const files = listed(all.attachments, fileList, alone, {
    ...Object.fromEntries(
      ['accounts', 'contacts', 'deals', 'activities'].map((entity) => [
        entity,
        (id: string) => (isNumberId(id) ? toFiles(sift(filesAt(entity, id), isShownAt(entity, id))) : nothing),
      ]),
    ),
    notes: () => nothing,
  })
  const plain = (entity: typeof all.pipelines, path: string) =>
    listed(entity, (which) => sift(onlyIds(api.list(path), which.ids), changedSince(which)), alone)
  const tags = listed(
    all.tag,
    ({ ids }) =>
      onlyIds(
        fixed(() => labelsOf(api)),
        ids,
      ),
    alone,
  )
  const isId = (id: string) => isNumberId(id) || /^(persons|organizations)-\d+$/.test(id)

  return {
    ...readLists(
      label,
      [
        tags,
        plain(all.pipelines, '/api/v2/pipelines'),
        plain(all.stages, '/api/v2/stages'),
        ...['accounts', 'contacts', 'deals'].map((entity) => objects(entity, listOf(entity))),
        objects(
          'activities',
          listOf('activities'),
          under((query) => api.list('/api/v2/activities', { ...includedIn.activities, ...query })),
        ),
        objects(
          'notes',
          noteList,
          under((query) => api.offsetList('/api/v1/notes', { sort: 'id ASC', ...query })),
        ),
        files,
      ],
      pageSize,
      isId,
    ),
    // Pipedrive gives no counts. Short lists are read and counted; long lists have no count (null).
    count: (only) =>
      countEach(
        {
          tags: async () => (await labelsOf(api)).length,
          ...Object.fromEntries(
            ['pipelines', 'stages'].map((entity) => [
              entity,
              async () => (await readAll(api.list(pathOf[entity] ?? ''), largestPage)).length,
            ]),
          ),
          ...Object.fromEntries(
            ['accounts', 'contacts', 'deals', 'activities', 'notes', 'attachments'].map((name) => [name, null]),
          ),
        },
        only,
      ),
    countSkipped: () => countOthers(api),
    users: (cursor) => listUsers(api, cursor),
    async findGone(entity, ids) {
      const path = pathOf[entity]
      return goneAmong(path === undefined ? [] : ids.filter(isNumberId), 1, async (id) => {
        const { status, json } = await api.http.look(`${path}/${id}`, [403, 404, 410])
        return status === 200 ? !isThere((dataIn(json) ?? {}) as RawRecord) : status !== 403
      })
    },
    follow: followPipedrive,
    async openFile({ sourceId }) {
      const path = `/api/v1/files/${sourceId}`
      const file = await api.one(path)
      if (file === null) throw new FileMissingError('Pipedrive does not have this file any more')
      // Pipedrive has only a link to such a file, which leads to a page of Google.
      if (/^google/i.test(String(file.remote_location))) throw new FileMissingError('The file is in Google Drive')
      return api.http.openFile(`${path}/download`)
    },
  }
}

export const allFiles = (api: PipedriveApi) => api.offsetList('/api/v1/files', { sort: 'id' })

export const filesUnder = (api: PipedriveApi, kind: Kind, id: string): Walk<RawRecord> =>
  api.offsetList(`/api/v1/${kind}/${id}/files`, { sort: 'id' }, [404])

/** The largest page of call logs. */
const callLogsPage = 50

/** Counts records that no run copies. A list that the account may not see is not counted. */
const countOthers = (api: PipedriveApi) =>
  countSkippedEach({
    leads: async () => {
      const counts = [await api.countOf('/api/v1/leads'), await api.countOf('/api/v1/leads/archived')]
      return counts.reduce((sum, count) => (count === null ? sum : (sum ?? 0) + count), null)
    },
    products: () => api.countOf('/api/v2/products'),
    projects_elsewhere: () => api.countOf('/api/v2/projects'),
    call_logs: () => api.countOf('/api/v1/callLogs', callLogsPage),
    // Comments and links cost a request for each note and each organization, which would use up the daily budget.
    note_comments: () => api.countOf('/api/v1/notes'),
    account_links: () => api.countOf('/api/v2/organizations'),
  })

/** Labels of people and of organizations, each as a tag. The destination unites two tags of the same name. */
async function labelsOf(api: PipedriveApi): Promise<RawRecord[]> {
  const found: RawRecord[] = []
  for (const kind of ['organizations', 'persons'] as const) {
    for (const [id, text] of all.labelsIn(await api.fields(kind))) found.push({ id: all.tagId(kind, id), label: text })
  }
  return found
}

export async function listUsers(api: PipedriveApi, _cursor: string | null): Promise<Page<ToolUser>> {
  const items = (await api.users()).map(({ id, name, email, active_flag }) =>
    toUser(id, name, email, active_flag !== false),
  )
  return { items, next: null }
}
