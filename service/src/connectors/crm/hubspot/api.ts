import Type, { type Static } from 'typebox'
import { UnreadableAnswerError } from '../../../errors.ts'
import type { ToolAnswer } from '../../../outbound/call-tool.ts'
import { readLimitHeaders } from '../../../outbound/limits.ts'
import type { Account, LimitBucket } from '../../contract/contract.ts'
import { chunksOf } from '../../kit/find.ts'
import { fitting, hasShape } from '../../kit/has-shape.ts'
import { bearer, checkShape, openHttp, type Sent } from '../../kit/http.ts'
import { createTurns, once, onceEach } from '../../kit/once.ts'
import { partLimit } from '../../kit/part-limit.ts'
import { idsIn, isReading } from '../../kit/records-in.ts'
import { passingFault, requireDone } from './faults.ts'
import { type HubObject, objectsFrom, ownId } from './objects-from.ts'
import {
  accountShape,
  fileShape,
  filesShape,
  foldersShape,
  type HubFile,
  historyShape,
  holderShape,
  linkShape,
  linksShape,
  listShape,
  type Property,
  type paging,
  pipelineShape,
  pipelinesIn,
  propertyShape,
  searchShape,
  usableProperty,
  type Version,
} from './schema.ts'

export { attached, type HubObject, textOf } from './objects-from.ts'
export type { AccountFacts, HubFile, Pipeline, Property, Stage, Version } from './schema.ts'

export const label = 'HubSpot'
export const apiAddress = 'https://api.hubapi.com'
/** The page size of lists and searches, and the number of records in a batch. HubSpot accepts no more. */
export const largestPage = 100
/** HubSpot accepts fewer records in a request for the earlier values of properties. */
const largestHistory = 50
/** HubSpot refuses longer addresses. With more names, a second request asks for the properties in its body. */
const longestNames = 6_000

export type ObjectType =
  | 'companies'
  | 'contacts'
  | 'deals'
  | 'tickets'
  | 'notes'
  | 'calls'
  | 'meetings'
  | 'tasks'
  | 'emails'

/** Messages of messengers, and letters. No import reads or makes them. */
export const messageTypes = ['communications', 'postal_mail'] as const
export type Message = (typeof messageTypes)[number]

export const limits: readonly LimitBucket[] = [
  {
    name: 'ten_seconds',
    perMs: 10_000,
    // The limit of the smallest plan. The headers of an answer tell the real one.
    limit: 100,
    learn: readLimitHeaders({ limit: 'x-hubspot-ratelimit-max', remaining: 'x-hubspot-ratelimit-remaining' }),
  },
  {
    name: 'day',
    perMs: 86_400_000,
    limit: null,
    learn: readLimitHeaders({ limit: 'x-hubspot-ratelimit-daily', remaining: 'x-hubspot-ratelimit-daily-remaining' }),
  },
  partLimit('search', /\/search$/, { perMs: 1_000, limit: 4 }),
]

export interface Filter {
  propertyName: string
  operator: 'EQ' | 'IN' | 'GT' | 'GTE' | 'HAS_PROPERTY'
  value?: string
  values?: string[]
}
/**
 * HubSpot's numbers for two kinds of link: to a record's primary company, and from a company to its parent company.
 */
export const primaryCompany: Partial<Record<ObjectType, number>> = { contacts: 1, deals: 5, tickets: 26 }
export const parentCompany = 14

const missingScopes = Type.Object({
  category: Type.Literal('MISSING_SCOPES'),
  errors: Type.Array(Type.Object({ context: Type.Record(Type.String(), Type.Unknown()) })),
})

/** HubSpot names the scopes that a token lacks, under a name that differs between its APIs. Null if it names none. */
export function lackingScopes(json: unknown): string | null {
  const told = hasShape(missingScopes, json) ? json.errors.flatMap(({ context }) => Object.values(context).flat()) : []
  const scopes = told.filter((one) => typeof one === 'string' && /^[\w.-]{1,80}$/.test(one)).slice(0, 10)
  if (scopes.length === 0) return null
  return `The token lacks the scopes ${scopes.join(', ')}. Please add them to the app in HubSpot, and connect it again.`
}

const daySeconds = 86_400

/** The wait after a 429. HubSpot names the limit in the body. The daily one is renewed at the account's midnight. */
function waitOf({ status, json }: ToolAnswer<unknown>, timeZone: string | null | undefined): string | undefined {
  const { policyName } = (json ?? {}) as { policyName?: unknown }
  if (status !== 429 || typeof policyName !== 'string') return undefined
  return String(policyName === 'DAILY' ? daySeconds - secondOfDay(timeZone ?? 'UTC') : 10)
}

/** In UTC if the zone is unknown. A wrong zone costs nothing, because we ask again every hour. */
function secondOfDay(timeZone: string): number {
  try {
    const time = new Date().toLocaleTimeString('en-GB', { timeZone })
    return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  } catch {
    return secondOfDay('UTC')
  }
}

/** The position after a page; null at the end of a list. */
export const afterIn = (more: Static<typeof paging> | undefined): string | null =>
  more?.next ? String(more.next.after) : null

export type HubspotApi = ReturnType<typeof createHubspotApi>

/** What a batch of links does. */
type LinkAct = 'read' | 'create' | 'associate/default' | 'archive'

/** The API of one account. All accounts share one address; tests and operators' proxies use another. */
export function createHubspotApi(account: Account) {
  let timeZone: string | null | undefined
  const http = openHttp(account, {
    label,
    base: ({ instanceUrl }) => instanceUrl ?? apiAddress,
    signIn: bearer,
    // HubSpot answers 423 or 477 while the account is locked or being moved. It has done nothing then.
    answers: {
      ...{ 400: 'refused', 403: 'lost', 404: 'refused', 409: 'refused', 410: 'refused', 413: 'refused' },
      ...{ 423: 'wait', 429: 'wait', 477: 'wait' },
    },
    emptyAnswers: [204],
    waitOf: (answer) => waitOf(answer, timeZone),
    howToReturn: (json) => lackingScopes(json) ?? 'Please connect it again.',
    reason: (json) => {
      const { category, message, errors } = json as { category?: unknown; message?: unknown; errors?: unknown }
      const [first] = Array.isArray(errors) ? errors : []
      return { code: category, message: message ?? (first as { message?: unknown } | undefined)?.message }
    },
  })

  /** Sends a POST that only reads: its parameters are in the body. */
  const ask = async <S extends Type.TSchema>(path: string, json: unknown, shape: S): Promise<Static<S>> =>
    read(await http.send('POST', path, { json }), path, shape)
  const read = <S extends Type.TSchema>(sent: Sent, path: string, shape: S): Static<S> => {
    requireDone(sent)
    // Without this, the records or links of a failed item would seem to be missing.
    const fault = passingFault(sent.json)
    if (fault) throw fault
    return checkShape(label, shape, sent.json, path)
  }
  const objects = (type: ObjectType) => `/crm/v3/objects/${type}`
  // HubSpot supports v4 of the associations until 30 March 2027, and v3 of the other APIs until September 2027.
  let isDated = false
  const sendLinks = async (from: ObjectType, to: ObjectType | Message, act: LinkAct, inputs: readonly object[]) => {
    const base = isDated ? '/crm/associations/2026-03' : '/crm/v4/associations'
    const sent = await http.send('POST', `${base}/${from}/${to}/batch/${act}`, { json: { inputs } })
    if (isDated || sent.result === 'done' || ![404, 410].includes(sent.status)) return sent
    isDated = true
    return sendLinks(from, to, act, inputs)
  }

  const byIds = async (type: ObjectType, names: readonly string[], ids: readonly string[], idProperty?: string) => {
    const found: HubObject[] = []
    for (const some of chunksOf([...new Set(ids)], largestPage)) {
      const inputs = some.map((id) => ({ id }))
      const json = { properties: names, propertiesWithHistory: [], inputs, ...(idProperty && { idProperty }) }
      // HubSpot lists ids that do not exist as errors beside the results. They are ignored.
      const { results } = await ask(`${objects(type)}/batch/read`, json, listShape)
      found.push(...objectsFrom(results, names))
    }
    return found
  }
  const properties = onceEach(async (type: ObjectType): Promise<Property[]> => {
    const shape = Type.Object({ results: Type.Array(Type.Unknown()) })
    const { results } = await http.get(`/crm/v3/properties/${type}`, shape)
    // A property of an unknown shape is skipped, so that the other properties can be read.
    return fitting(propertyShape, results.map(usableProperty)).map(({ options, ...property }) => ({
      ...property,
      ...(options && { options: options.map((option) => ({ ...option, label: option.label ?? option.value })) }),
    }))
  })

  return {
    http,
    ask,
    objects,
    /** Sends a batch of links: to v4 of the associations API, or to the dated version where v4 is gone. */
    sendLinks,
    byIds,
    /** Runs changes of the account's settings one at a time. */
    inTurn: createTurns(),
    /** The values that properties had, the newest first, by the ids of the records. Empty if HubSpot gives none. */
    async history(type: ObjectType, names: readonly string[], ids: readonly string[]) {
      const found = new Map<string, Record<string, Version[]>>()
      for (const some of chunksOf(names.length === 0 ? [] : ids, largestHistory)) {
        const json = { properties: [], propertiesWithHistory: names, inputs: some.map((id) => ({ id })) }
        const sent = await http.send('POST', `${objects(type)}/batch/read`, { json })
        // Without this, values that HubSpot filled in would seem to be those of people.
        const fault = passingFault(sent.json)
        if (fault) throw fault
        const { results } = hasShape(historyShape, sent.json) ? sent.json : { results: [] }
        for (const { id, propertiesWithHistory } of results) found.set(id, propertiesWithHistory ?? {})
      }
      return found
    },
    account: once(async () => {
      const facts = await http.get('/account-info/v3/details', accountShape)
      timeZone = facts.timeZone
      return facts
    }),
    properties,
    /** Called after a property was created or changed. */
    forgetProperties: properties.forget,
    async pipelines(type: 'deals' | 'tickets') {
      const path = `/crm/v3/pipelines/${type}`
      return checkShape(label, Type.Array(pipelineShape), pipelinesIn(label, (await http.ask(path)).json), path)
    },

    /** One page of the list, ordered by id. */
    async page(type: ObjectType, names: readonly string[], after: string | null, size: number) {
      const isShort = names.join(',').length <= longestNames
      const properties = isShort ? names : [ownId]
      const { results, paging: more } = await http.get(objects(type), listShape, { limit: size, after, properties })
      const listed = objectsFrom(results, properties)
      const ids = idsIn(listed)
      const items = isShort ? listed : await byIds(type, names, ids)
      return { items: items.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)), next: afterIn(more) }
    },
    /**
     * Searches in the order of ids, starting after a given id, so that every search is one page long. HubSpot ends a
     * search after 10,000 records, and many records can have changed at the same moment.
     */
    async search(
      type: ObjectType,
      names: readonly string[],
      filters: readonly Filter[],
      after: string | null,
      size: number,
    ) {
      const behind: Filter[] = after === null ? [] : [{ propertyName: 'hs_object_id', operator: 'GT', value: after }]
      const json = {
        filterGroups: [{ filters: [...filters, ...behind] }],
        sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }],
        properties: names,
        limit: size,
      }
      const { results, total } = await ask(`${objects(type)}/search`, json, searchShape)
      return { items: objectsFrom(results, names), total, isLast: results.length >= total }
    },
    /**
     * The linked records of these records. A primary company comes first. `tell` gets the records with a link that has a
     * label, or that cannot be read.
     */
    async linked(
      from: ObjectType,
      to: ObjectType,
      ids: readonly string[],
      only?: number,
      tell: (id: string, what: 'label' | 'odd') => void = () => {},
    ): Promise<Map<string, string[]>> {
      const found = new Map<string, { id: string; isPrimary: boolean }[]>()
      let inputs: { id: string; after?: string }[] = ids.map((id) => ({ id }))
      while (inputs.length > 0) {
        const sent = await sendLinks(from, to, 'read', inputs)
        const what = `links of ${from} to ${to}`
        const { results } = read(sent, what, linksShape)
        const holders = fitting(holderShape, results).filter((one) => ids.includes(String(one.from.id)))
        const tellOdd = (some: readonly string[]) => {
          if (!isReading()) throw new UnreadableAnswerError(`${label} answered ${what} of an unknown shape`)
          for (const id of some) tell(id, 'odd')
        }
        // Nobody knows whose links these are.
        if (holders.length < results.length)
          tellOdd(ids.filter((id) => !holders.some((one) => String(one.from.id) === id)))
        for (const { from: holder, to: given } of holders) {
          const id = String(holder.id)
          const targets = fitting(linkShape, Array.isArray(given) ? given : [])
          if (!Array.isArray(given) || targets.length < given.length) tellOdd([id])
          const links = found.get(id) ?? []
          found.set(id, links)
          for (const { toObjectId, associationTypes: types } of targets) {
            if (types.some(({ category, label: words }) => category !== 'HUBSPOT_DEFINED' && words)) tell(id, 'label')
            const numbers = types.map(({ typeId }) => Number(typeId))
            const isPrimary = to === 'companies' && numbers.includes(primaryCompany[from] ?? 0)
            if (only === undefined || numbers.includes(only)) links.push({ id: String(toObjectId), isPrimary })
          }
        }
        inputs = holders.flatMap(({ from: { id }, paging: more }) =>
          more?.next ? [{ id: String(id), after: String(more.next.after) }] : [],
        )
      }
      const order = (a: { id: string; isPrimary: boolean }, b: { id: string; isPrimary: boolean }) =>
        Number(b.isPrimary) - Number(a.isPrimary) || Number(a.id) - Number(b.id)
      return new Map([...found].map(([id, links]) => [id, [...new Set(links.sort(order).map((link) => link.id))]]))
    },
    /** Null when the file does not exist, or when HubSpot shows such files, as of e-mails, only with a further scope. */
    async file(id: string): Promise<HubFile | null> {
      const path = `/files/v3/files/${encodeURIComponent(id)}`
      const { status, json } = await http.look(path, [403, 404])
      if (status === 404 || (status === 403 && /hidden/.test(lackingScopes(json) ?? ''))) return null
      if (status === 403) http.settle({ status, json })
      return checkShape(label, fileShape, json, path)
    },
    /** The ids of the folders with this path, and the ids of the files in them. */
    async folderAt(path: string): Promise<{ folderIds: string[]; fileIds: string[] }> {
      const { results } = await http.get('/files/v3/folders/search', foldersShape, { path })
      const folderIds = results.filter((folder) => folder.path === path).map(({ id }) => id)
      if (folderIds.length === 0) return { folderIds, fileIds: [] }
      const files = await http.get('/files/v3/files/search', filesShape, { parentFolderIds: folderIds })
      return { folderIds, fileIds: files.results.map(({ id }) => id) }
    },
    isWithoutFolders: async (id: string): Promise<boolean> =>
      (await http.get('/files/v3/folders/search', foldersShape, { parentFolderIds: id })).results.length === 0,
  }
}
